import CardeaAPI
import Foundation

/// The last reported and the requested state of each device, the thermal behaviour of rooms, and predictions.
public struct Twins: Sendable {
    let caller: AuthenticatedClient

    /// - Parameters:
    ///   - syncStatus: only twins with this status: `out_of_sync`.
    ///   - fidelityLevel: only these: `expert`.
    public func list(
        of deviceID: String? = nil, syncStatus: String? = nil, fidelityLevel: String? = nil
    ) async throws(ClientError) -> TwinsAnswer {
        var query: [(String, String)] = []
        if let deviceID { query.append(("device_id", deviceID)) }
        if let syncStatus { query.append(("sync_status", syncStatus)) }
        if let fidelityLevel { query.append(("fidelity_level", fidelityLevel)) }
        return try await caller.read(.get("api", "v1", "twins", query: query))
    }

    public func get(_ id: String) async throws(ClientError) -> TwinDetailAnswer {
        try await caller.read(.get("api", "v1", "twins", .id(id)))
    }

    /// Creates a twin with a different fidelity than the device's own, or one of a planned device. Creating it again replaces it.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func create(_ body: TwinBody, key: String? = nil) async throws(ClientError) -> CreatedTwinAnswer {
        try await caller.read(.write(.post, ["api", "v1", "twins"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Removes a twin that was created; a device's own twin stays.
    public func remove(_ id: String, key: String? = nil) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "twins", .id(id)], key: key ?? caller.newIdempotencyKey))
    }

    /// Predicts the effect of a change from the house's history. The call changes nothing.
    public func whatIf(_ body: WhatIfBody) async throws(ClientError) -> WhatIfAnswer {
        var call = try APICall.write(.post, ["api", "v1", "predictions", "what-if"], body)
        call.isIdempotent = true
        return try await caller.read(call)
    }
}
