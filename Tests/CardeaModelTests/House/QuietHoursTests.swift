import CardeaModel
import Foundation
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    @Test("Quiet hours span midnight in local time")
    func quiet() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let hours = QuietHours(from: try #require(TimeOfDay("22:00")), to: try #require(TimeOfDay("07:00")))
        #expect(TimeOfDay(minutes: 1439)?.description == "23:59" && TimeOfDay(minutes: 1440) == nil && TimeOfDay(minutes: -1) == nil)
        // Saturday, 21 November 2026, 14:00 UTC: 15:00 in Berlin.
        let afternoon = Date(timeIntervalSince1970: 1_795_269_600)
        for (later, isQuiet) in [(0.0, false), (6.9, false), (7, true), (15.9, true), (16, false)] {
            #expect(hours.contains(afternoon.addingTimeInterval(later * 3600), in: zone) == isQuiet, "\(later) h later")
        }
    }
}
