import CardeaModel
import Foundation

/// Turns events of other sources into ordinary events, each recorded once.
///
/// The stored answers say whether an event was recorded before, so a source may repeat itself after any restart, its own or the hub's.
public struct IntegrationEventRecorder: EventSink {
    let events: Events
    let cameras: Cameras
    let environment: HubEnvironment

    /// The maximum age of a new event, in seconds. Older ones are ignored: the hub remembers for a day which events were reported.
    static let deduplicationPeriod: TimeInterval = IdempotencyStore.retention / 2

    public func report(_ sighting: IntegrationEvent) async throws {
        guard sighting.at > environment.now().addingTimeInterval(-Self.deduplicationPeriod), !events.skips(sighting.type) else { return }
        // A repeat with other content is still the same event.
        let call = IdempotencyKey(key: "\(sighting.source)/\(sighting.id)", method: "", path: "", body: Data())
        guard try await !events.isRecorded(call, by: Events.sourcesPrincipal) else { return }
        let camera = try await sighting.camera.asyncMap { try await cameras.find($0) } ?? nil
        // Events of a camera that is switched off are ignored.
        guard camera?.isEnabled != false else { return }
        var draft = Events.Draft(
            source: sighting.source, cameraID: camera?.id ?? sighting.deviceID, type: sighting.type.rawValue,
            description: sighting.description, confidence: sighting.confidence, occurredAt: sighting.at, picture: sighting.picture)
        if draft.cameraID == nil { draft.source = Name.cleaned("\(sighting.source)/\(sighting.place)", else: sighting.source) }
        draft.pictureProblem = sighting.pictureProblem
        if draft.picture == nil, let view = sighting.pictureEndpoint {
            // No picture is taken if there is no room for it.
            if !events.reserve.isLow { draft.picture = await picture(through: view, of: sighting.type) }
            draft.pictureProblem = events.reserve.isLow ? .noRoom : .notTaken
        }
        try await events.recordUnlessSkipped(draft, by: Events.sourcesPrincipal, call: call)
    }

    /// Seconds to wait for a picture of the event.
    static func pictureTimeout(_ type: DetectionType) -> TimeInterval {
        // A visitor at the door is not kept waiting for a picture.
        type == .ring ? 2 : 10
    }

    private func picture(through view: CameraSource, of type: DetectionType) async -> Data? {
        let end = environment.now().addingTimeInterval(Self.pictureTimeout(type))
        return await withTaskGroup(of: Data?.self) { group in
            group.addTask { await cameras.picture(through: view) }
            group.addTask {
                // Cancelled if the picture came first.
                try? await environment.sleep(end)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    public func reportAvailability(_ kind: CameraSourceKind, isThere: Bool) async {
        await cameras.reportAvailability(kind, isThere: isThere)
    }
}
