import CardeaAPI
import CardeaModel
import Foundation

/// Automations of the house.
public struct Automations: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> AutomationsAnswer {
        try await caller.read(.get("api", "v1", "automations"))
    }

    public func get(_ id: String) async throws(ClientError) -> AutomationAnswer {
        try await caller.read(.get("api", "v1", "automations", .id(id)))
    }

    /// Adds an automation. The person who adds it is responsible for it, and needs the right to each of its actions.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func add(_ body: AutomationBody, key: String? = nil) async throws(ClientError) -> AutomationAnswer {
        try await caller.read(.write(.post, ["api", "v1", "automations"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Replaces an automation. The person who replaces it becomes responsible for it; only switching it off keeps the owner.
    ///
    /// - Parameters:
    ///   - seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func replace(
        _ id: String, _ body: AutomationBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> AutomationAnswer {
        var call = try APICall.write(.put, ["api", "v1", "automations", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "automations", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }

    /// Runs of the automation, newest first.
    ///
    /// - Parameters:
    ///   - before: the last run of the page before.
    ///   - limit: 1 to 200.
    public func history(_ id: String, before: String? = nil, limit: Int = 50) async throws(ClientError) -> AutomationHistoryAnswer {
        let query = [("limit", "\(limit)")] + (before.map { [("before", $0)] } ?? [])
        return try await caller.read(.get("api", "v1", "automations", .id(id), "history", query: query))
    }

    /// Simulates the automation over the last days. Nothing is moved.
    ///
    /// - Parameter days: 1 to 30.
    public func dryRun(_ id: String, days: Int = 7) async throws(ClientError) -> AutomationTrialAnswer {
        var call = try APICall.write(
            .post, ["api", "v1", "automations", .id(id), "dry-run"], AutomationTrialBody(days: days), key: caller.newIdempotencyKey)
        call.isIdempotent = true
        return try await caller.read(call)
    }
}
