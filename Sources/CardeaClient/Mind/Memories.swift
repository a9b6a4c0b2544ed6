import CardeaAPI
import CardeaModel
import Foundation

/// Memories of the house: facts that people told it, things it learned, and events.
public struct Memories: Sendable {
    let caller: AuthenticatedClient

    /// Filters memories. A nil field does not filter.
    public struct Filter: Hashable, Sendable {
        public var words: String?
        public var type: MemoryType?
        public var category: String?
        public var deviceID: String?
        /// Seconds, in whole minutes. If nil, the house searches the last week, or with words its whole memory.
        public var last: TimeInterval?
        /// 1 to 200.
        public var limit: Int

        public init(
            words: String? = nil, type: MemoryType? = nil, category: String? = nil, deviceID: String? = nil, last: TimeInterval? = nil,
            limit: Int = 10
        ) {
            self.words = words
            self.type = type
            self.category = category
            self.deviceID = deviceID
            self.last = last
            self.limit = limit
        }
    }

    /// The most relevant first.
    public func list(_ search: Filter = Filter()) async throws(ClientError) -> MemoriesAnswer {
        let minutes = search.last.map { Int(min(max($0 / 60, 1), 9999).rounded(.up)) }
        let days = search.last.map { Int(min(max($0 / 86_400, 1), 9999).rounded(.up)) }
        let span = search.last.flatMap { $0 > 9999 * 60 ? days.map { "\($0)d" } : minutes.map { "\($0)m" } }
        let query = [
            ("q", search.words), ("memory_type", search.type?.rawValue), ("category", search.category), ("device_id", search.deviceID),
            ("time_range", span), ("limit", "\(search.limit)"),
        ]
        return try await caller.read(.get("api", "v1", "memory", query: query.compactMap { name, value in value.map { (name, $0) } }))
    }

    public func get(_ id: String) async throws(ClientError) -> MemoryAnswer {
        try await caller.read(.get("api", "v1", "memory", .id(id)))
    }

    /// Adds a memory.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func remember(_ body: RememberBody, key: String? = nil) async throws(ClientError) -> RememberedAnswer {
        try await caller.read(.write(.post, ["api", "v1", "memory"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Changes a memory, or describes a habit.
    ///
    /// - Parameter seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    public func change(
        _ id: String, _ body: ChangeMemoryBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> MemoryAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "memory", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Deletes a memory, or stops learning a habit.
    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "memory", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }
}
