import CardeaModel

extension Schema {
    fileprivate static let weekdays = list(of: enumeration(Weekday.self), 1...14)
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

extension AutomationTrigger: SchemaRepresentable {
    public static let schema = Schema.either(
        .part(
            "state", ["entity_id": .thing, "to": .word64],
            optional: ["for_seconds": .integer(0...AutomationTrigger.maximumDuration).about("Time for which the condition must hold")]),
        .part("number", ["entity_id": .thing, "above": .bound]), .part("number", ["entity_id": .thing, "below": .bound]),
        .part("presence", ["change": .enumeration(["last_leaves", "first_arrives"])]),
        .part("presence", ["change": .enumeration(["leaves", "arrives"]), "person_id": .thing]),
        .part("time", ["at": .timeOfDay], optional: ["weekdays": .weekdays.about("Default: every day")]),
        .part("seen", ["event_type": .thing], optional: ["camera_id": .thing]),
        .part("refused", optional: ["device_id": .thing]), .part("offline", ["device_id": .thing]))
    public static let example: JSONValue? = ["type": "presence", "change": "last_leaves"]
}

extension AutomationCondition: SchemaRepresentable {
    public static let schema = Schema.either(
        .part("state", ["entity_id": .thing, "is": .word64]), .part("time", ["from": .timeOfDay, "to": .endTimeOfDay]),
        .part("weekdays", ["weekdays": .weekdays]), .part("home", ["who": .enumeration(PresenceScope.self)]),
        .part("all", ["conditions": .list(of: .of(AutomationCondition.self), 1...Automation.conditionLimit)]),
        .part("any", ["conditions": .list(of: .of(AutomationCondition.self), 1...Automation.conditionLimit)]),
        .part("not", ["condition": .of(AutomationCondition.self)]),
        .part("independent", ["conditions": .list(of: .of(AutomationCondition.self), 2...Automation.conditionLimit)])
    ).about("At most \(Automation.depthLimit) levels")
    public static let example: JSONValue? = ["type": "home", "who": "nobody"]
}

extension AutomationAction: SchemaRepresentable {
    public static let schema = Schema.either(
        .part("control", ["device_id": .thing, "action": .text(example: "lock")], optional: ["entity_id": .thing, "value": .anything]),
        .part("scene", ["scene_id": .thing]),
        .part(
            "notify", ["words": .text(1...AutomationAction.textLimit)],
            optional: ["to": .enumeration(Recipients.self).about("Default: the owner")]))
    public static let example: JSONValue? = ["type": "control", "device_id": "front-door", "action": "lock"]
}

extension AutomationBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "name": .name, "triggers": .list(of: .of(AutomationTrigger.self), 1...Automation.triggerLimit).about("One of them is enough"),
            "actions": .list(of: .of(AutomationAction.self), 1...Automation.actionLimit).about("Executed in this order"),
        ],
        optional: [
            "is_on": .boolean.about("Default true"),
            "conditions": .list(of: .of(AutomationCondition.self), 0...Automation.conditionLimit).about("All of them must hold"),
        ])
    public static let example: JSONValue? = [
        "name": "Everybody out", "triggers": [["type": "presence", "change": "last_leaves"]],
        "actions": [
            ["type": "control", "device_id": "front-door", "action": "lock"],
            ["type": "notify", "words": "Everybody has left. The front door is locked.", "to": "owner"],
        ],
    ]
}

extension AutomationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "automation_id": .id, "name": .text(), "owner": .id.about("The person whose rights it uses"), "is_on": .boolean,
        "off_because": .enumeration(Automation.OffReason.allCases.map(\.rawValue)).orNull.about(
            "The reason why the house itself switched it off"),
        "triggers": .list(of: .of(AutomationTrigger.self)), "conditions": .list(of: .of(AutomationCondition.self)),
        "actions": .list(of: .of(AutomationAction.self)), "version": .version,
        "created_at": .time, "changed_at": .time,
    ])
}

extension AutomationsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["automations": .list(of: .of(AutomationAnswer.self)), "total": .integer(from: 0)])
}

extension AutomationRunAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "run_id": .id, "at": .time, "result": .enumeration(AutomationRun.Result.self),
        "trigger": .integer(from: 0).orNull.about("The number of the trigger, from 0"),
        "event": .id.orNull.about("The event that started the run"),
        "is_dry": .boolean.about("True for a run in which no device was moved"),
        "outcomes": .list(
            of: .answer([
                "type": .enumeration(AutomationAction.Kind.self), "device_id": .deviceID.orNull, "entity_id": .entityID.orNull,
                "action": .enumeration(Verb.self).orNull, "status": .text(example: "confirmed"), "reason": .text().orNull,
                "command_id": .id.orNull,
            ])),
        "unknown_entities": .list(of: .entityID).about(
            "The entities with an unknown state that the conditions needed; empty in any run that is not `not_known`"),
    ])
}

extension AutomationHistoryAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["automation_id": .id, "runs": .list(of: .of(AutomationRunAnswer.self)), "has_more": .boolean])
}

extension AutomationTrialBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["days": .integer(1...30).about("Default 7")])
    public static let example: JSONValue? = ["days": 7]
}

extension AutomationTrialAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "automation_id": .id, "from": .time, "to": .time, "happenings": .integer(from: 0), "total": .integer(from: 0),
        "runs": .list(of: .of(AutomationRunAnswer.self)).about("The last \(AutomationTrialAnswer.maxRuns), oldest first"),
    ])
}
