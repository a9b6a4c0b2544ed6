@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Names are put into sentences as they are, and temperatures as they are read")
struct SayingTests {
    @Test("Nothing in a name is read as part of the sentence")
    func names() {
        #expect(Saying("{} is open, {} is not.", "The {} door", "it").text == "The {} door is open, it is not.")
        #expect(Saying("{} and {}.", "One").text == "One and something.")
        #expect(Saying("All is well.", "One").text == "All is well.")
    }

    @Test("Whatever a name holds, the sentence holds it", arguments: TestSeed.values(1..<51))
    func anything(seed: Int) {
        var dice = FeltDice(seed: seed)
        let name = String(
            (0..<dice.roll(20)).map { _ in ["{", "}", "{}", "a", "\u{0301}", "\u{202E}", "🚪", "%@", "\\", "\n"][dice.roll(10)] }.joined())
        #expect(Saying("{} is open.", name).text == name + " is open.")
    }

    @Test("A temperature is told in the reader's degrees, whatever else the sentence holds", arguments: TestSeed.values(1..<51))
    func degrees(seed: Int) throws {
        var dice = FeltDice(seed: seed)
        let name = String((0..<dice.roll(8)).map { _ in ["{#}", "{°}", "{}", "a", "21 °C"][dice.roll(5)] }.joined())
        let (warm, wanted) = (dice.number(-40...60), dice.number(5...35))
        let saying = Lexicon.standard.saying(.isColder, names: [.room: name], warmths: [.value: warm, .number: wanted])

        for unit in TemperatureUnit.allCases {
            let (one, other) = (HabitWords.number(unit.told(warm)), HabitWords.number(unit.told(wanted)))
            #expect(saying.text(in: unit) == "\(name) is at \(one) \(unit.sign), colder than the \(other) \(unit.sign) wanted.")
        }
        #expect(saying.text == saying.text(in: .celsius))
        #expect(try JSONDecoder().decode(Saying.self, from: try JSONEncoder().encode(saying)) == saying)
        #expect(Saying(kept: saying.kept) == saying)
    }

    @Test("What an older house kept is told as it was kept")
    func old() throws {
        let kept = #"{"form":"{} is at 17.5 °C, colder than the 21 °C wanted.","names":["Study"]}"#
        let saying = try JSONDecoder().decode(Saying.self, from: Data(kept.utf8))
        #expect(saying.text(in: .fahrenheit) == "Study is at 17.5 °C, colder than the 21 °C wanted.")
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
