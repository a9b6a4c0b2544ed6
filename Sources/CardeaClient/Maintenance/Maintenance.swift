import CardeaAPI
import CardeaModel
import Foundation

/// What is to be done in the house, and what was done.
public struct Maintenance: Sendable {
    let caller: AuthenticatedClient

    public struct Filter: Sendable {
        /// Due before this day.
        public var dueBefore: CalendarDay?
        public var isOverdue = false
        /// In this room, or about a device there.
        public var roomID: String?
        public var deviceID: String?
        /// Also what was to be done once, and is.
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

    /// - Parameter key: the wish's own name, where it may have been asked for before.
    public func add(_ body: MaintenanceBody, key: String? = nil) async throws(ClientError) -> MaintenanceAnswer {
        try await caller.read(.write(.post, ["api", "v1", "maintenance"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Changes what is named in `body`.
    ///
    /// - Parameters:
    ///   - seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    ///   - key: the change's own name, where it may have been asked for before.
    public func change(
        _ id: String, _ body: ChangeMaintenanceBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> MaintenanceAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "maintenance", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Puts down that it was done. Asked again under the same key, it was done once.
    public func complete(
        _ id: String, _ body: CompleteMaintenanceBody = CompleteMaintenanceBody(), seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> MaintenanceDoneAnswer {
        var call = try APICall.write(.post, ["api", "v1", "maintenance", .id(id), "complete"], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Takes a task out, with its history.
    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "maintenance", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }

    /// What was done, the latest first.
    ///
    /// - Parameters:
    ///   - before: the last one of the page before.
    ///   - limit: 1 to 200.
    public func history(_ id: String, before: String? = nil, limit: Int = 50) async throws(ClientError) -> MaintenanceHistoryAnswer {
        let query = [("limit", "\(limit)")] + (before.map { [("before", $0)] } ?? [])
        return try await caller.read(.get("api", "v1", "maintenance", .id(id), "history", query: query))
    }
}
