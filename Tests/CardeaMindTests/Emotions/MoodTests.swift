@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Mood follows causes")
struct MoodTests {
    private static let start = EmotionFixtures.noon

    private static func worry(_ id: String = "w", _ size: Double = 1) -> Cause {
        Cause(id, .health, EmotionVector(happiness: -size, worry: size), ParameterizedSentence("{} is on fire.", "Hall"), since: start)
    }

    @Test("Without causes the mood stays at its baseline")
    func calm() {
        var mood = Mood(at: Self.start)
        for cycle in 0..<50 { mood.update([], at: Self.start + Double(cycle)) }
        #expect(mood.state.values == .baseline)
        #expect(mood.state.primary == .happiness)
        #expect(mood.explain(seenBy: EmotionFixtures.owner).words.contains("Nothing in particular"))
    }

    @Test("A cause changes an emotion by its weight, and the state lists it")
    func moves() throws {
        var mood = Mood(at: Self.start)
        let state = mood.update([Self.worry()], at: Self.start)
        #expect(abs(state.values.worry - 0.5) < 1e-12)
        #expect(abs(state.values.happiness - 0.3) < 1e-12)
        #expect(state.primary == .worry)
        let causes = state.causes(of: .worry)
        #expect(causes.map(\.cause.id) == ["w"])
        #expect(abs(try #require(causes.first).share - 0.3) < 1e-12)
        #expect(state.causes(of: .boredom).isEmpty)
    }

    @Test("An ended cause decays by a twentieth per cycle and is reported as over")
    func passes() {
        var mood = Mood(at: Self.start)
        mood.update([Self.worry()], at: Self.start)
        mood.update([], at: Self.start + 60)
        #expect(abs(mood.state.values.worry - 0.45) < 1e-12)
        #expect(mood.state.fading.map(\.id) == ["w"])
        #expect(mood.state.fading.first?.until == Self.start + 60)
        let answer = mood.explain(.worry, seenBy: EmotionFixtures.owner)
        #expect(answer.words.contains("passing"))
        #expect(answer.words.contains("Hall is on fire."))
        for cycle in 0..<20 { mood.update([], at: Self.start + 120 + Double(cycle) * 60) }
        #expect(mood.state.values == .baseline)
        #expect(mood.state.fading.isEmpty)
    }

    // Answers were in °F, and the reasons of the mood stayed in °C.
    @Test("A mood explanation uses the asker's temperature unit, for current and decaying causes")
    func degrees() {
        let words = Lexicon.standard.stateSentence(.isColder, names: [.room: "Study"], warmths: [.value: 15, .number: 20])
        var mood = Mood(at: Self.start)
        mood.update([Cause("cold", .environment, EmotionVector(happiness: -1, worry: 1), words, since: Self.start)], at: Self.start)
        for cycle in 1...2 {
            let told = mood.explain(.worry, seenBy: EmotionFixtures.owner, degrees: .fahrenheit)
            #expect(told.words.contains("Study is at 59 °F, colder than the 68 °F wanted.") && !told.words.contains("°C"), "\(told.words)")
            #expect(told.temperatureUnit == .fahrenheit)
            #expect(mood.explain(.worry, seenBy: EmotionFixtures.owner).words.contains("Study is at 15 °C, colder than the 20 °C wanted."))
            mood.update([], at: Self.start + 60 * Double(cycle))
        }
    }

    @Test("A cause keeps its first start time when later detections report a newer one")
    func lasts() {
        var mood = Mood(at: Self.start)
        mood.update([Self.worry()], at: Self.start)
        let later = Cause("w", .health, EmotionVector(worry: 1), ParameterizedSentence("still"), since: Self.start + 600)
        let state = mood.update([later], at: Self.start + 600)
        #expect(state.shares.first?.cause.since == Self.start)
    }

    @Test("Many causes of one kind change an emotion by at most the weight of the kind", arguments: TestSeed.values(1..<41))
    func saturates(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        let causes = (0..<40).map { dice.cause($0, at: Self.start) }
        let shares = EmotionalState.shares(of: causes)
        for kind in CauseKind.allCases {
            for emotion in Emotion.allCases {
                let sum = shares.filter { $0.cause.kind == kind }.reduce(0) { $0 + $1.amounts[emotion] }
                #expect(abs(sum) <= kind.weight + 1e-9)
            }
        }
    }

    @Test(
        "Values stay between 0 and 1, steps stay within 0.3, and the shares explain both",
        arguments: TestSeed.values(1..<31))
    func bounds(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        var mood = Mood(at: Self.start)
        var before = mood.state.values
        for cycle in 0..<60 {
            let now = Self.start + Double(cycle) * 60
            let causes = (0..<30).filter { _ in dice.index(5) == 0 }.map { dice.cause($0, at: now) }
            let state = mood.update(causes, at: now)
            for emotion in Emotion.allCases {
                #expect((0...1).contains(state.values[emotion]))
                #expect(abs(state.values[emotion] - before[emotion]) <= 0.3 + 1e-12)
                let explained = state.shares.reduce(emotion.baseline) { $0 + $1.amounts[emotion] }
                #expect(abs(min(max(explained, 0), 1) + state.unsettled[emotion] - state.values[emotion]) < 1e-9)
            }
            #expect((0...1).contains(state.arousal))
            #expect((-1...1).contains(state.valence))
            #expect((0...1).contains(state.intensity))
            #expect((0.5...1).contains(state.confidence))
            before = state.values
        }
    }

