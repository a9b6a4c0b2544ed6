@testable import CardeaMind
import Foundation
import Testing

@Suite("Names are put into sentences as they are")
struct SayingTests {
    @Test("Nothing in a name is read as part of the sentence")
    func names() {
        #expect(Saying("{} is open, {} is not.", "The {} door", "it").text == "The {} door is open, it is not.")
        #expect(Saying("{} and {}.", "One").text == "One and something.")
        #expect(Saying("All is well.", "One").text == "All is well.")
    }

    @Test("Whatever a name holds, the sentence holds it", arguments: 1...50)
    func anything(seed: Int) {
        var dice = FeltDice(seed: seed)
        let name = String(
            (0..<dice.roll(20)).map { _ in ["{", "}", "{}", "a", "\u{0301}", "\u{202E}", "🚪", "%@", "\\", "\n"][dice.roll(10)] }.joined())
        #expect(Saying("{} is open.", name).text == name + " is open.")
    }

    @Test("Since when is told so that it stays true")
    func since() {
        let zone = FeltHouse.zone
        let now = FeltHouse.noon
        #expect(HouseHour.since(now - 60, at: now, in: zone) == "since 14:59")
        #expect(HouseHour.since(now - 86400 * 2, at: now, in: zone) == "since Monday 15:00")
        #expect(HouseHour.since(now - 86400 * 12, at: now, in: zone) == "for 12 days")
        #expect(HouseHour.since(now + 60, at: now, in: zone) == "since 15:01")
        _ = HouseHour.since(.distantPast, at: .distantFuture, in: zone)
    }
}
