import CardeaModel

extension NoticeAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "notice_id": .id, "kind": .enumeration(NoticeKind.self),
        "place": .text().about("The camera, or the source without one; the device of an ask"), "place_name": .text(),
        "words": .text().orNull.about("The text, where kind and place do not say it"), "event_id": .id.orNull,
        "command_id": .id.orNull.about("Of an ask: the command that waits for approval"),
        "happened_at": .time.about("The time of the event"), "created_at": .time.about("The time of the notice"),
        "quiet": .boolean.about("True: kept, not sent"),
        "escalated": .boolean.about("True if it came here because another person did not acknowledge it"),
        "acknowledged_at": .time.orNull,
        "deliveries": .list(
            of: .answer([
                "service": .text(example: "https://updates.push.services.mozilla.com"),
                "state": .enumeration(["waiting", "taken", "gone", "refused", "given_up"]), "tries": .integer(), "settled_at": .time.orNull,
            ])
        ).about("One for each subscription; `state` is `waiting taken gone refused given_up`"),
    ])
}

extension NoticesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "notices": .list(of: .of(NoticeAnswer.self)), "has_more": .boolean, "unseen": .integer(),
    ])
}

extension AcknowledgedNoticesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["acknowledged": .integer()])
}

extension QuietHoursBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["from": .timeOfDay, "to": .endTimeOfDay, "time_zone": .text(1...64, example: "Europe/Berlin")],
        optional: ["critical_override": .boolean.about("True to deliver requests that wait for an answer during quiet hours; default true")]
    )
}

extension EscalationBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "after_seconds": .integer(Escalation.range), "person_id": .id.about("The person who is notified next of a ring or an ask"),
    ])
}

extension NotificationsBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "enabled": .boolean,
        "kinds": .list(of: .enumeration(NoticeKind.self), 0...NoticeKind.allCases.count * 2).about("The kinds to be sent"),
        "muted": .list(of: .text(1...100), 0...200).about("Ids of cameras and of other sources"),
        "quiet_hours": .of(QuietHoursBody.self).orNull,
        "cooldown_seconds": .integer(NoticePreferences.cooldownRange).about("A visit gives one notice within this time"),
        "escalation": .of(EscalationBody.self).orNull.about(
            "`{after_seconds: 30–3600, person_id}`: the person who is notified of a ring or an ask without an acknowledgement"),
    ])
    public static let example: JSONValue? = [
        "kinds": ["ask", "ring", "person"],
        "quiet_hours": ["from": "22:00", "to": "07:00", "time_zone": "Europe/Berlin", "critical_override": true],
    ]
}

extension NotificationsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "enabled": .boolean, "kinds": .list(of: .enumeration(NoticeKind.self)), "muted": .list(of: .text()),
        "quiet_hours": .of(QuietHoursBody.self).orNull, "cooldown_seconds": .integer(), "escalation": .of(EscalationBody.self).orNull,
        "version": .version,
    ])
}
