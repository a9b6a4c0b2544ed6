import CardeaModel
import Foundation
import Testing

@Suite("Moments in a column")
struct DateMillisecondsTests {
    @Test("A moment that was read is written back as it was")
    func roundTrip() {
        for base: Int64 in [0, 1_000, 1_795_269_600_000, -1_795_269_600_000, 253_402_300_798_000] {
            for step in 0..<1000 as Range<Int64> { #expect(Date(milliseconds: base + step).milliseconds == base + step) }
        }
    }

    @Test("A moment that no column holds is the nearest that it does")
    func extremes() {
        #expect(Date.distantFuture.milliseconds <= 253_402_300_799_999 && Date.distantPast.milliseconds >= -62_000_000_000_000)
        #expect(Date(timeIntervalSince1970: .infinity).milliseconds == 253_402_300_799_999)
        #expect(Date(timeIntervalSince1970: .nan).milliseconds == -62_000_000_000_000)
    }
}
