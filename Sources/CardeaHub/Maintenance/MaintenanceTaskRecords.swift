import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Maintenance as rows.
enum MaintenanceTaskRecords {
    private static let columns = columns(title: "title", notes: "notes")
    private static let openedColumns = columns(
        title: "opened(title, 'maintenance_tasks.title', id)", notes: "opened(notes, 'maintenance_tasks.notes', id)")

    private static func columns(title: String, notes: String) -> String {
        """
        id, \(title), category, priority, recurrence, starts_on, due_on, device_id, room_id, \(notes), is_predictive, told_on, done_at, \
        version, created_at, changed_at
        """
    }

    /// The tasks by the day on which they are due; on one day, those with a higher priority come first.
    static func all(_ filter: MaintenanceTasks.Filter, today: CalendarDay, _ db: Database) throws -> [MaintenanceTask] {
        let before = filter.isOverdue ? min(filter.dueBefore ?? today, today) : filter.dueBefore
        return try Row.fetchAll(
            db,
            sql: """
                SELECT \(openedColumns) FROM maintenance_tasks
                WHERE (:before IS NULL OR due_on < :before) AND (:device IS NULL OR device_id = :device) AND (:done OR done_at IS NULL)
                    AND (:room IS NULL OR room_id = :room OR device_id IN (SELECT id FROM devices WHERE room_id = :room))
                ORDER BY due_on IS NULL, due_on, instr('urgent high normal low', priority),
                    opened(title, 'maintenance_tasks.title', id) COLLATE NOCASE, id
                """,
            arguments: ["before": before?.description, "device": filter.deviceID, "room": filter.roomID, "done": filter.includesDone]
        ).map(task)
    }

    static func one(_ id: String, _ db: Database) throws -> MaintenanceTask? {
        try Row.fetchOne(db, sql: "SELECT \(openedColumns) FROM maintenance_tasks WHERE id = ?", arguments: [id]).map(task)
    }

