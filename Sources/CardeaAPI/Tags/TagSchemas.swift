import CardeaModel

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

extension Schema {
    private static let key = text(matching: "^[0-9A-Fa-f]{32}$", example: "00112233445566778899aabbccddeeff")

    /// A button's action: shaped like a body's action, with one name for each action.
    fileprivate static let pressed = answer(
        ["device_id": .deviceID, "action": .text(example: "lock")],
        optional: ["entity_id": .entityID, "value": .anything, "transition_time": .number()])
    fileprivate static let tagKey = key.about("AES-128 key; not sixteen equal octets")
    fileprivate static let tagUID = text(matching: "^[0-9A-Fa-f]{14}$", example: "04DE5F1EACC040")
    fileprivate static let parameter = text(matching: "^[A-Za-z_]{1,16}$", example: "picc_data")
}

extension DrawTagLinkBody: SchemaRepresentable {
    public static let schema = Schema.body(["url": .text(1...512, example: "https://door.example.org/t/abc")])
}

extension AddTagBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["kind": .enumeration(TagKind.self)],
        optional: [
            "button_id": .id.about("Either this or `grant`"),
            "grant": .of(GrantBody.self).about("`{device_id, entity_id?, actions: [one]}`: the action instead of the button"),
            "label": .name,
            "uid": .tagUID.about("14 hex digits; `sun` only"),
            "meta_key": .tagKey.about("SDMMetaReadKey, 32 hex digits; no sixteen equal octets. Omitted: the house makes it"),
            "file_key": .tagKey.about("SDMFileReadKey, 32 hex digits; no sixteen equal octets. Omitted: the house makes it"),
            "names": .of(TagLinkNames.self).about("The link's parameters `picc_data`, `enc` and `cmac`, where they are named differently"),
            "pending": .boolean.about("True: still to be written, and without effect until then"),
            "replaces": .id.about("The tag that it replaces; only with `pending`"),
        ])
    public static let example: JSONValue? = ["kind": "static", "button_id": "button_1", "label": "By the hall mirror"]
}

extension TagLinkNames: SchemaRepresentable {
    public static let schema = Schema.body([:], optional: ["picc_data": .parameter, "enc": .parameter, "cmac": .parameter])
}

extension NewTagAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "kind": .enumeration(TagKind.self), "button_id": .id, "tag_id": .id.orNull, "url": .text(), "app_url": .text().orNull,
        "expires_at": .time.orNull, "meta_key": .text().orNull, "file_key": .text().orNull,
    ])
}

extension TagAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "tag_id": .id, "kind": .enumeration(TagKind.self), "button_id": .id, "label": .text().orNull,
        "state": .enumeration(Tag.State.self).about("`pending` until it was read back"),
        "written_at": .time.orNull.about("The time at which it was read back"), "url": .text(), "uid": .text().orNull.about("`sun` only"),
        "counter": .integer(from: 0).orNull.about("The last accepted counter of a `sun` tag"), "created_at": .time,
        "last_used_at": .time.orNull,
        "alarmed_at": .time.orNull.about("The first touch that was older than an accepted one, until `alarm_seen`"),
        "outdated": .boolean.about("True after a change of its button's action; it presses nothing until it is renewed"),
    ])
}

extension TagsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["tags": .list(of: .of(TagAnswer.self)), "total": .integer()])
}

extension PromoteTagBody: SchemaRepresentable {
    public static let schema = Schema.body(["url": .text(1...1024)])
    public static let example: JSONValue? = ["url": "https://house.example/t/tag_1"]
}

extension PublishBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "topic": .text(1...Publication.topicLimit),
            "message": .text(1...Publication.messageLimit).about("The first `%T` becomes the encrypted time"),
        ],
        optional: [
            "via": .enumeration(Publication.Broker.self).about("`mqtt` (the house's broker) by default"),
            "risk": .enumeration(["control", "open"]).about("`open` by default, because the hub does not know the effect"),
            "state_topic": .text(1...Publication.topicLimit).about("The topic on which the device confirms"),
            "state_message": .text(0...Publication.messageLimit).about("The expected message there. Empty or omitted: any"),
            "signed": .boolean.about("True: sent in an envelope that the device can verify"),
            "timestamp_key": .text(matching: "^([0-9A-Fa-f]{32})?$", example: "00112233445566778899aabbccddeeff").about(
                "Encrypts the time at the first `%T` of the message. Omitted: stays. Empty: removed"),
        ])
    public static let example: JSONValue? = ["topic": "home/garage", "message": "{\"command\":1}", "state_topic": "home/garage/state"]
}

extension PublishAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "via": .enumeration(Publication.Broker.self), "topic": .text(), "message": .text(), "risk": .enumeration(["control", "open"]),
        "state_topic": .text().orNull, "state_message": .text().orNull, "signed": .boolean, "has_timestamp_key": .boolean,
    ])
}

extension SigningKeyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["button_id": .id, "key": .text(), "device": .text()])
}

extension RenewTagBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [:],
        optional: [
            "label": .name,
            "button_version": .integer(from: 1).about("The button's version that was reviewed; a label without it confirms nothing"),
            "alarm_seen": .boolean.about("Instead of the others: the clone alarm was checked"),
        ])
    public static let example: JSONValue? = ["label": "By the hall mirror"]
}

extension TagPolicyBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "on": .boolean, "control": .enumeration(TagPolicy.Permission.self), "open": .enumeration(TagPolicy.Permission.self),
    ])
    public static let example: JSONValue? = ["on": true, "control": "at_once", "open": "confirmed"]
}

extension TapBody: SchemaRepresentable {
    public static let schema = Schema.body(["url": .text(1...1024)], optional: ["confirm": .boolean])
    public static let example: JSONValue? = ["url": "https://house.example/t/tag_1", "confirm": true]
}

extension LookAtTagBody: SchemaRepresentable {
    public static let schema = Schema.body(["url": .text(1...1024)])
    public static let example: JSONValue? = ["url": "https://house.example/t/tag_1"]
}

extension LookedAtTagAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "action": .of(TappedAction.self).orNull, "reason": .text().orNull, "message": .text().orNull,
        "at_once": .boolean.about("True if the tap needs no confirmation by the person"),
    ])
}

extension TapAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "accepted": .boolean, "action": .of(TappedAction.self).orNull, "outcome": .text().orNull, "reason": .text().orNull,
        "message": .text().orNull, "command_id": .id.orNull,
    ])
}

extension TappedAction: SchemaRepresentable {
    public static let schema = Schema.answer([
        "button_id": .id, "title": .text(), "device_id": .deviceID, "action": .text(), "countdown": .integer(Button.countdowns),
    ])
}
