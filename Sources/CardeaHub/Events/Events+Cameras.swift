import CardeaModel
import CardeaStore
import Foundation

/// Turns detections of the house's own cameras into ordinary events.
extension Events: CameraEventSink {
    /// The principals that record events of the cameras and other sources. No caller over the network can be one of them.
    static let camerasPrincipal = Principal.integration("cameras")
    static let sourcesPrincipal = Principal.integration("sources")

    public func report(_ sighting: CameraEvent) async throws {
        let draft = Draft(
            source: "cameras", cameraID: sighting.cameraID, type: sighting.kind.rawValue,
            description: sighting.zones.isEmpty ? nil : "In " + sighting.zones.joined(separator: ", "), occurredAt: sighting.at,
            picture: sighting.picture)
        try await recordUnlessSkipped(draft, by: Self.camerasPrincipal, call: nil)
    }

    /// A detection skipped for lack of disk space is not an error, or its source would report it again and again.
    func recordUnlessSkipped(_ draft: Draft, by principal: Principal, call: IdempotencyKey?) async throws {
        if let type = DetectionType(rawValue: draft.type.lowercased()), skips(type) { return }
        _ = try await record(draft, by: principal, call: call, origin: .house)
    }

    /// Returns whether this call was answered before.
    func isRecorded(_ call: IdempotencyKey, by principal: Principal) async throws -> Bool {
        let now = environment.now()
        return try await store.read { try Self.isReplay(call, idempotency, by: principal, at: now, in: $0) }
    }
}
