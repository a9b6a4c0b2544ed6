import CardeaAPI
import CardeaModel
import Foundation

/// What the house does by itself.
public struct Automations: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> AutomationsAnswer {
        try await caller.read(.get("api", "v1", "automations"))
    }

    public func get(_ id: String) async throws(ClientError) -> AutomationAnswer {
        try await caller.read(.get("api", "v1", "automations", .id(id)))
    }

    /// Has the house do something by itself. Whoever adds it answers for it, and needs the right to each of its actions.
    ///
    /// - Parameter key: the wish's own name, where it may have been asked for before.
    public func add(_ body: AutomationBody, key: String? = nil) async throws(ClientError) -> AutomationAnswer {
        try await caller.read(.write(.post, ["api", "v1", "automations"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Makes one another. Whoever does answers for it from then on; only switched off, it stays whose it was.
    ///
    /// - Parameters:
    ///   - seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    ///   - key: the change's own name, where it may have been asked for before.
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

    /// What came of it, newest first.
    ///
    /// - Parameters:
    ///   - before: the last run of the page before.
    ///   - limit: 1 to 200.
    public func history(_ id: String, before: String? = nil, limit: Int = 50) async throws(ClientError) -> AutomationHistoryAnswer {
        let query = [("limit", "\(limit)")] + (before.map { [("before", $0)] } ?? [])
        return try await caller.read(.get("api", "v1", "automations", .id(id), "history", query: query))
    }

    /// What it would have done over the last days. Nothing is moved.
    ///
    /// - Parameter days: 1 to 30.
    public func dryRun(_ id: String, days: Int = 7) async throws(ClientError) -> AutomationTrialAnswer {
        var call = try APICall.write(
            .post, ["api", "v1", "automations", .id(id), "dry-run"], AutomationTrialBody(days: days), key: caller.newIdempotencyKey)
        call.isIdempotent = true
        return try await caller.read(call)
    }
}
