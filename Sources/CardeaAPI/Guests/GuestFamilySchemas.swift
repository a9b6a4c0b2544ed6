import CardeaModel

extension PairBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["pairing_code": .text(1...256).about("The spoken code, or the link's")],
        optional: [
            "device_id": .text(1...128).about("How the guest's phone calls itself; with `device_public_key`"),
            "device_public_key": .text(43...87).about("Ed25519, 32 bytes, or P-256, 65 bytes, base64url: the pass is bound to it"),
            "ask_again": .boolean.about("With a link that was used: a phone that has forgotten its pass asks the house for it"),
            "claim_secret": .text(1...256).about("From the first 202, where a phone without a key waits for a yes"),
            "device_key_verifies": .boolean.about("The phone gives its key out only to whom it has verified, by face, finger or PIN"),
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
    public static let schema = Schema.body(["pairing_code": .text(1...256).about("The spoken code, or the link's")])
}

extension NonceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "nonce": .text().about("To be signed, once"), "jti": .text().about("The name of the token it is for"), "expires_at": .seconds,
        "now": .seconds.about("The house's clock, Unix seconds"),
    ])
}

extension ValidateBody: SchemaRepresentable {
    public static let schema = Schema.body(["guest_token": .text(1...4096)])
}

extension GuestActionBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["action": .text(example: "door.open").about("As the pass names it; `door.read` only looks")],
        optional: [
            "entity_id": .entityID, "value": .anything, "brightness_pct": .percent, "position_pct": .percent, "tilt_pct": .percent,
            "temperature": .anything.about("A number, °C, for set_temperature"),
        ])
    public static let example: JSONValue? = ["action": "door.open"]
}

extension CancelActionBody: SchemaRepresentable {
    public static let schema = Schema.body(["command_id": .text(1...128).about("Of the 202")])
}

extension Schema {
    /// A field is looked at by the actions it belongs to, and by no other.
    fileprivate static let percent = anything.about("A number for the action that wants it, brought into 0 to 100")
}

extension GuestPassAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "guest_id": .id, "name": .text(), "house_name": .text(), "time_zone": .text(), "allowed_actions": .list(of: .text()),
            "entities": .list(
                of: .answer(
                    [
                        "entity_id": .entityID, "device_id": .deviceID, "name": .text(), "entity_type": .contractType,
                        "allowed_actions": .list(of: .text()),
                    ], optional: ["allowed_action": .text()])),
            "expires_at": .seconds, "max_uses": .integer(), "used_count": .integer(),
            "remaining_uses": .integer().about("-1 where there is no limit"), "ask_each_time": .boolean,
            "status": .enumeration(GuestStatus.self),
            "now": .seconds.about("The house's clock, Unix seconds"),
        ],
        optional: [
            "guest_token": .text().about("From pairing alone"), "entity_id": .entityID, "allowed_action": .text(), "starts_at": .seconds,
            "schedule": .of(ScheduleBody.self), "revoked_at": .seconds,
            "next_from": .seconds.about("When it works next, by its start and its hours; left out where it works now, or never again"),
            "device_id": .text().about("The phone that the pass is bound to"),
            "presence": .enumeration(PresenceRequirement.self).about("verified: the phone verifies its owner before each action"),
            "cnf": .answer(["jkt": .text().about("base64url of the SHA-256 of its key; each action is proven by it")]),
        ])
}

extension GuestActionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["success": .boolean],
        optional: [
            "action": .text(), "entity_id": .entityID, "remaining_uses": .integer(), "used_count": .integer(), "command_id": .id,
            "state": .text(), "error": .text(), "message": .text(),
            "status": .text(example: "pending_approval").about("With 202: `pending_approval`, or a command's status"),
            "retry_after": .integer().about("Seconds"), "expires_at": .seconds, "reason": .text(), "use_returned": .boolean,
            "next_opening": .seconds,
            "number": .text(4...4).about("Where a phone waits for its pass: the house shows the same one beside its question"),
            "claim_secret": .text().about("With the first 202 to a phone without a key: it sends this with the next `pair`"),
        ])
}

extension ScannedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["success": .constant(true), "status": .enumeration(["acknowledged", "already_acknowledged"]), "qr_scanned_at": .seconds],
        optional: [
            "presence": .enumeration(PresenceRequirement.self).about("What the pass will want at the door; not where the code was used"),
            "expires_at": .seconds.about("When the pass ends; not where the code was used"),
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
