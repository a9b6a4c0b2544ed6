import CardeaModel

extension MakeAPITokenBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name],
        optional: [
            "grants": .list(of: .of(GrantBody.self), 0...32).about(
                "Omitted: everything the role allows. Empty only with `records_events`, which then is its only right"),
            "role": .text(example: "member").about("Omitted: the caller"), "expires_at": .time.about("Omitted: until it is revoked"),
            "records_events": .boolean.about("True if it may record events"),
        ])
    public static let example: JSONValue? = [
        "name": "Kitchen display", "grants": [["device_id": "front-door", "actions": ["lock"]]],
    ]
}

extension APITokenAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["token_id": .id, "name": .text(), "role": .enumeration(Role.self), "created_at": .time, "records_events": .boolean],
        optional: [
            "grants": .list(of: .of(GrantBody.self)), "expires_at": .time, "last_used_at": .time.about("Since the hub started"),
            "token": .text().about("Returned once, at creation"),
        ])
}

extension APITokensAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["tokens": .list(of: .of(APITokenAnswer.self)), "total": .integer()])
}
