import CardeaModel

extension Schema {
    static let username = text(1...64, example: "ada").about("1 to 64 letters, digits and any of . _ - @ +")
    static let newPassword = text(8...128, example: "correct horse battery staple")
    static let wantsCookie = boolean.about(
        "True to return the refresh token in a cookie instead of the body; requires a DPoP proof")
}

extension ClaimState: SchemaRepresentable {
    public static let schema = Schema.answer(["claimed": .boolean])
}

extension ClaimBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["claim_token": .text(), "username": .username, "password": .newPassword, "house_name": .name],
        optional: [
            "time_zone": .text(example: "Europe/Berlin").about("IANA time zone name; default: the machine's"),
            "name": .name.about("The owner's display name; default: the username"), "cookie": .wantsCookie,
        ])
}

extension LoginBody: SchemaRepresentable {
    public static let schema = Schema.body(["username": .text(example: "ada"), "password": .text()], optional: ["cookie": .wantsCookie])
    public static let example: JSONValue? = ["username": "ada", "password": "correct horse battery staple"]
}

extension RefreshBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["refresh_token": .text().about("Omitted if a cookie carries it")])
}

extension TokensAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["access_token": .text(), "token_type": .constant("Bearer"), "expires_in": .integer().about("Seconds")],
        optional: ["refresh_token": .text().about("Absent if it was sent as a cookie")])
}

extension OpenSessionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "session_id": .id, "device": .text(example: "Firefox on Linux").about("In words: `Firefox on Linux`"),
            "signed_in_by": .enumeration(SignInMethod.self),
            "created_at": .time,
            "last_used_at": .time, "expires_at": .time.about("If it is not used before"),
            "current": .boolean.about("True for the session of this request"),
        ], optional: ["place": .text(example: "local network").about("`local network` or an address")])
}

extension OpenSessionsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["sessions": .list(of: .of(OpenSessionAnswer.self)), "total": .integer()])
}

extension RevokeSessionsBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["keep_current": .boolean.about("Default true")])
}

extension StepUpBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["password": .text(), "credential": .of(PasskeyAssertionBody.self)])
        .about("One of these two")
    public static let example: JSONValue? = ["password": "correct horse battery staple"]
}

extension StepUpAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["until": .time])
}

extension CertificateAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "pin": .text(example: "sha256/AAAA").about("The digest of the public key, base64 (RFC 7469)"), "not_after": .time,
            "fingerprint_sha256": .text(),
        ], optional: ["backup_pin": .text()])
}
