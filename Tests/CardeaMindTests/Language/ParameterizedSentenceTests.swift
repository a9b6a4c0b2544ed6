@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Parameterized sentences: names and temperatures")
struct ParameterizedSentenceTests {
    @Test("A name is never parsed as part of the sentence")
    func names() {
        #expect(ParameterizedSentence("{} is open, {} is not.", "The {} door", "it").text == "The {} door is open, it is not.")
        #expect(ParameterizedSentence("{} and {}.", "One").text == "One and something.")
        #expect(ParameterizedSentence("All is well.", "One").text == "All is well.")
    }

    @Test("A sentence contains any name verbatim", arguments: TestSeed.values(1..<51))
    func anything(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        let name = String(
            (0..<dice.index(20)).map { _ in ["{", "}", "{}", "a", "\u{0301}", "\u{202E}", "🚪", "%@", "\\", "\n"][dice.index(10)] }.joined())
        #expect(ParameterizedSentence("{} is open.", name).text == name + " is open.")
    }

    @Test("Temperatures use the reader's unit, whatever else the sentence contains", arguments: TestSeed.values(1..<51))
    func degrees(seed: Int) throws {
        var dice = FixtureRandom(seed: seed)
        let name = String((0..<dice.index(8)).map { _ in ["{#}", "{°}", "{}", "a", "21 °C"][dice.index(5)] }.joined())
        let (warm, wanted) = (dice.number(-40...60), dice.number(5...35))
        let saying = Lexicon.standard.stateSentence(.isColder, names: [.room: name], warmths: [.value: warm, .number: wanted])

        for unit in TemperatureUnit.allCases {
            let (one, other) = (HabitText.number(unit.fromCelsius(warm)), HabitText.number(unit.fromCelsius(wanted)))
            #expect(saying.text(in: unit) == "\(name) is at \(one) \(unit.symbol), colder than the \(other) \(unit.symbol) wanted.")
        }
        #expect(saying.text == saying.text(in: .celsius))
        #expect(try JSONDecoder().decode(ParameterizedSentence.self, from: try JSONEncoder().encode(saying)) == saying)
        #expect(ParameterizedSentence(stored: saying.stored) == saying)
    }

    @Test("Sentences stored by an older version are shown unchanged")
    func old() throws {
        let stored = #"{"form":"{} is at 17.5 °C, colder than the 21 °C wanted.","names":["Study"]}"#
        let saying = try JSONDecoder().decode(ParameterizedSentence.self, from: Data(stored.utf8))
        #expect(saying.text(in: .fahrenheit) == "Study is at 17.5 °C, colder than the 21 °C wanted.")
    }

    @Test("Start times are worded so that they stay correct")
    func since() {
        let zone = EmotionFixtures.zone
        let now = EmotionFixtures.noon
        #expect(LocalHour.since(now - 60, at: now, in: zone) == "since 14:59")
        #expect(LocalHour.since(now - 86400 * 2, at: now, in: zone) == "since Monday 15:00")
        #expect(LocalHour.since(now - 86400 * 12, at: now, in: zone) == "for 12 days")
        #expect(LocalHour.since(now + 60, at: now, in: zone) == "since 15:01")
        _ = LocalHour.since(.distantPast, at: .distantFuture, in: zone)
    }
}
