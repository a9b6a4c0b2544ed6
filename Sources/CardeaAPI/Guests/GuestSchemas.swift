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
            "name": .name, "grants": .list(of: .of(GrantBody.self), 1...32), "expires_at": .time.about("In ten years at most"),
            "max_uses": .useLimit.about("0 is no limit"),
        ],
        optional: [
            "starts_at": .time.about("Omitted: at once"), "schedule": .of(ScheduleBody.self).about("Omitted: at any hour"),
            "requires_approval": .boolean.about("True: the house is asked when a phone takes the pass"),
            "ask_each_time": .boolean.about("True: the house is asked at each opening"),
            "local_only": .boolean.about("True: valid only on the house's own network"),
            "presence": .enumeration(PresenceRequirement.self).about(
                "`verified`: the phone verifies its owner before each action but a `read`"),
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
            "starts_at": .time.orNull, "expires_at": .time, "schedule": .of(ScheduleBody.self).orNull.about("null for any hour"),
            "max_uses": .useLimit.about("0 is no limit"),
            "used_count": .integer(), "remaining_uses": .usesLeft.about("-1 where there is no limit"), "requires_approval": .boolean,
            "ask_each_time": .boolean,
            "local_only": .boolean,
            "created_at": .time, "created_by": .text().orNull.about("The name of the person who invited the guest"),
            "paired_at": .time.orNull,
            "bound_to_device": .boolean.about("True if a key of the guest's phone proves each opening"), "scanned_at": .time.orNull,
            "last_used_at": .time.orNull, "suspended_at": .time.orNull, "revoked_at": .time.orNull,
            "next_from": .time.orNull.about(
                "The next time at which its start or its hours let it work; null where it works now, or never again"),
            "version": .version,
        ],
        optional: [
            "presence": .enumeration(PresenceRequirement.self).about(
                "`verified`: the phone verifies its owner before each action but a `read`"),
            "pairing_code": .text().about("Only right after its creation"),
            "pairing_expires_at": .time.about("Only right after its creation"),
            "link": .text().about("Only right after its creation"),
            "history": .list(of: .of(ActivityEntry.self)).about("Only in the answer for one guest; newest first"),
        ])
}

extension GuestsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["guests": .list(of: .of(GuestAnswer.self)), "total": .integer()])
}

extension GuestCodeAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["pairing_code": .text(), "pairing_expires_at": .time, "link": .text()])
}

extension RevokedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["revoked": .integer().about("The number of revoked passes or sessions")])
}

extension AnswerPhoneBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [:], optional: ["number": .text(4...4).about("The number shown on the phone; omitted: the only phone that asks")])
    public static let example: JSONValue? = ["number": "4821"]
}
