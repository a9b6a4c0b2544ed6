import CardeaModel

extension PairBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["pairing_code": .text(1...256).about("The spoken code, or the link's")],
        optional: [
            "device_id": .text(1...128).about("The phone's own identifier; together with `device_public_key`"),
            "device_public_key": .text(43...87).about("Base64url: 32 bytes of Ed25519, or 65 of P-256. The pass is then bound to it"),
            "ask_again": .boolean.about("True with a used link: a phone that lost its pass asks the house for it"),
            "claim_secret": .text(1...256).about("From the first 202, for a phone without a key that waits for approval"),
            "device_key_verifies": .boolean.about(
                "True if the phone releases its key only after verifying its owner, by face, finger or PIN"),
            "passkey": .attestedCredential.about("Made for the pass; its challenge is the SHA-256 of `pairing_code`"),
        ])
    public static let example: JSONValue? = ["pairing_code": "7KQ2M9PXRT"]
}

extension RestorePassBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "credential": .of(PasskeyAssertionBody.self), "device_id": .text(1...128), "device_public_key": .text(43...87),
    ])
}

extension ScannedBody: SchemaRepresentable {
    public static let schema = Schema.body(["pairing_code": .text(1...256).about("The short code, or the code of the link")])
}

extension NonceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "nonce": .text().about("Nonce to sign; valid once"), "jti": .text().about("Id of the token that it belongs to"),
        "expires_at": .seconds,
        "now": .seconds.about("The hub's time, Unix seconds"),
    ])
}

extension ValidateBody: SchemaRepresentable {
    public static let schema = Schema.body(["guest_token": .text(1...4096)])
}

extension GuestActionBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["action": .text(example: "door.open").about("One of the pass's actions; `door.read` only reads")],
        optional: [
            "entity_id": .entityID.about("Needed where several doors have the action"), "value": .anything,
            "brightness_pct": .percent.about("A number, limited to 0–100"), "position_pct": .percent.about("A number, limited to 0–100"),
            "tilt_pct": .percent.about("A number, limited to 0–100"),
            "temperature": .anything.about("Temperature in °C for set_temperature"),
        ])
    public static let example: JSONValue? = ["action": "door.open"]
}

extension CancelActionBody: SchemaRepresentable {
    public static let schema = Schema.body(["command_id": .text(1...128).about("From the 202 response")])
}

extension Schema {
    /// Each field belongs to certain actions; the others ignore it.
    fileprivate static let percent = anything.about("Value of the action, limited to 0 to 100")
}

extension GuestPassAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "guest_id": .id, "name": .text(), "house_name": .text().about("Empty for a pass that is over"), "time_zone": .text(),
            "allowed_actions": .list(of: .text()),
            "entities": .list(
                of: .answer(
                    [
                        "entity_id": .entityID, "device_id": .deviceID, "name": .text(), "entity_type": .contractType,
                        "allowed_actions": .list(of: .text()),
                    ], optional: ["allowed_action": .text()])
            ).about("Empty for a pass that is over"),
            "expires_at": .seconds, "max_uses": .integer(), "used_count": .integer(),
            "remaining_uses": .integer().about("-1 for no limit"), "ask_each_time": .boolean,
            "status": .enumeration(GuestStatus.self),
            "now": .seconds.about("The hub's time, Unix seconds"),
        ],
        optional: [
            "guest_token": .text().about("Only from pairing and `restore`"), "entity_id": .entityID, "allowed_action": .text(),
            "starts_at": .seconds,
            "schedule": .of(ScheduleBody.self), "revoked_at": .seconds,
            "next_from": .seconds.about(
                "Unix seconds. The next time at which its start or its hours let it work; absent where it works now, or never again"),
            "device_id": .text().about("The phone that the pass is bound to"),
            "presence": .enumeration(PresenceRequirement.self).about(
                "`verified`: the phone verifies its owner before each action but a `read`"),
            "cnf": .answer(["jkt": .text().about("base64url SHA-256 of the key that signs each action")]).about(
                "The digest of the key that the pass is bound to"),
        ])
}

extension GuestActionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["success": .boolean],
        optional: [
            "action": .text(), "entity_id": .entityID, "remaining_uses": .integer(), "used_count": .integer(), "command_id": .id,
            "state": .text(), "error": .text(), "message": .text(),
            "status": .text(example: "pending_approval").about("With 202: `pending_approval`, or the command's status"),
            "retry_after": .integer().about("Seconds"), "expires_at": .seconds, "reason": .text(), "use_returned": .boolean,
            "next_opening": .seconds,
            "number": .text(4...4).about("Number shown on the waiting phone and beside the question to the host"),
            "claim_secret": .text().about("With the first 202 to a phone without a key; sent back with the next `pair`"),
        ])
}

extension ScannedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["success": .constant(true), "status": .enumeration(["acknowledged", "already_acknowledged"]), "qr_scanned_at": .seconds],
        optional: [
            "presence": .enumeration(PresenceRequirement.self).about(
                "Verification that the pass requires at the door; absent if the code was used"),
            "expires_at": .seconds.about("End of the pass; absent if the code was used"),
        ])
}

/// `GET /api/guest_access/states`
public enum GuestStatesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "entities": .list(
            of: .answer(
                [
                    "entity_id": .entityID, "domain": .enumeration(EntityKind.self), "state": .text(), "friendly_name": .text(),
                    "last_changed": .time,
                ],
                optional: [
                    "unit": .text(), "device_class": .text(), "brightness": .anything, "current_position": .anything,
                    "current_tilt_position": .anything, "current_temperature": .anything, "temperature": .anything,
                ]))
    ])
}
