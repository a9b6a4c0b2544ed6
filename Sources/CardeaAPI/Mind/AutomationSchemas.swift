import CardeaModel

extension Schema {
    fileprivate static let weekdays = list(of: word(Weekday.self), 1...14)
    fileprivate static let thing = text(1...128)
    fileprivate static let bound = number(-1e12...1e12)
    fileprivate static let word64 = text(1...64)

    fileprivate static func part(
        _ type: String, _ required: KeyValuePairs<String, Schema> = [:], optional: KeyValuePairs<String, Schema> = [:]
    ) -> Schema {
        var schema = body(required, optional: optional)
        schema.add("type", .constant(.string(type)))
        return schema
    }
}

extension AutomationTrigger: Described {
    public static let schema = Schema.either(
        .part(
            "state", ["entity_id": .thing, "to": .word64],
            optional: ["for_seconds": .integer(0...AutomationTrigger.longest).about("For how long it must stay so")]),
        .part("number", ["entity_id": .thing, "above": .bound]), .part("number", ["entity_id": .thing, "below": .bound]),
        .part("presence", ["change": .words(["last_leaves", "first_arrives"])]),
        .part("presence", ["change": .words(["leaves", "arrives"]), "person_id": .thing]),
        .part("time", ["at": .timeOfDay], optional: ["weekdays": .weekdays.about("Every day when left out")]),
        .part("seen", ["event_type": .thing], optional: ["camera_id": .thing]),
        .part("refused", optional: ["device_id": .thing]), .part("offline", ["device_id": .thing]))
    public static let example: JSONValue? = ["type": "presence", "change": "last_leaves"]
}

extension AutomationCondition: Described {
    public static let schema = Schema.either(
        .part("state", ["entity_id": .thing, "is": .word64]), .part("time", ["from": .timeOfDay, "to": .endOfHours]),
        .part("weekdays", ["weekdays": .weekdays]), .part("home", ["who": .word(Who.self)]),
        .part("all", ["conditions": .list(of: .of(AutomationCondition.self), 1...Automation.mostConditions)]),
        .part("any", ["conditions": .list(of: .of(AutomationCondition.self), 1...Automation.mostConditions)]),
        .part("not", ["condition": .of(AutomationCondition.self)]),
        .part("independent", ["conditions": .list(of: .of(AutomationCondition.self), 2...Automation.mostConditions)])
    ).about("At most \(Automation.depth) in each other")
    public static let example: JSONValue? = ["type": "home", "who": "nobody"]
}

extension AutomationAction: Described {
    public static let schema = Schema.either(
        .part("control", ["device_id": .thing, "action": .text(example: "lock")], optional: ["entity_id": .thing, "value": .anything]),
        .part("scene", ["scene_id": .thing]),
        .part(
            "notify", ["words": .text(1...AutomationAction.longestWords)],
            optional: ["to": .word(Recipients.self).about("The owner unless said")]))
    public static let example: JSONValue? = ["type": "control", "device_id": "front-door", "action": "lock"]
}

extension AutomationBody: Described {
    public static let schema = Schema.body(
        [
            "name": .name, "triggers": .list(of: .of(AutomationTrigger.self), 1...Automation.mostTriggers).about("Any one is enough"),
            "actions": .list(of: .of(AutomationAction.self), 1...Automation.mostActions).about("Done in this order"),
        ],
        optional: [
            "is_on": .flag.about("True when left out"),
            "conditions": .list(of: .of(AutomationCondition.self), 0...Automation.mostConditions).about("All of them hold"),
        ])
    public static let example: JSONValue? = [
        "name": "Everybody out", "triggers": [["type": "presence", "change": "last_leaves"]],
        "actions": [
            ["type": "control", "device_id": "front-door", "action": "lock"],
            ["type": "notify", "words": "Everybody has left. The front door is locked.", "to": "owner"],
        ],
    ]
}

extension AutomationAnswer: Described {
    public static let schema = Schema.answer([
        "automation_id": .id, "name": .text(), "owner": .id.about("The person who answers for it"), "is_on": .flag,
        "off_because": .words(Automation.OffReason.allCases.map(\.rawValue)).orNull.about("Why the house itself switched it off"),
        "triggers": .list(of: .of(AutomationTrigger.self)), "conditions": .list(of: .of(AutomationCondition.self)),
        "actions": .list(of: .of(AutomationAction.self)), "version": .version,
        "created_at": .time, "changed_at": .time,
    ])
}

extension AutomationsAnswer: Described {
    public static let schema = Schema.answer(["automations": .list(of: .of(AutomationAnswer.self)), "total": .integer(from: 0)])
}

extension AutomationRunAnswer: Described {
    public static let schema = Schema.answer([
        "run_id": .id, "at": .time, "result": .word(AutomationRun.Result.self), "trigger": .integer(from: 0).orNull, "event": .id.orNull,
        "is_dry": .flag,
        "outcomes": .list(
            of: .answer([
                "type": .word(AutomationAction.Word.self), "device_id": .deviceID.orNull, "entity_id": .entityID.orNull,
                "action": .word(Verb.self).orNull, "status": .text(example: "confirmed"), "reason": .text().orNull,
                "command_id": .id.orNull,
            ])),
        "unknown_entities": .list(of: .entityID).about("Whose word its conditions waited for"),
    ])
}

extension AutomationHistoryAnswer: Described {
    public static let schema = Schema.answer(["automation_id": .id, "runs": .list(of: .of(AutomationRunAnswer.self)), "has_more": .flag])
}

extension AutomationTrialBody: Described {
    public static let schema = Schema.body(optional: ["days": .integer(1...30).about("7 when left out")])
    public static let example: JSONValue? = ["days": 7]
}

extension AutomationTrialAnswer: Described {
    public static let schema = Schema.answer([
        "automation_id": .id, "from": .time, "to": .time, "happenings": .integer(from: 0), "total": .integer(from: 0),
        "runs": .list(of: .of(AutomationRunAnswer.self)).about("The last \(AutomationTrialAnswer.most), oldest first"),
    ])
}

extension PresenceBody: Described {
    public static let schema = Schema.body(["is_home": .flag])
    public static let example: JSONValue? = ["is_home": true]
}

extension PresenceAnswer: Described {
    public static let schema = Schema.answer(["person_id": .id, "is_home": .flag, "since": .time])
}
