import CardeaModel

extension GrantBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["device_id": .deviceID, "actions": .list(of: .text(example: "door.open"), 1...32)],
        optional: ["entity_id": .entityID.about("Omitted: all entities that support the actions"), "device_name": .text()])
}

extension ScheduleBody: SchemaRepresentable {
    public static let schema = Schema.either(.scheduleLine, .list(of: .scheduleLine, 1...21))
        .about("Weekly hours in the house's time zone; an end at or before the start lies on the next day")
}

extension Schema {
    static let timeOfDay = text(matching: "^([01][0-9]|2[0-3]):[0-5][0-9]$", example: "09:00")
    /// 24:00 is the midnight at the end of the day.
    static let endTimeOfDay = text(matching: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$", example: "12:00")

    fileprivate static let scheduleLine = body([
        "days": list(of: enumeration(Weekday.self), 1...Weekday.allCases.count * 4), "from": timeOfDay, "to": endTimeOfDay,
    ])

    fileprivate static let useLimit = integer(0...1_000_000).about("0 for no limit")
    fileprivate static let usesLeft = integer().about("-1 for no limit")
}

extension InviteGuestBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "name": .name, "grants": .list(of: .of(GrantBody.self), 1...32), "expires_at": .time.about("At most ten years from now"),
            "max_uses": .useLimit,
        ],
        optional: [
            "starts_at": .time, "schedule": .of(ScheduleBody.self),
            "requires_approval": .boolean.about("Approval is required when a phone takes the pass"),
            "ask_each_time": .boolean.about("Approval is required for each opening"),
            "local_only": .boolean.about("Valid only on the house's network"),
            "presence": .enumeration(PresenceRequirement.self).about("hold, or verified: the phone verifies its user before a door opens"),
        ])
    public static let example: JSONValue? = [
        "name": "Plumber", "grants": [["device_id": "front-door", "actions": ["door.open"]]], "expires_at": "2026-12-24T18:00:00Z",
        "max_uses": 2, "schedule": ["days": ["tue"], "from": "09:00", "to": "12:00"],
    ]
}

extension GuestAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "guest_id": .id, "name": .text(), "status": .enumeration(GuestStatus.self), "grants": .list(of: .of(GrantBody.self)),
            "starts_at": .time.orNull, "expires_at": .time, "schedule": .of(ScheduleBody.self).orNull, "max_uses": .useLimit,
            "used_count": .integer(), "remaining_uses": .usesLeft, "requires_approval": .boolean, "ask_each_time": .boolean,
            "local_only": .boolean,
            "created_at": .time, "created_by": .text().orNull, "paired_at": .time.orNull,
            "bound_to_device": .boolean.about("Each opening is signed by a key of the guest's phone"), "scanned_at": .time.orNull,
            "last_used_at": .time.orNull, "suspended_at": .time.orNull, "revoked_at": .time.orNull,
            "next_from": .time.orNull.about("The next time it is valid, by its start and hours; null if it is valid now or never again"),
            "version": .version,
        ],
        optional: [
            "presence": .enumeration(PresenceRequirement.self), "pairing_code": .text().about("Only right after creation"),
            "pairing_expires_at": .time,
            "link": .text(),
            "history": .list(of: .of(ActivityEntry.self)).about("Only for a single pass; newest first"),
        ])
}

extension GuestsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["guests": .list(of: .of(GuestAnswer.self)), "total": .integer()])
}

extension GuestCodeAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["pairing_code": .text(), "pairing_expires_at": .time, "link": .text()])
}

extension RevokedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["revoked": .integer().about("How many")])
}

extension AnswerPhoneBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [:], optional: ["number": .text(4...4).about("The number shown on the phone; omitted: the only phone that asks")])
    public static let example: JSONValue? = ["number": "4821"]
}
