import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The maintenance of the house: tasks, due dates and completions. Every resident sees them; changing them takes the right to manage
/// maintenance.
public struct MaintenanceTasks: Sendable {
    let store: Store
    let house: House
    let idempotency: IdempotencyStore
    let environment: HubEnvironment

    /// The wanted values of a task.
    public struct Draft: Sendable {
        public var title: String
        public var category: MaintenanceTask.Category
        public var priority: MaintenanceTask.Priority
        public var dueOn: CalendarDay?
        public var recurrence: Recurrence?
        public var deviceID: String?
        public var roomID: String?
        public var notes: String?

        public init(
            title: String, category: MaintenanceTask.Category = .other, priority: MaintenanceTask.Priority = .normal,
            dueOn: CalendarDay? = nil, recurrence: Recurrence? = nil, deviceID: String? = nil, roomID: String? = nil, notes: String? = nil
        ) {
            self.title = title
            self.category = category
            self.priority = priority
            self.dueOn = dueOn
            self.recurrence = recurrence
            self.deviceID = deviceID
            self.roomID = roomID
            self.notes = notes
        }

        fileprivate init(_ task: MaintenanceTask) {
            self.init(
                title: task.title, category: task.category, priority: task.priority, dueOn: task.due?.on, recurrence: task.due?.recurrence,
                deviceID: task.deviceID, roomID: task.roomID, notes: task.notes)
        }
    }

    /// The details of a completed task.
    public struct CompletionDraft: Sendable {
        /// Now if omitted.
        public var at: Date?
        public var cost: Money?
        public var notes: String?
        public var serviceProvider: String?

        public init(at: Date? = nil, cost: Money? = nil, notes: String? = nil, serviceProvider: String? = nil) {
            self.at = at
            self.cost = cost
            self.notes = notes
            self.serviceProvider = serviceProvider
        }
    }

    public struct Filter: Sendable {
        /// Due before this day.
        public var dueBefore: CalendarDay?
        public var isOverdue = false
        /// In this room, or about a device there.
        public var roomID: String?
        public var deviceID: String?
        /// Also completed one-time tasks.
        public var includesDone = false

        public init() {}
    }

    /// Tasks by the day on which they are due, and what day it is in the house.
    public struct Listing: Sendable {
        public let tasks: [MaintenanceTask]
        public let today: CalendarDay
    }

    public enum MaintenanceError: Error {
        case notFound
        case name(field: String, Name.NameError, limit: Int)
        case noSuchDevice
        case noSuchRoom
        /// A day in another century, or a series without a day on which it begins.
        case dueOn
        case recurrenceWithoutDay
        /// In the future, or long in the past.
        case completedAt
        /// It was to be done once, and is.
        case alreadyDone
        case full
        /// Another person changed it meanwhile.
        case stale(MaintenanceTask)
    }

    /// Limits on tasks and completions, so that they cannot fill the disk.
    static let limit = 1000
    static let historyLimit = 10_000
    static let years = 2000...2199

    private var today: CalendarDay { CalendarDay(environment.now(), in: house.current.timeZone) }

    // MARK: Reading

