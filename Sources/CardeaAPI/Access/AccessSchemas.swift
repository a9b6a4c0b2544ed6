import CardeaModel

extension ActivityEntry: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "id": .integer(), "at": .time,
            "who": .answer(
                ["kind": .enumeration(["person", "guest", "system", "stranger", "erased"])], optional: ["id": .id, "name": .text()]),
            "action": .text(example: "door.open").about("The requested action, or the action performed"),
            "result": .enumeration(results),
        ],
        optional: [
            "via": .answer(["kind": .enumeration(["automation", "api_token", "button", "tag"])], optional: ["id": .id, "name": .text()])
                .about("The automation, program, button or tag that acted for the person"),
            "device_id": .deviceID, "device_name": .text(), "entity_id": .entityID, "reason": .text(), "command_id": .id, "remote": .text(),
        ])

    static let results = ["allowed", "asked", "refused", "confirmed", "failed", "unknown", "expired", "done", "paired", "read"]
}

extension ActivityAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["entries": .list(of: .of(ActivityEntry.self))], optional: ["next_before": .integer().about("Cursor of the next page")])
}

extension AskAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "ask_id": .id, "kind": .enumeration(["pairing", "command"]), "guest_id": .id, "guest_name": .text(), "asked_at": .time,
            "expires_at": .time,
        ],
        optional: [
            "device_id": .deviceID, "device_name": .text(), "action": .text(), "command_id": .id,
            "number": .text(4...4).about("The number shown on the phone that asks for the pass"),
            "replaces_phone": .boolean.about("True if approval takes the pass from the phone that holds it"),
            "is_second_phone": .boolean.about("True if another phone asked for the same pass earlier"),
        ])
}

extension AsksAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["asks": .list(of: .of(AskAnswer.self))])
}

extension ExplainBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["device_id": .deviceID, "action": .action],
        optional: [
            "guest_id": .id.about("A pass, or"), "person_id": .id.about("somebody of the house"), "entity_id": .entityID, "at": .time,
            "remote": .boolean.about("True to evaluate as a caller outside the house's network"),
        ])
}

extension ExplainAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "decision": .enumeration(["allow", "deny", "ask"]), "details": .map(),
            "checks": .list(of: .answer(["check": .text(), "passed": .boolean], optional: ["detail": .text()])),
        ], optional: ["reason": .text(example: "outside_schedule"), "grant_id": .id])
}
