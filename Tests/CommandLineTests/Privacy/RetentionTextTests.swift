import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import Testing

@testable import cardea

@Suite("Retention periods in the terminal")
struct RetentionTextTests {
    @Test("The default maintenance period is shown as `forever` and not in days")
    func forGood() {
        let start = Date(timeIntervalSince1970: 1_795_269_600)
        let clock = HouseClock(zone: .gmt, now: start)
        func row(_ kind: RetentionKind, days: Int, last: Date? = nil) -> [String] {
            RetentionCommand.row(.init(kind: kind.rawValue, days: days, mostDays: kind.defaultDays, sweptAt: last, dropped: 3), clock)
        }
        #expect(row(.maintenance, days: RetentionKind.maintenance.defaultDays) == ["maintenance", "forever", "forever", "3", "not yet"])
        #expect(row(.maintenance, days: 100) == ["maintenance", "100", "forever", "3", "not yet"])
        #expect(row(.maintenance, days: RetentionKind.unlimitedDays - 1)[1] == "36499")
        #expect(row(.energy, days: 730, last: start) == ["energy", "730", "730", "3", "14:00"])
    }
}
