import CardeaModel

extension MakeAPITokenBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name],
        optional: [
            "grants": .list(of: .of(GrantBody.self), 0...32).about(
                "Left out: whatever the role may. Empty only with `records_events`: nothing but that"),
            "role": .text(example: "member").about("Left out: one's own"), "expires_at": .time.about("Left out: until it is revoked"),
            "records_events": .boolean.about("It may say what was seen at the house"),
        ])
    public static let example: JSONValue? = [
        "name": "Kitchen display", "grants": [["device_id": "front-door", "actions": ["lock"]]],
    ]
}

extension APITokenAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["token_id": .id, "name": .text(), "role": .enumeration(Role.self), "created_at": .time, "records_events": .boolean],
        optional: [
            "grants": .list(of: .of(GrantBody.self)), "expires_at": .time, "last_used_at": .time.about("Since the hub was started"),
            "token": .text().about("Shown once, by making it"),
        ])
}

extension APITokensAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["tokens": .list(of: .of(APITokenAnswer.self)), "total": .integer()])
}
