import CardeaAPI
import Foundation

/// Scenes: named sets of device actions.
public struct Scenes: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> ScenesAnswer {
        try await caller.read(.get("api", "v1", "scenes"))
    }

    /// Creates a scene. The caller needs the right to each of its actions.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func create(_ body: SceneBody, key: String? = nil) async throws(ClientError) -> SceneAnswer {
        try await caller.read(.write(.post, ["api", "v1", "scenes"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Replaces a scene.
    ///
    /// - Parameters:
    ///   - seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func replace(
        _ id: String, _ body: SceneBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> SceneAnswer {
        var call = try APICall.write(.put, ["api", "v1", "scenes", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Runs a scene, and waits for the result of each action. If the answer is lost, the same run is queried again.
    public func run(_ id: String) async throws(ClientError) -> BatchAnswer {
        var call = APICall.write(.post, ["api", "v1", "scenes", .id(id), "run"], key: caller.newIdempotencyKey).urgent()
        // The limit of one command: it may wait for its turn, for the device's report and for a garage door to arrive.
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }

    /// Deletes a scene.
    ///
    /// - Parameters:
    ///   - seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "scenes", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }
}
