import CardeaMind
import CardeaModel
import Foundation

/// How things stand.
extension Labels {
    mutating func standing() {
        let truth = truth
        let upstairs: Set<String> = ["study", "bedroom", "bathroom"]
        each(
            [
                "Is anything still on upstairs?", "is anything on upstairs?", "is something still on upstairs", "what is on upstairs?",
                "what's still on upstairs", "is anyting on upstairs?", "anything on upstairs?",
            ], .devices(truth.lights("on", in: upstairs)))
        each(
            [
                "Which lights are on?", "what lights are on?", "are any lights on?", "which lamps are on", "show me which lights are on",
                "which ligths are on?", "is any light on?", "are there any lights on",
            ], .devices(truth.lights("on")))
        each(
            ["which lights are on downstairs?", "are any lights on downstairs?"],
            .devices(truth.lights("on").subtracting(truth.lights("on", in: upstairs))))
        each(["how many lights are on?", "how many lamps are on"], .count(truth.lights("on").count))
        each(
            ["is the back door locked?", "Is the back door locked now?", "is the back dor locked", "is the back door closed?"],
            .truth(true), about: "back-door")
        each(
            [
                "is the back door open?", "is the back door unlocked?", "is the garage open?", "is the garage door open",
                "did I leave the garage open?", "is the television on?",
            ], .truth(false))
        each(["are all doors locked?", "are all the doors locked", "is everything locked?"], .truth(true))
        each(["is anything unlocked?", "which doors are unlocked?", "are any doors unlocked?"], .devices([]))
        each(
            [
                "which windows are open?", "are any windows open?", "is a window open?", "is any window open upstairs?",
                "which windows are open upstairs",
            ], .devices(["bedroom-window"]))
        each(
            [
                "is the kitchen window closed?", "is the window in the kitchen closed", "is the hall light on?", "is the sofa lamp on?",
                "is the desk lmap on",
            ], .truth(true))
        each(["are all lights off?", "are all the lights off upstairs?", "are all lights off in the study?"], .truth(false))
        each(["is anything on in the kitchen?", "what is on in the kitchen?", "are any lights on in the bedroom"], .devices([]))
        each(
            [
                "which devices are offline?", "what is offline?", "is anything offline?", "are any devices unreachable?",
                "is any sensor offline", "which devices are not responding",
            ], .devices(["cellar-sensor"]))
        each(["when did the cellar sensor go offline?", "how long has the cellar sensor been offline"], .moment(Truth.at(-2, "05:40")))
        each(["was the study sensor offline on 26 October?"], .truth(true))
        each(
            [
                "list the lights in the kitchen", "which lights are in the kitchen?", "show me the lights in the kitchen",
                "what lights are there in the kitchen?", "what lights do we have in the kitchen",
            ], .devices(["kitchen-light", "counter-light"]))
        each(["how many lights are there upstairs?", "how many lights are upstairs"], .count(5))
        each(["how many windows are there?", "how many windows do we have?"], .count(2))
        each(["list the windows", "which windows do we have?"], .devices(["kitchen-window", "bedroom-window"]))
        each(["which rooms are upstairs?", "what rooms are there upstairs"], .says(["Study", "Bedroom", "Bathroom"]))
        each(
            ["which batteries are low?", "is any battery low?", "are any batteries running low", "which baterries are low?"],
            .devices(["bedroom-sensor"]))
        each(
            ["was the garage open yesterday?", "was the television on yesterday evening?", "was the back door unlocked yesterday"],
            .truth(true))
        // Of all of them it is asked whether each stood so from beginning to end; a house is locked when its garage is shut as well.
        func all(_ wanted: [String: String], _ from: Date, _ to: Date, _ sentences: [String]) {
            each(sentences, .truth(wanted.allSatisfy { truth.length($0, $1, from, to) == to.timeIntervalSince(from) }))
        }
        let doors = ["lock.back_door": "locked", "lock.front_door": "locked", "cover.garage": "closed"]
        let windows = ["binary_sensor.kitchen_window": "off", "binary_sensor.bedroom_window": "off"]
        let at = Truth.at
        all(
            doors, at(-1, "20:00"), at(0, "06:00"),
            [
                "Were all the doors locked last night?", "were all doors locked last night", "were the doors locked last night?",
                "was everything locked last night?",
            ])
        all(
            doors, at(-1, "18:00"), at(0, "00:00"),
            [
                "Were all the doors locked yesterday evening?", "was everything locked yesterday evening?",
                "were the doors locked yesterday evening",
            ])
        all(doors, at(-1, "00:00"), at(0, "00:00"), ["were all the doors locked yesterday?"])
        all(["lock.back_door": "locked"], at(-1, "18:00"), at(0, "00:00"), ["was the back door locked yesterday evening?"])
        all(["lock.back_door": "locked"], at(-2, "00:00"), at(-1, "00:00"), ["was the back door locked on Tuesday?"])
        all(windows, at(-1, "20:00"), at(0, "06:00"), ["were all the windows closed last night?", "were all windows shut last night"])
        all(windows, at(-2, "00:00"), at(-1, "00:00"), ["were all the windows closed on Tuesday?"])
        each(["what is the state of the television?", "what's the status of the television"], .says(["television", "off"]))
        // Several kinds in one breath are each answered.
        each(
            [
                "which lamps and fans are in the bathroom?", "lamps and fans in the bathroom?",
                "list the lights and the fans in the bathroom",
                "which lamps and fasn are in the bathroom?",
            ], .devices(["mirror-light", "bathroom-fan"]))
        each(
            ["which lights and windows are in the kitchen?", "lights and windows in the kitchen"],
            .devices(["kitchen-light", "counter-light", "kitchen-window"]))
        each(
            [
                "are any doors or windows open?", "which doors and windows are open?", "are all doors and windows closed?",
                "is any door or window open?", "which doors and widnows are open?",
            ], .devices(["bedroom-window"]))
        each(["are the lamps and fans in the bathroom on?", "is any lamp or fan on in the bathroom?"], .devices([]))
    }
}
