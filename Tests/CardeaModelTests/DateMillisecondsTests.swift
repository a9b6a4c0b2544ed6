import CardeaModel
import Foundation
import Testing

@Suite("Dates stored in milliseconds")
struct DateMillisecondsTests {
    @Test("A stored date reads back and is written unchanged")
    func roundTrip() {
        for base: Int64 in [0, 1_000, 1_795_269_600_000, -1_795_269_600_000, 253_402_300_798_000] {
            for step in 0..<1000 as Range<Int64> { #expect(Date(milliseconds: base + step).milliseconds == base + step) }
        }
    }

    @Test("A date outside the range is clamped")
    func extremes() {
        #expect(Date.distantFuture.milliseconds <= 253_402_300_799_999 && Date.distantPast.milliseconds >= -62_000_000_000_000)
        #expect(Date(timeIntervalSince1970: .infinity).milliseconds == 253_402_300_799_999)
        #expect(Date(timeIntervalSince1970: .nan).milliseconds == -62_000_000_000_000)
    }
}
