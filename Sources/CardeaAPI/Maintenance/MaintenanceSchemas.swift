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
            "category": .enumeration(MaintenanceTask.Category.self).about("`other` when left out"),
            "priority": .enumeration(MaintenanceTask.Priority.self).about("`normal` when left out"),
            "due_on": .day.about("From 2000 to 2199; without a day it is to be done some time"),
            "recurrence": .enumeration(Recurrence.self).about("Once when left out; it takes a day on which it begins"),
            "device_id": .deviceID, "room_id": .id, "notes": .note,
        ])
    public static let example: JSONValue? = [
        "title": "Change the filter", "category": "heating", "due_on": "2027-01-31", "recurrence": "monthly",
    ]
}

extension ChangeMaintenanceBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "title": .name, "category": .enumeration(MaintenanceTask.Category.self), "priority": .enumeration(MaintenanceTask.Priority.self),
        "due_on": .day.about("The series is counted from here; null for some time"),
        "recurrence": .enumeration(Recurrence.self).about("null for once"), "device_id": .deviceID, "room_id": .id, "notes": .note,
    ])
    public static let example: JSONValue? = ["due_on": "2027-02-15"]
}

extension MaintenanceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "task_id": .id, "title": .text(), "category": .enumeration(MaintenanceTask.Category.self),
        "priority": .enumeration(MaintenanceTask.Priority.self), "due_on": .day.orNull, "recurrence": .enumeration(Recurrence.self).orNull,
        "device_id": .deviceID.orNull, "room_id": .id.orNull, "notes": .text().orNull,
        "is_predictive": .boolean.about("Whether the house itself found that it is needed"),
        "done_at": .time.orNull.about("When it was done, where it was to be done once"), "version": .version, "created_at": .time,
        "changed_at": .time,
    ])
}

extension MaintenanceListAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "tasks": .list(of: .of(MaintenanceAnswer.self)), "total": .integer(from: 0),
        "today": .day.about("What day it is in the house: what is due before it is overdue"),
    ])
}

extension MoneyBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "minor": .integer(0...Int(Money.maximum)).about("In the smallest unit: 1299 EUR are 12.99 euros"),
        "currency": .text(matching: "^[A-Z]{3}$", example: "EUR"),
    ])
}

extension CompleteMaintenanceBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "completed_at": .time.about("Now when left out"),
        "cost": .of(MoneyBody.self), "notes": .note, "service_provider": .name,
    ])
    public static let example: JSONValue? = ["cost": ["minor": 1299, "currency": "EUR"], "notes": "Filter G4"]
}

extension MaintenanceCompletionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "completion_id": .id, "due_on": .day.orNull.about("The day for which it was done"), "completed_at": .time,
        "completed_by": .id.orNull, "completed_by_name": .text().orNull, "cost": .of(MoneyBody.self).orNull, "notes": .text().orNull,
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
