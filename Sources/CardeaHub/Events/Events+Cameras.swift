import CardeaModel
import CardeaStore
import Foundation

/// What the house's own cameras see becomes events like any other.
extension Events: CameraEventSink {
    /// In whose names they and other sources record. Nobody who comes by the wire can be one of them.
    static let camerasPrincipal = Principal.integration("cameras")
    static let sourcesPrincipal = Principal.integration("sources")

    public func report(_ sighting: CameraEvent) async throws {
        let draft = Draft(
            source: "cameras", cameraID: sighting.cameraID, type: sighting.kind.rawValue,
            description: sighting.zones.isEmpty ? nil : "In " + sighting.zones.joined(separator: ", "), occurredAt: sighting.at,
            picture: sighting.picture)
        try await recordUnlessSkipped(draft, by: Self.camerasPrincipal, call: nil)
    }

    /// A detection that is left out for want of room is no error, or its source would tell it again and again.
    func recordUnlessSkipped(_ draft: Draft, by principal: Principal, call: IdempotencyKey?) async throws {
        if let type = DetectionType(rawValue: draft.type.lowercased()), skips(type) { return }
        _ = try await record(draft, by: principal, call: call, origin: .house)
    }

    /// Whether this call was answered before.
    func isRecorded(_ call: IdempotencyKey, by principal: Principal) async throws -> Bool {
        let now = environment.now()
        return try await store.read { try Self.isReplay(call, once, by: principal, at: now, in: $0) }
    }
}
