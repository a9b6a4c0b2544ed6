import CardeaModel

// Inside options and credentials, names are WebAuthn's own.

extension Schema {
    private static let bytes = text(matching: "^[A-Za-z0-9_-]*$", example: "AAEC").about("base64url without padding")

    fileprivate static let creationOptions = answer([
        "rp": answer(["id": text(), "name": text()]), "user": answer(["id": bytes, "name": text(), "displayName": text()]),
        "challenge": bytes, "pubKeyCredParams": list(of: answer(["type": constant("public-key"), "alg": integer()])),
        "timeout": integer().about("Milliseconds"), "excludeCredentials": list(of: descriptor), "attestation": constant("none"),
        "authenticatorSelection": answer(["residentKey": text(), "requireResidentKey": boolean, "userVerification": text()]),
    ])

    fileprivate static let requestOptions = answer([
        "challenge": bytes, "rpId": text(), "timeout": integer().about("Milliseconds"), "userVerification": text(),
        "allowCredentials": list(of: descriptor),
    ])

    private static let descriptor = answer(["type": constant("public-key"), "id": bytes, "transports": list(of: text())])

    /// A passkey that a browser made. It may have more members.
    static let attestedCredential = answer([
        "response": answer(
            ["clientDataJSON": bytes, "attestationObject": bytes], optional: ["transports": list(of: text()).orNull])
    ])
}

/// `PublicKeyCredentialCreationOptionsJSON`, wrapped.
public enum PasskeyCreationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["public_key": .creationOptions])
}

/// `PublicKeyCredentialRequestOptionsJSON`, wrapped.
public enum PasskeyRequestAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["public_key": .requestOptions])
}

extension PasskeyAssertionBody: SchemaRepresentable {
    public static let schema = Schema.answer([
        "id": .text(),
        "response": .answer(
            ["clientDataJSON": .text(), "authenticatorData": .text(), "signature": .text()], optional: ["userHandle": .text().orNull]),
    ]).about("`AuthenticationResponseJSON`; bytes are base64url without padding")
}

extension RegisterPasskeyBody: SchemaRepresentable {
    public static let schema = Schema.body(["credential": .attestedCredential], optional: ["name": .name])
}

extension PasskeyLoginBody: SchemaRepresentable {
    public static let schema = Schema.body(["credential": .of(PasskeyAssertionBody.self)], optional: ["cookie": .wantsCookie])
}

extension RenamePasskeyBody: SchemaRepresentable {
    public static let schema = Schema.body(["name": .name])
    public static let example: JSONValue? = ["name": "Ada's phone"]
}

extension PasskeyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "passkey_id": .id, "name": .text(), "rp_id": .text().about("The host name for which it was created"),
            "backed_up": .boolean.about("True if it is backed up by its provider"), "created_at": .time,
        ], optional: ["last_used_at": .time, "ended_at": .time, "end_reason": .text()])
}

extension PasskeysAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["passkeys": .list(of: .of(PasskeyAnswer.self)), "total": .integer()])
}

extension RecoveryCodesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["left": .integer()], optional: ["made_at": .time, "codes": .list(of: .text()).about("Returned once, at creation")])
}

extension RecoveryBody: SchemaRepresentable {
    public static let schema = Schema.body(["code": .text()], optional: ["cookie": .wantsCookie])
}
