@testable import CardeaMind
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Moods do not leak what an asker may not see")
struct MoodVisibilityTests {
    private static let start = EmotionFixtures.noon

    @Test("The visible mood is the same with and without hidden causes", arguments: TestSeed.values(1..<41))
    func asIfNeverThere(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        let visibility = dice.visibility()
        guard !visibility.isWhole else { return }
        let pool = (0..<25).map { dice.cause($0, at: Self.start) }
        var (whole, part) = (Mood(at: Self.start), Mood(at: Self.start))
        for cycle in 0..<25 {
            let now = Self.start + Double(cycle) * 60
            let causes = pool.filter { _ in dice.index(4) == 0 }
            whole.update(causes, at: now)
            part.update(causes.filter(visibility.sees), at: now)
            #expect(whole.seen(by: visibility) == part.seen(by: visibility))
            let emotion = Emotion.allCases[dice.index(4)]
            #expect(whole.explain(emotion, seenBy: visibility) == part.explain(emotion, seenBy: visibility))
        }
    }

    @Test("No answer names a hidden device, event or person", arguments: TestSeed.values(1..<41))
    func nothingHidden(seed: Int) {
        var dice = FixtureRandom(seed: seed)
        let visibility = dice.visibility()
        var mood = Mood(at: Self.start)
        var hidden: Set<String> = []
        let pool = (0..<200).map { dice.cause($0, at: Self.start) }
        for cycle in 0..<25 {
            let now = Self.start + Double(cycle) * 3600
            let causes = pool[(cycle * 5)..<(cycle * 5 + 5)].filter { _ in dice.index(3) > 0 }
            hidden.formUnion(causes.filter { !visibility.sees($0) }.map(\.id))
            mood.update(causes, at: now)
            let state = mood.seen(by: visibility)
            #expect(hidden.isDisjoint(with: state.shares.map(\.cause.id) + state.fading.map(\.id)))
            for share in state.shares {
                #expect(share.cause.devices.allSatisfy(visibility.seesDevice))
                #expect(
                    share.cause.people.allSatisfy {
                        $0 == visibility.key || visibility.seesEverybody || (visibility.seesGuests && $0.hasPrefix("guest"))
                    })
            }
            for emotion in Emotion.allCases { #expect(hidden.isDisjoint(with: mood.explain(emotion, seenBy: visibility).causes.map(\.id))) }
        }
        for entry in mood.history.entries(from: .distantPast, to: .distantFuture, seenBy: visibility) {
            #expect(hidden.isDisjoint(with: entry.state.shares.map(\.cause.id) + [entry.trigger?.id].compactMap { $0 }))
        }
    }

    @Test("Visibility rule: requests of other people are hidden, door states are not")
    func grounds() {
        let asked = HouseEvent(
            id: "happening_1", at: Self.start, deviceID: "door", entityID: "lock.door", actor: "person:bea",
            fact: .command(.unlock, .failed, refusal: nil))
        let stands = HouseEvent(
            id: "happening_2", at: Self.start, deviceID: "door", entityID: "lock.door", actor: "person:bea", fact: .state("unlocked"))
        let cause = { (ground: HouseEvent) in
            Cause(
                "x", .tasks, EmotionVector(worry: 1), ParameterizedSentence("x"), on: [EvidenceReference(ground)], devices: ["door"],
                since: Self.start)
        }

        #expect(!RequesterVisibility(key: "person:ada").sees(cause(asked)))
        #expect(RequesterVisibility(key: "person:bea").sees(cause(asked)))
        #expect(RequesterVisibility(key: "person:ada").sees(cause(stands)))
        #expect(!RequesterVisibility(key: "person:ada", devices: []).sees(cause(stands)))
    }

    @Test("A stored cause does not carry the actor of a state, for any asker")
    func actors() throws {
        let ground = EvidenceReference(
            HouseEvent(id: "happening_1", at: Self.start, deviceID: "door", actor: "guest:plumber", fact: .state("unlocked")))
        let cause = Cause(
            "x", .health, EmotionVector(worry: 1), ParameterizedSentence("x"), on: [ground], devices: ["door"], since: Self.start)
        var mood = Mood(at: Self.start)
        mood.update([cause], at: Self.start)
        let shown = mood.seen(by: RequesterVisibility(key: "person:bea"))
        #expect(shown.shares.map(\.cause.events) == [["happening_1"]])
        #expect(!String(decoding: try JSONEncoder().encode(shown), as: UTF8.self).contains("plumber"))
    }

    @Test("An erased person is named nowhere, and the mood stays as it was")
    func forgotten() throws {
        let ground = EvidenceReference(
            HouseEvent(id: "happening_1", at: Self.start, actor: "person:bea", fact: .presence(isHome: true)))
        var mood = Mood(at: Self.start)
        mood.update(
            [
                Cause(
                    "home:bea", .interaction, EmotionVector(happiness: 1), ParameterizedSentence("{} came.", "Bea"), on: [ground],
                    since: Self.start)
            ],
            at: Self.start)
        let values = mood.state.values
        mood.removeCauses("person:bea")
        #expect(mood.state.values == values)
        #expect(!String(decoding: try JSONEncoder().encode(mood), as: UTF8.self).lowercased().contains("bea"))
    }

    @Test("A cause about inactivity is visible only to an asker who may see every event")
    func everything() {
        let cause = Cause(
            "quiet", .interaction, EmotionVector(boredom: 1), ParameterizedSentence("x"), needs: [.everything], since: Self.start)
        #expect(EmotionFixtures.owner.sees(cause))
        #expect(!RequesterVisibility(key: "person:ada", seesEverybody: true).sees(cause))
    }
}
