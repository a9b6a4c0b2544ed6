import CardeaModel
import Foundation

/// What the house's own cameras see becomes events like any other.
extension Events: SightingDesk {
    /// In whose name they record. Nobody who comes by the wire can be it.
    static let camerasName = "cameras"

    public func saw(_ sighting: CameraSighting) async throws {
        var draft = Draft(
            source: Self.camerasName, cameraID: sighting.cameraID, type: sighting.kind.rawValue,
            description: sighting.zones.isEmpty ? nil : "In " + sighting.zones.joined(separator: ", "), occurredAt: sighting.at,
            picture: sighting.picture)
        do {
            _ = try await record(draft, by: .integration(Self.camerasName), call: nil, origin: .house)
        } catch is Problem where draft.picture != nil {
            // That something moved is worth knowing also where its picture is no good, or there is no room for it just now.
            draft.picture = nil
            _ = try await record(draft, by: .integration(Self.camerasName), call: nil, origin: .house)
        }
    }
}
