import CardeaModel

extension Schema {
    fileprivate static let share = number(0...1)
}

extension RememberBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["type": .enumeration(MemoryType.self), "content": .text(1...4000)],
        optional: [
            "title": .name, "category": .name, "importance": .share, "tags": .list(of: .name, 0...32),
            "related_devices": .list(of: .deviceID, 0...64), "is_pinned": .boolean, "context": .map(atMost: 64),
        ])
    public static let example: JSONValue? = ["type": "semantic", "content": "The boiler was serviced in May."]
}

extension ChangeMemoryBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [:],
        optional: [
            "memory_type": .enumeration(MemoryType.self), "title": .name, "content": .text(1...4000), "category": .name,
            "importance": .share,
            "tags": .list(of: .name, 0...32), "related_devices": .list(of: .deviceID, 0...64), "is_pinned": .boolean,
            "correction": .of(HabitCorrectionBody.self),
        ])
    public static let example: JSONValue? = ["is_pinned": true]
}

extension HabitCorrectionBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [:],
        optional: [
            "shut_by": .timeOfDay, "low": .number(), "high": .number(),
            "hours": .list(of: .integer(0...167), 1...168), "active": .boolean, "relearn": .boolean,
        ]
    ).about("One of: shut_by; low and high; hours and active; relearn")
    public static let example: JSONValue? = ["shut_by": "22:00"]
}

extension MemoryAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "memory_id": .id, "memory_type": .enumeration(MemoryType.self).about("A single event, a fact or a procedure"), "category": .text(),
        "importance": .share, "title": .text(),
        "content": .text(), "details": .map(), "source": .enumeration(["sensor", "user_interaction", "internal", "learned"]),
        "confidence": .share, "access_count": .integer(from: 0), "tags": .list(of: .text()),
        "related_devices": .list(of: .deviceID).about("Their ids"),
        "is_pinned": .boolean, "may_change": .boolean.about("True if the caller may change it"),
        "version": .version.about("0 for memories computed at each read"), "created_at": .time, "last_accessed": .time.orNull,
        "told_by": .text().orNull.about("The name of its author"), "experience": Schema.of(ExperienceAnswer.self).orNull,
        "correction": Schema.of(CorrectionAnswer.self).orNull.about("A person's correction of a habit"),
    ])
}

extension ExperienceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "outcome": .enumeration(["positive", "negative", "neutral"]), "impact_score": .number(-1...1),
    ])
}

extension CorrectionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "forgotten": .boolean, "shut_by": Schema.timeOfDay.orNull, "low": .number().orNull, "high": .number().orNull,
        "hours": Schema(["type": ["array", "null"], "items": Schema.integer(0...167).json]), "active": .boolean.orNull, "at": .time,
    ])
}

extension MemoriesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["memories": .list(of: .of(MemoryAnswer.self)), "total": .integer(from: 0).about("Number of matches, counted to 200")],
        optional: [
            "searched_since": Schema.time.about(
                "Events before this time were searched by name only; absent if everything was searched")
        ])
}

extension RememberedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "memory_id": .id, "status": .enumeration(["stored"]), "timestamp": .time, "memory": .of(MemoryAnswer.self),
    ])
}