    public func all(_ filter: Filter = Filter(), seenBy principal: Principal) async throws -> Listing {
        let today = today
        return try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            return Listing(tasks: try MaintenanceTaskRecords.all(filter, today: today, db), today: today)
        }
    }

    public func one(_ id: String, seenBy principal: Principal) async throws -> MaintenanceTask {
        try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard let task = try MaintenanceTaskRecords.one(id, db) else { throw MaintenanceError.notFound }
            return task
        }
    }

    /// Returns the completions of a task, the latest first.
    ///
    /// - Parameters:
    ///   - number: only completions before this one.
    ///   - limit: 1 to 200.
    public func history(
        of id: String, before number: Int64? = nil, limit: Int = 50, seenBy principal: Principal
    ) async throws -> (completions: [MaintenanceCompletion], hasMore: Bool) {
        let limit = min(max(limit, 1), 200)
        return try await store.read { db in
            try People.require(.controlDevices, of: principal, in: db)
            guard try MaintenanceTaskRecords.one(id, db) != nil else { throw MaintenanceError.notFound }
            let found = try MaintenanceTaskRecords.history(of: id, before: number, limit: limit + 1, db)
            return (Array(found.prefix(limit)), found.count > limit)
        }
    }

    // MARK: Changing

    public func add(
        _ draft: Draft, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin
    ) async throws -> (MaintenanceTask, isReplay: Bool) {
        let (now, today, id) = (environment.now(), today, "task_" + environment.newID())
        return try await store.auditedWrite("maintenance.add", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                try People.require(.manageMaintenance, of: principal, in: context.db)
                guard try MaintenanceTaskRecords.count(context.db) < Self.limit else { throw MaintenanceError.full }
                var task = MaintenanceTask(id: id, title: "", createdAt: now, changedAt: now)
                try Self.apply(&task, with: draft, today: today, context.db)
                try MaintenanceTaskRecords.write(task, in: context.db)
                try Self.record("maintenance.add", id, in: context)
                return id
            }
            guard let task = try MaintenanceTaskRecords.one(outcome.answer, context.db) else { throw MaintenanceError.notFound }
            return (task, outcome.isReplay)
        }
    }

    /// Changes a task. A newly set day or series starts there, and reopens a completed task.
    public func change(
        _ id: String, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin,
        _ change: @escaping @Sendable (inout Draft) -> Void
    ) async throws -> MaintenanceTask {
        let (now, today) = (environment.now(), today)
        return try await store.auditedWrite("maintenance.change", by: principal, origin: origin, at: now) { context in
            try People.require(.manageMaintenance, of: principal, in: context.db)
            var task = try Self.fetchCurrent(id, seen, context.db)
            var draft = Draft(task)
            change(&draft)
            try Self.apply(&task, with: draft, today: today, context.db)
            task.version += 1
            task.changedAt = now
            try MaintenanceTaskRecords.write(task, in: context.db)
            try Self.record("maintenance.change", id, in: context)
            return task
        }
    }

    /// Records a completion and the next due date.
    public func complete(
        _ id: String, _ done: CompletionDraft, seen: ExpectedVersion, by principal: Principal, call: IdempotencyKey?, origin: RequestOrigin
    ) async throws -> (MaintenanceTask, MaintenanceCompletion, isReplay: Bool) {
        let (now, zone) = (environment.now(), house.current.timeZone)
        let notes = try Self.validated(done.notes, "notes", Name.checkDescription)
        let provider = try Self.validated(done.serviceProvider, "service_provider", limit: Name.limit, Name.check)
        let at = done.at ?? now
        guard at <= now, at >= Self.earliest else { throw MaintenanceError.completedAt }
        return try await store.auditedWrite("maintenance.complete", by: principal, origin: origin, at: now) { context in
            let outcome = try idempotency.run(call, in: context) {
                let person = try People.require(.manageMaintenance, of: principal, in: context.db)
                var task = try Self.fetchCurrent(id, seen, context.db)
                guard task.doneAt == nil else { throw MaintenanceError.alreadyDone }
                guard try MaintenanceTaskRecords.completionCount(of: id, context.db) < Self.historyLimit else {
                    throw MaintenanceError.full
                }
                let last = try MaintenanceTaskRecords.lastCompletion(of: id, context.db).map { CalendarDay($0, in: zone) }
                let number = try MaintenanceTaskRecords.add(
                    .init(
                        number: 0, taskID: id, dueOn: task.due?.on, completedAt: at, completedBy: person.id, completedByName: nil,
                        cost: done.cost, notes: notes, serviceProvider: provider), in: context.db)
                task.due = task.due?.next(
                    doneOn: CalendarDay(at, in: zone), last: last, made: CalendarDay(task.createdAt, in: zone))
                if task.due == nil { task.doneAt = at }
                task.version += 1
                task.changedAt = now
                try MaintenanceTaskRecords.write(task, in: context.db)
                try Self.record("maintenance.complete", id, in: context)
                return number
            }
            guard let task = try MaintenanceTaskRecords.one(id, context.db),
                let done = try MaintenanceTaskRecords.completion(outcome.answer, context.db)
            else {
                throw MaintenanceError.notFound
            }
            return (task, done, outcome.isReplay)
        }
    }

    /// Takes a task out, with its history.
    public func remove(_ id: String, seen: ExpectedVersion, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("maintenance.remove", by: principal, origin: origin, at: now) { context in
            try People.require(.manageMaintenance, of: principal, in: context.db)
            _ = try Self.fetchCurrent(id, seen, context.db)
            try context.db.execute(sql: "DELETE FROM maintenance_tasks WHERE id = ?", arguments: [id])
            try Self.record("maintenance.remove", id, in: context)
        }
    }

    // MARK: Rules

    /// 1 January 1970, the earliest date of a completion.
    private static let earliest = Date(timeIntervalSince1970: 0)

    private static func fetchCurrent(_ id: String, _ seen: ExpectedVersion, _ db: Database) throws -> MaintenanceTask {
        guard let task = try MaintenanceTaskRecords.one(id, db) else { throw MaintenanceError.notFound }
        guard seen.allows(task.version) else { throw MaintenanceError.stale(task) }
        return task
    }

    private static func apply(_ task: inout MaintenanceTask, with draft: Draft, today: CalendarDay, _ db: Database) throws {
        task.title = try validated(draft.title, "title", limit: Name.limit, Name.check) ?? ""
        task.notes = try validated(draft.notes, "notes", Name.checkDescription)
        (task.category, task.priority) = (draft.category, draft.priority)
        // The device may have been removed since; only a newly set one is checked.
        if let id = draft.deviceID, id != task.deviceID {
            guard try DeviceRecords.one(id, db) != nil else { throw MaintenanceError.noSuchDevice }
        }
        if let id = draft.roomID, id != task.roomID {
            guard try RoomRecords.one(id, db) != nil else { throw MaintenanceError.noSuchRoom }
        }
        (task.deviceID, task.roomID) = (draft.deviceID, draft.roomID)
        guard draft.dueOn != task.due?.on || draft.recurrence != task.due?.recurrence else { return }
        guard let day = draft.dueOn else {
            guard draft.recurrence == nil else { throw MaintenanceError.recurrenceWithoutDay }
            task.due = nil
            return
        }
        guard years.contains(day.year) else { throw MaintenanceError.dueOn }
        task.due = .init(on: day, recurrence: draft.recurrence)
        task.doneAt = nil
        // A person who sets a day that has come needs no reminder.
        task.notifiedOn = day <= today ? day : nil
    }

    private static func validated(
        _ text: String?, _ field: String, limit: Int = 500, _ check: (String) throws(Name.NameError) -> String?
    ) throws -> String? {
        guard let text else { return nil }
        do { return try check(text) } catch { throw MaintenanceError.name(field: field, error, limit: limit) }
    }

    private static func record(_ action: String, _ id: String, in context: TransactionContext) throws {
        let seq = try Journal.append(
            .maintenanceChanged, subject: id, data: action == "maintenance.remove" ? ["removed": true] : [:], at: context.now,
            in: context.db)
        try AuditLog.append(.init(who: .init(context.principal), action: action, result: .done, journalSeq: seq), in: context)
    }
}
