import CardeaAPI
import Foundation

/// What each device last said, and what was asked of it; rooms as they hold their warmth; what would be.
public struct Twins: Sendable {
    let caller: AuthenticatedClient

    /// - Parameters:
    ///   - syncStatus: only twins that stand so: `out_of_sync`.
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

    /// Makes a twin of another fidelity than a device's own, or one of a device that is only planned. Made again, it is as it was made last.
    ///
    /// - Parameter key: the wish's own name, where it may have been asked for before.
    public func create(_ body: TwinBody, key: String? = nil) async throws(ClientError) -> TwinMadeAnswer {
        try await caller.read(.write(.post, ["api", "v1", "twins"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Takes back what was made; a device's own twin stays.
    public func remove(_ id: String, key: String? = nil) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "twins", .id(id)], key: key ?? caller.newIdempotencyKey))
    }

    /// What would be, by what was. Nothing is done by asking.
    public func whatIf(_ body: WhatIfBody) async throws(ClientError) -> WhatIfAnswer {
        var call = try APICall.write(.post, ["api", "v1", "predictions", "what-if"], body)
        call.isIdempotent = true
        return try await caller.read(call)
    }
}
