import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

// With Fahrenheit chosen, every answer was in °C, and "72 degrees" was too hot for a what-if.
@Suite("Temperatures in answers and commands use the asker's unit")
struct TemperatureUnitAnswerTests {
    private func ask(_ sentence: String, in unit: TemperatureUnit = .fahrenheit) async throws -> Reply {
        var preferences = Preferences()
        preferences.temperatureUnit = unit
        let answerer = QuestionAnswerer(lexicon: try Lexicon.english(), houseHistory: RecordedHouseReader(.shared))
        return try await answerer.answer(
            sentence, in: RecordedHouse.shared.snapshot, seenBy: RecordedHouse.owner, at: RecordedHouse.now, preferences: preferences)
    }

    private func value(_ reply: Reply) -> Double? {
        if case .device(_, _, .setTemperature, let value)? = reply.suggestions.first?.action { value } else { nil }
    }

    @Test(
        "Fahrenheit answers leave the stored values unchanged",
        arguments: [
            "how warm is it in the kitchen?", "what is the bedroom temperature", "what was the temperature in the bedroom last night?",
            "what is the warmest room?", "is the kitchen warmer than the bedroom?",
        ])
    func told(sentence: String) async throws {
        let (fahrenheit, celsius) = (try await ask(sentence), try await ask(sentence, in: .celsius))
        #expect(celsius.response.contains(" °C") && !celsius.response.contains("°F"), "\(celsius.response)")
        #expect(fahrenheit.response.contains(" °F") && !fahrenheit.response.contains("°C"), "\(fahrenheit.response)")
        #expect(fahrenheit.facts == celsius.facts && fahrenheit.events == celsius.events)
    }

    @Test("A number is parsed with its exact value")
    func number() async throws {
        let celsius = try await ask("how warm is it in the kitchen?", in: .celsius)
        guard case .number(let value, _, _)? = celsius.facts.first else {
            Issue.record("no number in \(celsius.facts)")
            return
        }
        let reply = try await ask("how warm is it in the kitchen?")
        let words = reply.response.components(separatedBy: " °F").first ?? ""
        let told = try #require(words.components(separatedBy: " ").last.flatMap { Double($0) }, "\(reply.response)")
        #expect(abs(told - (value * 1.8 + 32)) <= 0.1, "\(reply.response)")
    }

    @Test(
        "A number without a unit is in the asker's unit; an explicit unit wins",
        arguments: [
            ("set the bedroom radiator to 66 degrees", 18.9, "66 °F"), ("set the heating in the bedroom to 66", 18.9, "66 °F"),
            ("set the bedroom radiator to 66°F", 18.9, "66 °F"), ("bedroom radiator to 19°C", 19.0, "66.2 °F"),
            ("set the bedroom radiator to 19 degrees celsius", 19.0, "66.2 °F"), ("set the bedroom radiator to 19 C", 19.0, "66.2 °F"),
            ("set the bedroom radiator to 66 F", 18.9, "66 °F"),
        ])
    func meant(sentence: String, celsius: Double, words: String) async throws {
        let reply = try await ask(sentence)
        #expect(value(reply) == celsius && reply.suggestions.first?.words == "Set the bedroom radiator to \(words)", "\(reply.response)")
    }

    @Test("Celsius askers see no change, and other numbers are not read as degrees")
    func others() async throws {
        let radiator = try await ask("set the bedroom radiator to 19 degrees", in: .celsius)
        #expect(value(radiator) == 19 && radiator.suggestions.first?.words == "Set the bedroom radiator to 19 °C")
        // "19 C" was understood, and "66 F" was not.
        for foreign in ["66 F", "66 ° Fahrenheit", "66 degree fahrenheit"] {
            let radiator = try await ask("set the bedroom radiator to \(foreign)", in: .celsius)
            #expect(value(radiator) == 18.9, "\(foreign): \(radiator.response)")
        }
        let lamp = try await ask("set the sofa lamp to 30 percent")
        #expect(lamp.suggestions.first?.words == "Set the sofa lamp to 30 %")
        let hot = try await ask("set the bedroom radiator to 500 degrees")
        #expect(hot.suggestions.isEmpty && hot.response.contains("-22 to 212"), "\(hot.response)")
    }
}
