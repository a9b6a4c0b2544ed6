import CardeaAPI
import Foundation

/// Several things asked at one touch, by a name.
public struct Scenes: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> ScenesAnswer {
        try await caller.read(.get("api", "v1", "scenes"))
    }

    /// Makes a scene. Whoever makes one needs the right to each of its actions.
    ///
    /// - Parameter key: the wish's own name, where it may have been asked for before.
    public func create(_ body: SceneBody, key: String? = nil) async throws(ClientError) -> SceneAnswer {
        try await caller.read(.write(.post, ["api", "v1", "scenes"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Makes a scene another.
    ///
    /// - Parameters:
    ///   - seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    ///   - key: the change's own name, where it may have been asked for before.
    public func replace(
        _ id: String, _ body: SceneBody, seen: Int? = nil, key: String? = nil
    ) async throws(ClientError) -> SceneAnswer {
        var call = try APICall.write(.put, ["api", "v1", "scenes", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Runs a scene, and waits for what becomes of each action. The same run is asked about again where its answer was lost.
    public func run(_ id: String) async throws(ClientError) -> BatchAnswer {
        var call = APICall.write(.post, ["api", "v1", "scenes", .id(id), "run"], key: caller.newIdempotencyKey).urgent()
        // As long as one command may take: waiting for its turn, for the device's word and for a garage door to arrive.
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }

    /// Forgets a scene.
    ///
    /// - Parameters:
    ///   - seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    ///   - key: the wish's own name, where it may have been asked for before.
    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "scenes", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }
}
