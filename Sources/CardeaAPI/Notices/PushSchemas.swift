import CardeaModel

extension PushKeysBody: SchemaRepresentable {
    // A browser may add members of its own.
    public static let schema = Schema.answer([
        "p256dh": .text(1...200).about("A P-256 key, uncompressed, base64url"), "auth": .text(1...64).about("16 octets, base64url"),
    ])
}

extension RegisterBrowserBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "subscription": .answer(["endpoint": .text(1...2048), "keys": .of(PushKeysBody.self)])
    ])
    public static let example: JSONValue? = [
        "subscription": [
            "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA",
            "keys": [
                "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                "auth": "BTBZMqHH6r4Tts7J_aSIgg",
            ],
        ]
    ]
}

extension RegisterPhonePushBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "device_token": .text(matching: "^([0-9A-Fa-f]{2}){32,100}$", example: String(repeating: "0f", count: 32)),
            "device_id": .text(1...64).about("The phone's own id, as at pairing"),
        ], optional: ["keys": .of(PushKeysBody.self).about("Key with which the app decrypts the kind and place of an event")])
}

extension RegisteredPushAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["id": .id, "registered_at": .time])
}

extension PushSubscriptionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "id": .id, "way": .enumeration(["web", "apns"]), "service": .text(), "current": .boolean, "created_at": .time,
    ])
}

extension PushAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "public_key": .text().about("For `applicationServerKey`: base64url of 65 octets"),
        "ways": .list(of: .enumeration(["web", "apns"])),
        "subscriptions": .list(of: .of(PushSubscriptionAnswer.self)),
    ])
}