    static func count(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM maintenance_tasks") ?? 0 }

    /// Returns the tasks without a reminder yet, the earliest first.
    static func awaitingReminder(limit: Int, _ db: Database) throws -> [MaintenanceTask] {
        try Row.fetchAll(
            db,
            sql: "SELECT \(openedColumns) FROM maintenance_tasks WHERE due_on > coalesce(told_on, '') ORDER BY due_on, id LIMIT ?",
            arguments: [limit]
        ).map(task)
    }

    static func markReminded(_ id: String, on day: CalendarDay, in db: Database) throws {
        try db.execute(sql: "UPDATE maintenance_tasks SET told_on = ? WHERE id = ?", arguments: [day.description, id])
    }

    static func write(_ task: MaintenanceTask, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO maintenance_tasks (\(columns))
                VALUES (?1, sealed(?, 'maintenance_tasks.title', ?1), ?, ?, ?, ?, ?, ?, ?, sealed(?, 'maintenance_tasks.notes', ?1),
                    ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET title = excluded.title, category = excluded.category, priority = excluded.priority,
                    recurrence = excluded.recurrence, starts_on = excluded.starts_on, due_on = excluded.due_on,
                    device_id = excluded.device_id, room_id = excluded.room_id, notes = excluded.notes, told_on = excluded.told_on,
                    done_at = excluded.done_at, version = excluded.version, changed_at = excluded.changed_at
                """,
            arguments: [
                task.id, task.title, task.category.rawValue, task.priority.rawValue, task.due?.recurrence?.rawValue,
                task.due?.from.description, task.due?.on.description, task.deviceID, task.roomID, task.notes, task.isPredictive,
                task.notifiedOn?.description, task.doneAt?.milliseconds, task.version, task.createdAt.milliseconds,
                task.changedAt.milliseconds,
            ])
    }

    private static func task(_ row: Row) -> MaintenanceTask {
        let on = (row[6] as String?).flatMap { CalendarDay($0) }
        return MaintenanceTask(
            id: row[0], title: row[1], category: .init(rawValue: row[2]) ?? .other, priority: .init(rawValue: row[3]) ?? .normal,
            due: on.map {
                .init(
                    on: $0, recurrence: (row[4] as String?).flatMap(Recurrence.init(rawValue:)),
                    from: (row[5] as String?).flatMap { CalendarDay($0) })
            }, deviceID: row[7], roomID: row[8], notes: row[9], isPredictive: row[10],
            toldOn: (row[11] as String?).flatMap { CalendarDay($0) }, doneAt: (row[12] as Int64?).map(Date.init(milliseconds:)),
            version: row[13], createdAt: Date(milliseconds: row[14]), changedAt: Date(milliseconds: row[15]))
    }

    // MARK: Completions

    private static let selectCompletions = """
        SELECT h.number, h.task_id, h.due_on, h.completed_at, h.completed_by, opened(p.name, 'people.name', p.id), h.cost_minor,
            h.currency, opened(h.notes, 'maintenance_history.notes', h.number),
            opened(h.service_provider, 'maintenance_history.service_provider', h.number)
        FROM maintenance_history h LEFT JOIN people p ON p.id = h.completed_by
        """

    /// The latest first.
    static func history(of id: String, before number: Int64?, limit: Int, _ db: Database) throws -> [MaintenanceCompletion] {
        try Row.fetchAll(
            db,
            sql: """
                \(selectCompletions) WHERE h.task_id = :id AND (:before IS NULL OR (h.completed_at, h.number)
                    < (SELECT completed_at, number FROM maintenance_history WHERE number = :before))
                ORDER BY h.completed_at DESC, h.number DESC LIMIT :limit
                """, arguments: ["id": id, "before": number, "limit": limit]
        ).map(completion)
    }

    static func completion(_ number: Int64, _ db: Database) throws -> MaintenanceCompletion? {
        try Row.fetchOne(db, sql: "\(selectCompletions) WHERE h.number = ?", arguments: [number]).map(completion)
    }

    static func completionCount(of id: String, _ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM maintenance_history WHERE task_id = ?", arguments: [id]) ?? 0
    }

    static func lastCompletion(of id: String, _ db: Database) throws -> Date? {
        try Int64.fetchOne(db, sql: "SELECT max(completed_at) FROM maintenance_history WHERE task_id = ?", arguments: [id])
            .map(Date.init(milliseconds:))
    }

    /// - Returns: its number.
    static func add(_ completion: MaintenanceCompletion, in db: Database) throws -> Int64 {
        // Values are sealed for their row, so its number must be known before it is inserted.
        let number = 1 + (try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'maintenance_history'") ?? 0)
        try db.execute(
            sql: """
                INSERT INTO maintenance_history (number, task_id, due_on, completed_at, completed_by, cost_minor, currency, notes,
                    service_provider)
                VALUES (?1, ?, ?, ?, ?, ?, ?, sealed(?, 'maintenance_history.notes', ?1),
                    sealed(?, 'maintenance_history.service_provider', ?1))
                """,
            arguments: [
                number, completion.taskID, completion.dueOn?.description, completion.completedAt.milliseconds, completion.completedBy,
                completion.cost?.minor, completion.cost?.currency, completion.notes, completion.serviceProvider,
            ])
        return number
    }

    private static func completion(_ row: Row) -> MaintenanceCompletion {
        let (minor, currency) = (row[6] as Int64?, row[7] as String?)
        return MaintenanceCompletion(
            number: row[0], taskID: row[1], dueOn: (row[2] as String?).flatMap { CalendarDay($0) }, completedAt: Date(milliseconds: row[3]),
            completedBy: row[4], completedByName: row[5],
            cost: minor.flatMap { minor in currency.flatMap { Money(minor: minor, currency: $0) } }, notes: row[8], serviceProvider: row[9])
    }
}