    @Test(
        "Without causes every value returns to its baseline monotonically within twenty cycles",
        arguments: TestSeed.values(1..<31))
    func decay(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        var mood = Mood(at: Self.start)
        for cycle in 0..<dice.index(30) {
            mood.update((0..<dice.index(9)).map { dice.cause($0, at: Self.start) }, at: Self.start + Double(cycle))
        }
        var distance = Emotion.allCases.map { abs(mood.state.values[$0] - $0.baseline) }
        for cycle in 0..<20 {
            mood.update([], at: Self.start + 100 + Double(cycle))
            let next = Emotion.allCases.map { abs(mood.state.values[$0] - $0.baseline) }
            for (one, other) in zip(next, distance) {
                #expect(one <= other)
                #expect(one == 0 || abs(other - one - 0.05) < 1e-9)
            }
            distance = next
        }
        #expect(mood.state.values == .baseline)
    }

    @Test("When one cause ends, the values converge to those of the remaining causes", arguments: TestSeed.values(1..<31))
    func removal(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        let causes = (0..<8).map { dice.cause($0, at: Self.start) }
        var with = Mood(at: Self.start)
        for cycle in 0..<10 { with.update(causes, at: Self.start + Double(cycle)) }
        let rest = Array(causes.dropFirst())
        for cycle in 0..<20 { with.update(rest, at: Self.start + 20 + Double(cycle)) }
        let target = EmotionalState.settled(on: rest, at: Self.start).values
        for emotion in Emotion.allCases { #expect(abs(with.state.values[emotion] - target[emotion]) < 1e-12) }
    }

    @Test("The order and duplication of causes do not change the mood", arguments: TestSeed.values(1..<31))
    func order(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        let causes = (0..<20).map { dice.cause($0, at: Self.start) }
        var (one, other) = (Mood(at: Self.start), Mood(at: Self.start))
        for cycle in 0..<5 {
            let now = Self.start + Double(cycle)
            #expect(one.update(causes, at: now) == other.update(causes.shuffled(using: &dice) + causes.prefix(3), at: now))
        }
    }

    @Test("An explanation lists the strongest causes with their events and devices")
    func why() {
        let house = EmotionFixtures.house(
            EmotionFixtures.device("garage", "Garage door", EmotionFixtures.entity("cover.garage", .cover, "open", deviceClass: "garage")),
            EmotionFixtures.device(
                "smoke", "Kitchen {} alarm", EmotionFixtures.entity("binary_sensor.smoke", .binarySensor, "on", deviceClass: "smoke")))
        let night = EmotionFixtures.date("2025-06-25T21:30:00Z")
        let outlook = CauseDetector(
            snapshot: house,
            events: [
                EmotionFixtures.event(1, night - 7200, device: "garage", entity: "cover.garage", .state("open")),
                EmotionFixtures.event(2, night - 60, device: "smoke", entity: "binary_sensor.smoke", .state("on")),
            ], now: night)
        var mood = Mood(at: night)
        mood.update(outlook.causes(), at: night)

        let answer = mood.explain(.worry, seenBy: EmotionFixtures.owner)
        #expect(answer.emotion == .worry)
        #expect(answer.devices == ["smoke", "garage"])
        #expect(answer.events == ["happening_2", "happening_1"])
        #expect(answer.words.hasPrefix("I am worried: 50 %, where 20 % is usual."))
        #expect(answer.words.contains("Kitchen {} alarm has reported smoke since 23:29."))
        #expect(answer.words.contains("Garage door has been open since 21:30, and it is night."))
    }

    @Test("New devices are named together, and causes too small to name are counted")
    func small() {
        var mood = Mood(at: Self.start)
        let new = (0..<40).map { number in
            Cause(
                "new:\(number)", .learning, EmotionVector(excitement: 0.8), ParameterizedSentence("{} is new here.", "Lamp \(number)"),
                since: Self.start)
        }
        mood.update(new, at: Self.start)
        let many = mood.explain(.excitement, seenBy: EmotionFixtures.owner).words
        #expect(many.components(separatedBy: "new here").count <= 2, "\(many)")
        #expect(many.contains("40 smaller things add to it (+10 %)."), "\(many)")

        var two = Mood(at: Self.start)
        two.update(Array(new.prefix(2)), at: Self.start)
        #expect(two.explain(.excitement, seenBy: EmotionFixtures.owner).words.contains("Lamp 0 and Lamp 1 are new here. (+10 %)"))
    }

    @Test("A mood survives encoding and decoding unchanged")
    func kept() throws {
        let seed = Int(truncatingIfNeeded: TestSeed.value(7))
        var dice = FixtureRandom(seed: seed)
        var mood = Mood(at: Self.start)
        for cycle in 0..<30 { mood.update((0..<6).map { dice.cause($0, at: Self.start) }, at: Self.start + Double(cycle)) }
        let again = try JSONDecoder().decode(Mood.self, from: JSONEncoder().encode(mood))
        #expect(again.state.shares.map(\.cause.id) == mood.state.shares.map(\.cause.id), "seed \(seed)")
        #expect(again.explain(seenBy: EmotionFixtures.owner).words == mood.explain(seenBy: EmotionFixtures.owner).words, "seed \(seed)")
        #expect(again.history.entries.count == mood.history.entries.count, "seed \(seed)")
    }
}
