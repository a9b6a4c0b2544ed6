import CardeaModel

extension PersonAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "person_id": .id, "name": .text(), "role": .enumeration(Role.self),
            "permissions": .list(of: .enumeration(Right.self)).about("What the role and the person's own settings allow"),
            "status": .enumeration(["active", "invited", "disabled"]).about("`invited` until they have joined"),
            "can_invite_guests": .boolean, "created_at": .time,
        ],
        optional: [
            "username": .text().about("Absent until they have joined"), "last_seen_at": .time, "version": .version,
            "is_home": .boolean.about("Their latest own statement, or that of their linked presence source"),
            "can_answer_asks": .boolean.about("True if they may read `/asks`. Only in `/people/me`"),
            "temperature_unit": .enumeration(TemperatureUnit.self).about("Only in `/people/me`"),
        ])
}

extension PeopleAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["people": .list(of: .of(PersonAnswer.self)), "total": .integer()])
}

extension InvitePersonBody: SchemaRepresentable {
    public static let schema = Schema.body(["name": .name, "role": .role])
    public static let example: JSONValue? = ["name": "Ben", "role": "member"]
}

extension PersonInvitationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "person": .of(PersonAnswer.self), "invite_link": .text().about("Valid once, for seven days"), "expires_at": .time,
    ])
}

extension AcceptInvitationBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["invite_token": .text(), "username": .username, "password": .newPassword], optional: ["cookie": .wantsCookie])
}

extension ChangePersonBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["name": .name, "role": .role, "can_invite_guests": .boolean, "disabled": .boolean])
    public static let example: JSONValue? = ["can_invite_guests": true]
}

extension ChangePasswordBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["new_password": .newPassword],
        optional: ["current_password": .text().about("May be omitted within five minutes of a sign-in by passkey or recovery code")])
}

extension Schema {
    fileprivate static let role = enumeration(Role.allCases.map(\.rawValue) + ["resident"]).about("`resident` is an alias of member")
}
