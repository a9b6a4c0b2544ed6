import CardeaModel

extension Schema {
    private static let key = text(matching: "^[0-9A-Fa-f]{32}$", example: "00112233445566778899aabbccddeeff")
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
            "names": .of(TagLinkNames.self).about("The names of the link's parameters, where they are not `picc_data`, `enc` and `cmac`"),
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

extension InspectTagBody: SchemaRepresentable {
    public static let schemaName = "LookAtTagBody"
    public static let schema = Schema.body(["url": .text(1...1024)])
    public static let example: JSONValue? = ["url": "https://house.example/t/tag_1"]
}

extension InspectedTagAnswer: SchemaRepresentable {
    public static let schemaName = "LookedAtTagAnswer"
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
