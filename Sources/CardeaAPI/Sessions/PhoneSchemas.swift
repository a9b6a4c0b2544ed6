import CardeaModel

extension Schema {
    fileprivate static let deviceUUID = text(
        matching: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
        example: "6f1d2c1e-6d0b-4f7c-9c1a-1e2d3c4b5a69"
    ).about("The phone's own id; it is not displayed")
    fileprivate static let digits = text(example: "123456").about("Six digits; spaces and dashes are ignored")
    fileprivate static let model = text(1...PhoneDescription.modelLimit)
    fileprivate static let platform = enumeration(PhoneDescription.Platform.self)
    fileprivate static let place = text(example: "local network").about("Name of the phone, or its address")
}

extension PairPhoneBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["device_id": .deviceUUID, "device_name": .name],
        optional: ["device_model": .text(0...PhoneDescription.modelLimit), "platform": .platform])
    public static let example: JSONValue? = [
        "device_id": "6f1d2c1e-6d0b-4f7c-9c1a-1e2d3c4b5a69", "device_name": "Ada's phone", "device_model": "iPhone 17",
    ]
}

extension PairPhoneAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "pairing_code": .text(matching: "^[0-9]{6}$", example: "482913"), "expires_at": .time, "expires_in": .integer().about("Seconds"),
        "device_code": .text().about("Bearer token for `status`, and for `verify`, which then accepts no other phone"),
        "interval": .integer().about("Polling interval in seconds, for clients that do not wait"),
    ])
}

extension VerifyPhoneBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["pairing_code": .digits, "device_id": .deviceUUID], optional: ["device_code": .text().about("From `pair`")])
}

extension RefreshPhoneBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["refresh_token": .text()],
        optional: ["device_id": .text().about("The phone's own id, or the hub's id of it, which requires the phone's token")])
}

extension PhoneTokensAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "access_token": .text(), "refresh_token": .text(), "token_type": .constant("Bearer"), "expires_in": .integer().about("Seconds"),
        "device_id": .id.about("The hub's id of the phone"),
    ])
}

extension PhonePairingStatusAnswer: SchemaRepresentable {
    public static let schemaName = "PhoneStandingAnswer"
    public static let schema = Schema.answer(
        ["confirmed": .boolean, "expired": .boolean.about("Expired, rejected or redeemed; the pairing has ended")],
        optional: ["expires_at": .time])
}

extension ConfirmPhoneBody: SchemaRepresentable {
    public static let schema = Schema.body(["code": .digits])
}

extension ConfirmPhoneAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["confirmed": .constant(true), "device_name": .text()], optional: ["device_model": .model, "platform": .platform])
}

extension WaitingPhoneAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["pairing_id": .id, "device_name": .text(), "created_at": .time, "expires_at": .time],
        optional: ["device_model": .model, "platform": .platform, "place": .place])
}

extension WaitingPhonesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["pairings": .list(of: .of(WaitingPhoneAnswer.self)), "total": .integer()])
}

extension RejectedPhoneAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["message": .text()])
}

extension RevokePhonesBody: SchemaRepresentable {
    public static let schema = Schema.body(
        optional: [
            "refresh_token": .text(), "device_id": .text().about("The hub's id of the phone, or its own"), "revoke_all": .boolean,
        ]
    ).about("One of these three")
    public static let example: JSONValue? = ["revoke_all": true]
}

extension RevokedPhonesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["revoked_count": .integer()])
}

extension PhoneAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "device_id": .id.about("The hub's id, `phone_…`"), "device_name": .text(), "paired_at": .time, "last_used_at": .time,
            "expires_at": .time.about("If it is not used before"),
        ], optional: ["device_model": .model, "platform": .platform, "place": .place.about("`local network` or an address")])
}

extension PhonesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["devices": .list(of: .of(PhoneAnswer.self)), "total": .integer()])
}

extension RenamePhoneBody: SchemaRepresentable {
    public static let schema = Schema.body(["device_name": .name])
}

extension PhoneInvitationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "app_link": .text(example: "cardea://pair?url=https%3A%2F%2Fhome.example"), "web_link": .text(), "url": .text(),
        "pins": .list(of: .text(example: "sha256/AAAA")),
    ])
}
