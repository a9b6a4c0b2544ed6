import CardeaModel

extension Schema {
    /// A button's action: shaped like a body's action, with one name for each action.
    fileprivate static let pressed = answer(
        ["device_id": .deviceID, "action": .text(example: "lock")],
        optional: ["entity_id": .entityID, "value": .anything, "transition_time": .number()])
}

extension ButtonBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["title": .name],
        optional: [
            "action": .of(DeviceActionBody.self).about("Either this or `publish`"),
            "publish": .of(PublishBody.self).about("Either this or `action`"),
            "enabled": .boolean.about("False: it cannot be pressed"), "tags_enabled": .boolean.about("True if tags and links may press it"),
            "countdown": .integer(Button.countdowns).about("Seconds in which a screen lets a person cancel a tap"),
        ])
    public static let example: JSONValue? = ["title": "Garage", "action": ["device_id": "front-door", "action": "lock"]]
}

extension ButtonAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "button_id": .id, "idx": .integer(Button.indices).about("Its permanent number; no later button gets it"), "title": .text(),
        "action": .pressed,
        "publish": .of(PublishAnswer.self).orNull.about("null for a button that controls a device"), "enabled": .boolean,
        "tags_enabled": .boolean, "countdown": .integer(Button.countdowns).about("Seconds in which a screen lets a person cancel a tap"),
        "version": .version, "created_at": .time,
        "changed_at": .time,
    ])
}

extension ButtonsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["buttons": .list(of: .of(ButtonAnswer.self)), "total": .integer()])
}

extension PublishBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "topic": .text(1...ButtonPublication.topicLimit),
            "message": .text(1...ButtonPublication.messageLimit).about("The first `%T` becomes the encrypted time"),
        ],
        optional: [
            "via": .enumeration(ButtonPublication.Broker.self).about("`mqtt` (the house's broker) by default"),
            "risk": .enumeration(["control", "open"]).about("`open` by default, because the hub does not know the effect"),
            "state_topic": .text(1...ButtonPublication.topicLimit).about("The topic on which the device confirms"),
            "state_message": .text(0...ButtonPublication.messageLimit).about("The expected message there. Empty or omitted: any"),
            "signed": .boolean.about("True: sent in an envelope that the device can verify"),
            "timestamp_key": .text(matching: "^([0-9A-Fa-f]{32})?$", example: "00112233445566778899aabbccddeeff").about(
                "Encrypts the time at the first `%T` of the message. Omitted: stays. Empty: removed"),
        ])
    public static let example: JSONValue? = ["topic": "home/garage", "message": "{\"command\":1}", "state_topic": "home/garage/state"]
}

extension PublishAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "via": .enumeration(ButtonPublication.Broker.self), "topic": .text(), "message": .text(),
        "risk": .enumeration(["control", "open"]),
        "state_topic": .text().orNull, "state_message": .text().orNull, "signed": .boolean, "has_timestamp_key": .boolean,
    ])
}

extension SigningKeyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["button_id": .id, "key": .text(), "device": .text()])
}
