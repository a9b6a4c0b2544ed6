import CardeaModel
import Foundation

/// What others saw for the house becomes events like any other, each once.
///
/// Whether it was told before is asked of the kept answers, so a source may repeat itself after any restart, of its own or of the hub.
public struct SourceEventRecorder: EventSink {
    let events: Events
    let cameras: Cameras
    let environment: HubEnvironment

    /// What began longer ago is not taken: whether it was told before is remembered for a day.
    static let deduplicationPeriod: TimeInterval = IdempotencyStore.retention / 2

    public func report(_ sighting: SourceEvent) async throws {
        guard sighting.at > environment.now().addingTimeInterval(-Self.deduplicationPeriod), !events.skips(sighting.type) else { return }
        // Whatever else it says the second time, it is the same thing.
        let call = IdempotencyKey(key: "\(sighting.source)/\(sighting.id)", method: "", path: "", body: Data())
        guard try await !events.isRecorded(call, by: Events.sourcesPrincipal) else { return }
        let camera = try await sighting.camera.asyncMap { try await cameras.find($0) } ?? nil
        // Through a camera that is switched off here the house does not look, and so nobody looks for it.
        guard camera?.isEnabled != false else { return }
        var draft = Events.Draft(
            source: sighting.source, cameraID: camera?.id ?? sighting.deviceID, type: sighting.type.rawValue,
            description: sighting.description, confidence: sighting.confidence, occurredAt: sighting.at, picture: sighting.picture)
        if draft.cameraID == nil { draft.source = Name.cleaned("\(sighting.source)/\(sighting.place)", else: sighting.source) }
        draft.pictureProblem = sighting.pictureProblem
        if draft.picture == nil, let view = sighting.pictureEndpoint {
            // A picture for which there is no room is not taken.
            if !events.reserve.isLow { draft.picture = await picture(through: view, of: sighting.type) }
            draft.pictureProblem = events.reserve.isLow ? .noRoom : .notTaken
        }
        try await events.recordUnlessSkipped(draft, by: Events.sourcesPrincipal, call: call)
    }

    /// Seconds for which the house waits for a picture of what was seen.
    static func pictureTimeout(_ type: DetectionType) -> TimeInterval {
        // Whoever stands at the door is not kept waiting for one.
        type == .ring ? 2 : 10
    }

    private func picture(through view: CameraSource, of type: DetectionType) async -> Data? {
        let end = environment.now().addingTimeInterval(Self.pictureTimeout(type))
        return await withTaskGroup(of: Data?.self) { group in
            group.addTask { await cameras.picture(through: view) }
            group.addTask {
                // Cancelled is what it is when the picture came first.
                try? await environment.sleep(end)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    public func reportAvailability(_ kind: CameraKind, isThere: Bool) async {
        await cameras.reportAvailability(kind, isThere: isThere)
    }
}
