import CardeaAPI
import Foundation

/// The cameras of the house. Everybody who lives here may look; who changes settings describes them.
public struct Cameras: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> CamerasAnswer {
        try await caller.read(.get("api", "v1", "cameras"))
    }

    public func get(_ id: String) async throws(ClientError) -> CameraAnswer {
        try await caller.read(.get("api", "v1", "cameras", .id(id)))
    }

    /// What the camera shows now, JPEG; thirty a minute.
    public func snapshot(of id: String) async throws(ClientError) -> Data {
        try await caller.response(.get("api", "v1", "cameras", .id(id), "snapshot")).body
    }

    /// Adds a camera. Its address and what signs in to it go in and never come out again.
    public func add(_ body: AddCameraBody) async throws(ClientError) -> CameraAnswer {
        try await caller.read(.write(.post, ["api", "v1", "cameras"], body, key: caller.newIdempotencyKey))
    }

    /// Describes a camera anew; what is left out stays as it is.
    ///
    /// - Parameter seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    public func change(_ id: String, _ body: ChangeCameraBody, seen: Int? = nil) async throws(ClientError) -> CameraAnswer {
        var call = try APICall.write(.patch, ["api", "v1", "cameras", .id(id)], body, key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Takes a camera out. What it saw stays.
    ///
    /// - Parameter seen: as for a change.
    public func remove(_ id: String, seen: Int? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "cameras", .id(id)], key: caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }
}
