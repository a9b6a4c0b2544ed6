import CardeaMind
import CardeaModel
import Foundation

/// Questions about people who opened doors.
extension QuestionSetBuilder {
    mutating func doors() {
        let (truth, keys) = (truth, truth.house.keys)
        let (back, front, garage) = ("lock.back_door", "lock.front_door", "cover.garage")
        func who(_ entity: String, _ value: String, _ from: Date, _ to: Date, _ sentences: [String]) {
            ask(sentences) { .actions(truth.stateChanges(entity, value, from, to, seenBy: $0)) }
        }
        let at = GroundTruth.at
        who(
            back, "unlocked", at(-1, "18:00"), at(0, "00:00"),
            [
                "Who opened the back door yesterday evening?", "who unlocked the back door yesterday evening",
                "Yesterday evening, who opened the back door?",
                "who openned the back door yesteday evening", "who opened the bakc door yesterday evning?",
                "Tell me who opened the back door yesterday evening please",
                "which person opened the back door yesterday in the evening", "who opened the backdoor yesterday evening",
            ])
        who(
            front, "unlocked", at(0, "05:00"), at(0, "12:00"),
            [
                "Who opened the front door this morning?", "who unlocked the front door this morning",
                "this morning, who opened the front door?", "who opend the fornt door this mornign",
            ])
        who(
            front, "unlocked", at(-1, "00:00"), at(0, "00:00"),
            [
                "Who opened the front door yesterday?", "who unlocked the front door yesterday?",
                "by whom was the front door opened yesterday",
            ])
        who(
            front, "unlocked", at(-3, "00:00"), at(-2, "00:00"),
            [
                "Who opened the front door on Monday?", "who unlocked the front door on 2 November",
                "who opened the front door on November 2nd?", "who opened the front door on the 2nd of November 2026",
                "who opened the front door on 2026-11-02", "who opened the front door 3 days ago?",
            ])
        who(
            front, "unlocked", at(-7, "08:00"), at(-7, "10:00"),
            [
                "who opened the front door between 8 and 10 on 29 October?", "who opened the front door on 29 October from 8 to 10?",
                "who opened the front door on October 29 between 08:00 and 10:00",
            ])
        who(
            garage, "open", at(-1, "00:00"), at(0, "00:00"),
            [
                "Who opened the garage yesterday?", "who opened the garage door yesterday?", "who raised the garage door yesterday",
                "who openned the grage yesterday?",
            ])
        who(
            back, "unlocked", at(-8, "05:00"), at(-8, "18:00").addingTimeInterval(-21600),
            ["who opened the back door on 28 October in the morning?", "who opened the back door on the 28th of October in the morning"])
        who(
            back, "unlocked", at(-2, "00:00"), at(-1, "00:00"),
            [
                "Who opened the back door on Tuesday?", "who opened the back door the day before yesterday",
                "who opened the back door two days ago?", "who opened the back door on 3 November",
            ])
        who(
            "switch.coffee", "on", at(0, "05:00"), at(0, "12:00"),
            [
                "who turned on the coffee maker this morning?", "who switched the coffee maker on this morning",
                "who turned the cofee maker on this morning?",
            ])
        who(
            "media.tv", "off", at(-1, "20:00"), at(0, "06:00"),
            ["who turned off the television last night?", "who switched off the tv last night", "who turned the televison off last night?"])
        who(
            "light.hall", "on", at(-1, "00:00"), at(0, "00:00"),
            ["who turned on the hall light yesterday?", "who switched on the light in the hall yesterday?"])
        who(
            "binary_sensor.kitchen_window", "on", at(-2, "00:00"), at(-1, "00:00"),
            ["who opened the kitchen window on Tuesday?", "who opened the window in the kitchen on Tuesday?"])

        // The night of 24 to 25 October has 25 hours.
        who(
            front, "unlocked", at(-11, "00:00"), at(-10, "00:00"),
            ["who opened the front door on 25 October?", "who opened the front door on the 25th of October"])
        who(back, "unlocked", at(-12, "00:00"), at(-11, "00:00"), ["who opened the back door on 24 October?"])

        func times(_ entity: String, _ value: String, _ from: Date, _ to: Date, by: String? = nil, _ sentences: [String]) {
            let count = LabelledQuestion.Expected.count(truth.stateChanges(entity, value, from, to, by: by).count)
            ask(sentences, about: .actions(to: [entity])) { by == nil || truth.house.reveals(by, to: $0) ? count : .unknown }
        }
        times(
            front, "unlocked", at(-10, "00:00"), at(-3, "00:00"),
            [
                "How often was the front door opened last week?", "how many times was the front door unlocked last week",
                "how often did someone open the front door last week?", "how ofen was the front door opened last week",
            ])
        times(
            garage, "open", at(-10, "00:00"), at(-3, "00:00"), by: keys.ben,
            ["How often did Ben open the garage last week?", "how many times did Ben open the garage door last week?"])
        times(
            "binary_sensor.kitchen_window", "on", at(-35, "00:00"), at(-4, "00:00"),
            ["how often was the kitchen window opened last month?", "how many times was the kitchen window opened in October?"])
        times(
            back, "unlocked", at(-3, "00:00"), GroundTruth.now,
            ["how often was the back door opened this week?", "how often has the back door been unlocked since Monday?"])

        func last(_ entity: String, _ value: String, by: String? = nil, _ sentences: [String]) {
            guard let found = truth.stateChanges(entity, value, .distantPast, GroundTruth.now, by: by).last else { return }
            ask(sentences) { asker in
                let isShown = truth.house.reveals(found.actor, to: asker)
                return by == nil || isShown ? .lastAction(at: found.at, actor: isShown ? found.actor : nil) : .unknown
            }
        }
        last(
            garage, "open",
            [
                "When was the garage door last opened?", "when was the garage last opened", "who opened the garage last?",
                "when was the garage door opened",
            ])
        last(
            back, "unlocked",
            [
                "When was the back door last opened?", "when did someone last open the back door?", "who opened the back door?",
                "when was the back door last unlocked",
            ])
        last(
            "light.sofa", "on",
            ["when was the sofa lamp last turned on?", "when was the sofa lamp last on?", "when did somebody last turn the sofa lamp on"])
        last(garage, "open", by: keys.ben, ["when did Ben last open the garage?", "when did Ben open the garage?"])
        last(
            "binary_sensor.bedroom_window", "on",
            ["when was the bedroom window opened?", "when was the window in the bedroom last opened?"])

        func did(_ entity: String, _ value: String, _ from: Date, _ to: Date, by: String?, _ sentences: [String]) {
            let isSo = LabelledQuestion.Expected.truth(!truth.stateChanges(entity, value, from, to, by: by).isEmpty)
            ask(sentences, about: .actions(to: [entity])) { by == nil || truth.house.reveals(by, to: $0) ? isSo : .unknown }
        }
        did(
            back, "unlocked", at(-1, "00:00"), at(0, "00:00"), by: keys.ben,
            ["did Ben open the back door yesterday?", "has Ben unlocked the back door yesterday?"])
        did(back, "unlocked", at(-1, "00:00"), at(0, "00:00"), by: keys.ada, ["did Ada open the back door yesterday?"])
        did(
            garage, "open", at(-3, "00:00"), at(-2, "00:00"), by: nil,
            ["did anyone open the garage on Monday?", "was the garage opened on Monday?", "has somebody opened the garage on monday?"])
        did(
            back, "unlocked", at(-2, "00:00"), at(-1, "00:00"), by: nil,
            ["did anybody open the back door on Tuesday?", "was the back door opened on Tuesday?"])
        did(front, "unlocked", at(-2, "00:00"), at(-1, "00:00"), by: keys.greta, ["did Greta open the front door on Tuesday?"])
        did(back, "unlocked", at(-8, "00:00"), at(-7, "00:00"), by: keys.paul, ["did Paul open the back door on 28 October?"])

        func long(_ entity: String, _ value: String, _ from: Date, _ to: Date, _ sentences: [String]) {
            each(sentences, .seconds(truth.duration(entity, value, from, to)), about: .states(of: [entity]))
        }
        long(
            "media.tv", "on", at(-1, "00:00"), at(0, "00:00"),
            [
                "How long was the television on yesterday?", "how long was the tv on yesterday?",
                "for how long was the television running yesterday",
            ])
        long(
            "light.hall", "on", at(0, "00:00"), GroundTruth.now,
            ["how long has the hall light been on?", "for how long has the hall light been on"])
        long("binary_sensor.kitchen_window", "on", at(-2, "00:00"), at(-1, "00:00"), ["how long was the kitchen window open on Tuesday?"])
        long("cover.garage", "open", at(-1, "00:00"), at(0, "00:00"), ["how long was the garage open yesterday?"])
        long("binary_sensor.bedroom_window", "on", at(0, "18:40"), GroundTruth.now, ["how long has the bedroom window been open?"])
    }
}
