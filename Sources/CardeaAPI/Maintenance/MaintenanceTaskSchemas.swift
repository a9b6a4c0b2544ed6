import CardeaModel

extension Schema {
    /// A day of the calendar, by the house's clock.
    public static let day = Schema(["type": "string", "format": "date", "examples": ["2026-11-30"]])
    fileprivate static let note = text(0...500)
}

extension MaintenanceBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["title": .name],
        optional: [
            "category": .enumeration(MaintenanceTask.Category.self).about("Default `other`"),
            "priority": .enumeration(MaintenanceTask.Priority.self).about("Default `normal`"),
            "due_on": .day.about("A day of 2000 to 2199. Omitted: no date"),
            "recurrence": .enumeration(Recurrence.self).about("Default: once; a recurrence needs a first day"),
            "device_id": .deviceID, "room_id": .id, "notes": .note,
        ])
    public static let example: JSONValue? = [
        "title": "Change the filter", "category": "heating", "due_on": "2027-01-31", "recurrence": "monthly",
    ]
}

extension ChangeMaintenanceBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "title": .name, "category": .enumeration(MaintenanceTask.Category.self), "priority": .enumeration(MaintenanceTask.Priority.self),
        "due_on": .day.about("First day of the recurrence; null for no due day"),
        "recurrence": .enumeration(Recurrence.self).about("null for a task without a recurrence"), "device_id": .deviceID, "room_id": .id,
        "notes": .note,
    ])
    public static let example: JSONValue? = ["due_on": "2027-02-15"]
}

extension MaintenanceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "task_id": .id, "title": .text(), "category": .enumeration(MaintenanceTask.Category.self),
        "priority": .enumeration(MaintenanceTask.Priority.self), "due_on": .day.orNull.about("A day by the house's clock: `2027-01-31`"),
        "recurrence": .enumeration(Recurrence.self).orNull,
        "device_id": .deviceID.orNull, "room_id": .id.orNull, "notes": .text().orNull,
        "is_predictive": .boolean.about("True if the house created it"),
        "done_at": .time.orNull.about("Completion of a task without a recurrence"), "version": .version, "created_at": .time,
        "changed_at": .time,
    ])
}

extension MaintenanceListAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "tasks": .list(of: .of(MaintenanceAnswer.self)), "total": .integer(from: 0),
        "today": .day.about("Today in the house's time zone; earlier due days are overdue"),
    ])
}

extension MoneyBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "minor": .integer(0...Int(Money.maximum)).about("In the smallest unit: 1299 EUR is 12.99 euros"),
        "currency": .text(matching: "^[A-Z]{3}$", example: "EUR"),
    ])
}

extension CompleteMaintenanceBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "completed_at": .time.about("Default: now"),
        "cost": .of(MoneyBody.self), "notes": .note, "service_provider": .name,
    ])
    public static let example: JSONValue? = ["cost": ["minor": 1299, "currency": "EUR"], "notes": "Filter G4"]
}

extension MaintenanceCompletionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "completion_id": .id, "due_on": .day.orNull.about("The day for which it was done"), "completed_at": .time,
        "completed_by": .id.orNull.about("null for an erased person"), "completed_by_name": .text().orNull,
        "cost": .of(MoneyBody.self).orNull.about("In the smallest unit: `{minor: 1299, currency: \"EUR\"}` are 12.99 euros"),
        "notes": .text().orNull,
        "service_provider": .text().orNull,
    ])
}

extension MaintenanceDoneAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["task": .of(MaintenanceAnswer.self), "completion": .of(MaintenanceCompletionAnswer.self)])
}

extension MaintenanceHistoryAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "task_id": .id, "completions": .list(of: .of(MaintenanceCompletionAnswer.self)), "has_more": .boolean,
    ])
}
