import CardeaMind
import CardeaModel
import Foundation

/// Current and past states.
extension QuestionSetBuilder {
    mutating func states() {
        let truth = truth
        let upstairs: Set<String> = ["study", "bedroom", "bathroom"]
        let burning = truth.lights("on")
        let ways = ["lock.back_door", "lock.front_door", "cover.garage"]
        let panes = ["binary_sensor.kitchen_window", "binary_sensor.bedroom_window"]
        each(
            [
                "Is anything still on upstairs?", "is anything on upstairs?", "is something still on upstairs", "what is on upstairs?",
                "what's still on upstairs", "is anyting on upstairs?", "anything on upstairs?",
            ], .devices(truth.lights("on", in: upstairs)), about: .states(of: truth.lights("on", in: upstairs)))
        each(
            [
                "Which lights are on?", "what lights are on?", "are any lights on?", "which lamps are on", "show me which lights are on",
                "which ligths are on?", "is any light on?", "are there any lights on",
            ], .devices(burning), about: .states(of: burning))
        each(
            ["which lights are on downstairs?", "are any lights on downstairs?"],
            .devices(burning.subtracting(truth.lights("on", in: upstairs))),
            about: .states(of: burning.subtracting(truth.lights("on", in: upstairs))))
        each(["how many lights are on?", "how many lamps are on"], .count(burning.count), about: .states(of: burning))
        each(
            ["is the back door locked?", "Is the back door locked now?", "is the back dor locked", "is the back door closed?"],
            .truth(true), about: .states(of: ["lock.back_door"]))
        each(["is the back door open?", "is the back door unlocked?"], .truth(false), about: .states(of: ["lock.back_door"]))
        each(
            ["is the garage open?", "is the garage door open", "did I leave the garage open?"], .truth(false),
            about: .states(of: ["cover.garage"]))
        each(["is the television on?"], .truth(false), about: .states(of: ["media.tv"]))
        each(["are all doors locked?", "are all the doors locked", "is everything locked?"], .truth(true), about: .states(of: ways))
        each(["is anything unlocked?", "which doors are unlocked?", "are any doors unlocked?"], .devices([]), about: .states(of: ways))
        each(
            [
                "which windows are open?", "are any windows open?", "is a window open?", "is any window open upstairs?",
                "which windows are open upstairs",
            ], .devices(["bedroom-window"]), about: .states(of: ["bedroom-window"]))
        each(
            ["is the kitchen window closed?", "is the window in the kitchen closed"], .truth(true),
            about: .states(of: ["binary_sensor.kitchen_window"]))
        each(["is the hall light on?"], .truth(true), about: .states(of: ["light.hall"]))
        each(["is the sofa lamp on?"], .truth(true), about: .states(of: ["light.sofa"]))
        each(["is the desk lmap on"], .truth(true), about: .states(of: ["light.desk"]))
        each(["are all lights off?"], .truth(false), about: .states(of: burning))
        each(
            ["are all the lights off upstairs?", "are all lights off in the study?"], .truth(false),
            about: .states(of: truth.lights("on", in: upstairs)))
        each(
            ["is anything on in the kitchen?", "what is on in the kitchen?"], .devices([]),
            about: .states(of: ["kitchen-light", "counter-light", "switch.coffee"]))
        each(["are any lights on in the bedroom"], .devices([]), about: .states(of: ["bedroom-light"]))
        each(
            [
                "which devices are offline?", "what is offline?", "is anything offline?", "are any devices unreachable?",
                "is any sensor offline", "which devices are not responding",
            ], .devices(["cellar-sensor"]), about: .reachability(of: ["cellar-sensor"]))
        each(
            ["when did the cellar sensor go offline?", "how long has the cellar sensor been offline"], .moment(GroundTruth.at(-2, "05:40")),
            about: .reachability(of: ["cellar-sensor"]))
        each(["was the study sensor offline on 26 October?"], .truth(true), about: .reachability(of: ["study-sensor"]))
        each(
            [
                "list the lights in the kitchen", "which lights are in the kitchen?", "show me the lights in the kitchen",
                "what lights are there in the kitchen?", "what lights do we have in the kitchen",
            ], .devices(["kitchen-light", "counter-light"]), about: .nothing)
        each(["how many lights are there upstairs?", "how many lights are upstairs"], .count(5), about: .nothing)
        each(["how many windows are there?", "how many windows do we have?"], .count(2), about: .nothing)
        each(["list the windows", "which windows do we have?"], .devices(["kitchen-window", "bedroom-window"]), about: .nothing)
        each(["which rooms are upstairs?", "what rooms are there upstairs"], .rooms(upstairs), about: .nothing)
        each(
            ["which batteries are low?", "is any battery low?", "are any batteries running low", "which baterries are low?"],
            .devices(["bedroom-sensor"]), about: .number(of: ["sensor.bedroom_battery"]))
        each(["was the garage open yesterday?"], .truth(true), about: .actions(to: ["cover.garage"]))
        each(["was the television on yesterday evening?"], .truth(true), about: .actions(to: ["media.tv"]))
        each(["was the back door unlocked yesterday"], .truth(true), about: .actions(to: ["lock.back_door"]))
        // Each of them is checked from beginning to end; a house is locked only with its garage shut.
        func all(_ wanted: [String: String], _ from: Date, _ to: Date, _ sentences: [String]) {
            each(
                sentences, .truth(wanted.allSatisfy { truth.duration($0, $1, from, to) == to.timeIntervalSince(from) }),
                about: .states(of: wanted.keys))
        }
        let doors = ["lock.back_door": "locked", "lock.front_door": "locked", "cover.garage": "closed"]
        let windows = ["binary_sensor.kitchen_window": "off", "binary_sensor.bedroom_window": "off"]
        let at = GroundTruth.at
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
        each(
            ["what is the state of the television?", "what's the status of the television"], .exactText("The television is off."),
            about: .states(of: ["media.tv"]))
        // Several kinds in one question are each answered.
        each(
            [
                "which lamps and fans are in the bathroom?", "lamps and fans in the bathroom?",
                "list the lights and the fans in the bathroom",
                "which lamps and fasn are in the bathroom?",
            ], .devices(["mirror-light", "bathroom-fan"]), about: .nothing)
        each(
            ["which lights and windows are in the kitchen?", "lights and windows in the kitchen"],
            .devices(["kitchen-light", "counter-light", "kitchen-window"]), about: .nothing)
        each(
            [
                "are any doors or windows open?", "which doors and windows are open?", "are all doors and windows closed?",
                "is any door or window open?", "which doors and widnows are open?",
            ], .devices(["bedroom-window"]), about: .states(of: ways + panes))
        each(
            ["are the lamps and fans in the bathroom on?", "is any lamp or fan on in the bathroom?"], .devices([]),
            about: .states(of: ["mirror-light", "bathroom-fan"]))
    }
}
