import CardeaModel

extension PresenceBody: SchemaRepresentable {
    public static let schema = Schema.body(["is_home": .boolean])
    public static let example: JSONValue? = ["is_home": true]
}

extension PresenceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["person_id": .id, "is_home": .boolean, "since": .time])
}

extension PresenceSourceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "candidates": .list(
                of: .answer([
                    "integration": .text(example: "home-assistant"), "entity_id": .text(example: "person.ann"), "name": .text(),
                ]))
        ],
        optional: [
            "linked": .answer(
                ["integration": .text(example: "home-assistant"), "linked_at": .time],
                optional: [
                    "entity_id": .text(example: "person.ann").about("Absent while the integration is disconnected"), "name": .text(),
                ])
        ])
}

extension PresenceSourceBody: SchemaRepresentable {
    public static let schema = Schema.body(["entity_id": .text(example: "person.ann").about("One of the candidates")])
}
