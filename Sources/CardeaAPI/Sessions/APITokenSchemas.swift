import CardeaModel

extension MakeAPITokenBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name],
        optional: [
            "grants": .list(of: .of(GrantBody.self), 0...32).about(
                "Omitted: all that the role allows. Empty only with `records_events`: nothing else"),
            "role": .text(example: "member").about("Omitted: the creator's"),
            "expires_at": .time.about("Omitted: valid until it is revoked"),
            "records_events": .boolean.about("True lets it record events"),
        ])
    public static let example: JSONValue? = [
        "name": "Kitchen display", "grants": [["device_id": "front-door", "actions": ["lock"]]],
    ]
}

extension APITokenAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "token_id": .id, "name": .text(), "role": .enumeration(Role.self), "created_at": .time,
            "records_events": .boolean.about("True if it may record events"),
        ],
        optional: [
            "grants": .list(of: .of(GrantBody.self)).about("Absent: all that the role allows"),
            "expires_at": .time.about("Absent: valid until it is revoked"), "last_used_at": .time.about("Since the hub's start"),
            "token": .text().about("Shown once, in the answer that creates it"),
        ])
}

extension APITokensAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["tokens": .list(of: .of(APITokenAnswer.self)), "total": .integer()])
}
