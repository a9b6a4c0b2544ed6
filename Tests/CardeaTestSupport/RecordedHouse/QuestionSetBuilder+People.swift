import CardeaMind
import CardeaModel
import Foundation

/// People, visitors, refusals.
extension QuestionSetBuilder {
    mutating func people() {
        let (truth, keys, at) = (truth, truth.house.keys, GroundTruth.at)
        func whoIs(_ isHome: Bool, _ asker: RecordedHouse.Asker) -> LabelledQuestion.Expected {
            let these = truth.house.snapshot.people.filter {
                $0.isHome == isHome && (asker.isManager || $0.key == truth.house.key(of: asker))
            }
            return .people(Set(these.map(\.key)))
        }
        func isHome(_ who: String, _ isSo: Bool, _ sentences: [String]) {
            ask(sentences, about: .presence(of: [who])) { truth.house.reveals(who, to: $0) ? .truth(isSo) : .unknown }
        }
        ask(
            [
                "Who is home?", "who's home?", "who is at home now", "is anyone home?", "who is in the house?", "is anybody at home",
                "who is hoem?",
            ], about: .presence(of: truth.house.snapshot.people.map(\.key))
        ) { whoIs(true, $0) }
        ask(
            ["who is away?", "who is not home?", "who is out of the house"], about: .presence(of: truth.house.snapshot.people.map(\.key))
        ) { whoIs(false, $0) }
        isHome(keys.dan, false, ["is Dan home?", "is Dan at home", "is dan in the house?"])
        isHome(keys.dan, false, ["has Dan been home this week?", "was Dan home this week?"])
        isHome(keys.ben, true, ["is Ben home?", "is Ben at home?"])
        func came(_ isHome: Bool, _ who: String, _ from: Date, _ to: Date, _ sentences: [String]) {
            guard let found = truth.presence(isHome, from, to, of: who).last else { return }
            ask(sentences, about: .presence(of: [who])) { truth.house.reveals(who, to: $0) ? .moment(found.at) : .unknown }
        }
        came(
            true, keys.ben, at(-1, "00:00"), at(0, "00:00"),
            [
                "When did Ben come home yesterday?", "when did Ben get home yesterday", "when did ben arrive yesterday?",
                "at what time did Ben come back yesterday?", "when did Ben return yesterday",
            ])
        came(
            false, keys.dan, .distantPast, GroundTruth.now,
            ["When did Dan leave?", "when did Dan leave the house", "when did Dan go out?", "when did Dan last leave?"])
        came(
            false, keys.ada, at(0, "05:00"), at(0, "12:00"),
            ["when did Ada leave this morning?", "when did Ada leave home this morning"])
        func whoMoved(_ isHome: Bool, _ from: Date, _ to: Date, _ sentences: [String]) {
            let moved = truth.presence(isHome, from, to).compactMap(\.actor)
            ask(sentences) { asker in .people(Set(moved.filter { truth.house.reveals($0, to: asker) })) }
        }
        whoMoved(true, at(-1, "00:00"), at(0, "00:00"), ["who came home yesterday?"])
        whoMoved(false, at(0, "05:00"), at(0, "12:00"), ["who left this morning?", "who left the house this morning"])
        ask(["who left first this morning?"]) { .people([$0 == .member ? keys.cleo : keys.ben]) }
        ask(
            [
                "when did I come home?", "when I came home", "when did I get home", "at what time did I come home",
                "when did I come hoem?", "when did I aririve?",
            ]
        ) { truth.lastPresence(true, of: $0).map { .moment($0) } }
        ask(["when did I leave?"]) { truth.lastPresence(false, of: $0).map { .moment($0) } }
        // A person away since Sunday neither came nor left today.
        func movedToday(_ isHome: Bool, _ asker: RecordedHouse.Asker) -> LabelledQuestion.Expected? {
            guard let last = truth.lastPresence(isHome, of: asker) else { return nil }
            return last < at(0, "00:00") ? .exactText(isHome ? "You did not come home today." : "You did not leave today.") : .moment(last)
        }
        ask(["When did I come home today?"]) { movedToday(true, $0) }
        ask(["when did I leave the house today?"]) { movedToday(false, $0) }

        func saw(_ type: String?, _ from: Date, _ to: Date, _ sentences: [String]) {
            let found = truth.seen(type, from, to)
            each(sentences, .events(found.suffix(4).map(\.id)))
        }
        saw(
            nil, at(0, "00:00"), GroundTruth.now,
            [
                "Who was at the door today?", "who came to the door today?", "was anyone at the door today?",
                "did anyone come to the door today", "did the camera see anyone today?", "who was at the front door today?",
            ])
        saw(
            nil, at(-1, "00:00"), at(0, "00:00"),
            ["who was at the door yesterday?", "what did the cameras see yesterday", "were there any visitors yesterday?"])
        saw(
            "package", at(-3, "00:00"), GroundTruth.now,
            ["were there any packages this week?", "was a parcel delivered this week?", "any deliveries this week"])
        saw(
            "ring", at(0, "00:00"), GroundTruth.now,
            ["did anyone ring the bell today?", "who rang the bell today?", "did the doorbell ring today?", "who rang today"])

        func refused(_ from: Date, _ to: Date, by who: String? = nil, _ sentences: [String]) {
            let found = truth.refused(from, to, by: who)
            ask(sentences) { asker in
                who == nil || truth.house.reveals(who, to: asker)
                    ? .events(found.filter { truth.house.reveals($0.actor, to: asker) }.suffix(4).map(\.id)) : .unknown
            }
        }
        refused(
            at(-10, "00:00"), at(-3, "00:00"),
            [
                "Was anyone refused last week?", "was anybody denied access last week?", "who was refused last week?",
                "did anyone try in vain last week", "did anyone try to open the garage and was refused last week?",
                "list the refusals last week",
            ])
        refused(at(0, "00:00"), GroundTruth.now, ["who was refused today?", "was anyone refused today"])
        refused(at(-10, "00:00"), at(-3, "00:00"), by: keys.greta, ["was Greta refused last week?"])
        refused(at(0, "00:00"), GroundTruth.now, by: keys.greta, ["was Greta refused today?"])
        ask(["what did Ben do yesterday?", "what has Ben done yesterday?"]) { asker in
            truth.house.reveals(keys.ben, to: asker)
                ? .events(
                    truth.actions(at(-1, "00:00"), at(0, "00:00")) { $0.actor == keys.ben }.suffix(5).map(\.id),
                    saying: [asker == .inviter ? "you" : "Ben"]) : .unknown
        }
        ask(["what happened in the garage yesterday?", "what went on in the garage yesterday"]) {
            $0.isManager
                ? .events(
                    truth.actions(at(-1, "00:00"), at(0, "00:00")) { $0.deviceID == "garage-door" }.suffix(5).map(\.id),
                    saying: ["garage door", "18:"]) : nil
        }
    }
}
