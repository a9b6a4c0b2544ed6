import CardeaAPI
import Foundation

/// The cameras of the house. Every resident may view them; people who may change settings configure them.
public struct Cameras: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> CamerasAnswer {
        try await caller.read(.get("api", "v1", "cameras"))
    }

    public func get(_ id: String) async throws(ClientError) -> CameraAnswer {
        try await caller.read(.get("api", "v1", "cameras", .id(id)))
    }

    /// The camera's current picture as JPEG. Limited to 30 requests a minute.
    public func snapshot(of id: String) async throws(ClientError) -> Data {
        try await caller.response(.get("api", "v1", "cameras", .id(id), "snapshot")).body
    }

    /// Adds a camera. Its address and credentials are write-only: no answer contains them.
    public func add(_ body: AddCameraBody) async throws(ClientError) -> CameraAnswer {
        try await caller.read(.write(.post, ["api", "v1", "cameras"], body, key: caller.newIdempotencyKey))
    }

    /// Changes a camera; fields that are left out stay as they are.
    ///
    /// - Parameter seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    public func change(_ id: String, _ body: ChangeCameraBody, seen: Int? = nil) async throws(ClientError) -> CameraAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "cameras", .id(id)], body, key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Removes a camera. Its events are kept.
    ///
    /// - Parameter seen: as for a change.
    public func remove(_ id: String, seen: Int? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "cameras", .id(id)], key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }
}
