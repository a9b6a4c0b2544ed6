import CardeaAPI
import CardeaModel
import Foundation

/// Maintenance tasks of the house, and their history.
public struct MaintenanceTasks: Sendable {
    let caller: AuthenticatedClient

    public struct Filter: Sendable {
        /// Due before this day.
        public var dueBefore: CalendarDay?
        public var isOverdue = false
        /// In this room, or about a device there.
        public var roomID: String?
        public var deviceID: String?
        /// Also one-time tasks that are done.
        public var withDone = false

        public init() {}
    }

    public func list(_ filter: Filter = Filter()) async throws(ClientError) -> MaintenanceListAnswer {
        var query: [(String, String)] = []
        if let day = filter.dueBefore { query.append(("due_before", day.description)) }
        if filter.isOverdue { query.append(("overdue", "true")) }
        if let id = filter.roomID { query.append(("room_id", id)) }
        if let id = filter.deviceID { query.append(("device_id", id)) }
        if filter.withDone { query.append(("done", "true")) }
        return try await caller.read(.get("api", "v1", "maintenance", query: query))
    }

    public func get(_ id: String) async throws(ClientError) -> MaintenanceAnswer {
        try await caller.read(.get("api", "v1", "maintenance", .id(id)))
    }

    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func add(_ body: MaintenanceBody, key: String? = nil) async throws(ClientError) -> MaintenanceAnswer {
        try await caller.read(.write(.post, ["api", "v1", "maintenance"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Changes the fields that are set in `body`.
    ///
    /// - Parameters:
    ///   - seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func change(
        _ id: String, _ body: ChangeMaintenanceBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> MaintenanceAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "maintenance", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Records that the task was done. A repeated call with the same key is recorded once.
    public func complete(
        _ id: String, _ body: CompleteMaintenanceBody = CompleteMaintenanceBody(), seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> MaintenanceDoneAnswer {
        var call = try APICall.write(.post, ["api", "v1", "maintenance", .id(id), "complete"], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Deletes a task and its history.
    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "maintenance", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }

    /// Times the task was done, newest first.
    ///
    /// - Parameters:
    ///   - before: the last one of the page before.
    ///   - limit: 1 to 200.
    public func history(_ id: String, before: String? = nil, limit: Int = 50) async throws(ClientError) -> MaintenanceHistoryAnswer {
        let query = [("limit", "\(limit)")] + (before.map { [("before", $0)] } ?? [])
        return try await caller.read(.get("api", "v1", "maintenance", .id(id), "history", query: query))
    }
}
