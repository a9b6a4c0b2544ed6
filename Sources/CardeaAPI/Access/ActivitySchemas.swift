import CardeaModel

extension ActivityEntry: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "id": .integer().about("Rises without a gap"), "at": .time,
            "who": .answer(
                ["kind": .enumeration(["person", "guest", "system", "stranger", "erased"])], optional: ["id": .id, "name": .text()]
            ).about("`kind` is `person guest system stranger erased`"),
            "action": .text(example: "door.open").about("The requested action, or an operation"),
            "result": .enumeration(results),
        ],
        optional: [
            "via": .answer(["kind": .enumeration(["automation", "api_token", "button", "tag"])], optional: ["id": .id, "name": .text()])
                .about("The automation, program, button or tag that acted in their name; `name` is absent once it is deleted"),
            "device_id": .deviceID, "device_name": .text(), "entity_id": .entityID, "reason": .text().about("A code"), "command_id": .id,
            "remote": .text().about("The address of the request"),
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
            "ask_id": .id.about("The command's id, or the phone's"), "kind": .enumeration(["pairing", "command"]), "guest_id": .id,
            "guest_name": .text(), "asked_at": .time,
            "expires_at": .time,
        ],
        optional: [
            "device_id": .deviceID, "device_name": .text(), "action": .text().about("Only for `command`"), "command_id": .id,
            "number": .text(4...4).about("The four digits that the asking phone shows; only for `pairing`"),
            "replaces_phone": .boolean.about("True if approval takes the pass from the phone that has it"),
            "is_second_phone": .boolean.about("True if another phone asked for the same pass before"),
        ])
}

extension AsksAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["asks": .list(of: .of(AskAnswer.self))])
}

extension ExplainBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["device_id": .deviceID, "action": .action],
        optional: [
            "guest_id": .id.about("Either this or `person_id`"), "person_id": .id.about("Either this or `guest_id`"),
            "entity_id": .entityID, "at": .time.about("Omitted: now"),
            "remote": .boolean.about("True: as if asked from outside the house's network"),
        ])
}

extension ExplainAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "decision": .enumeration(["allow", "deny", "ask"]), "details": .map().about("Fields of the reason; `answered_by` with `ask`"),
            "checks": .list(of: .answer(["check": .text(), "passed": .boolean], optional: ["detail": .text()])).about(
                "The checks of the gate"),
        ], optional: ["reason": .text(example: "outside_schedule"), "grant_id": .id.about("The grant that allows it")])
}
