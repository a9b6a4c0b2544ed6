import CardeaModel
import Foundation

/// What others saw for the house becomes events like any other, each once.
///
/// Whether it was told before is asked of the kept answers, so a source may repeat itself after any restart, of its own or of the hub.
public struct EventSources: EventDesk {
    let events: Events
    let cameras: Cameras
    let surroundings: Surroundings

    /// What began longer ago is not taken: whether it was told before is remembered for a day.
    static let memory: TimeInterval = OnceOnly.kept / 2

    public func saw(_ sighting: SourceSighting) async throws {
        guard sighting.at > surroundings.now().addingTimeInterval(-Self.memory), !events.leavesOut(sighting.type) else { return }
        // Whatever else it says the second time, it is the same thing.
        let call = CallName(key: "\(sighting.source)/\(sighting.id)", method: "", path: "", body: Data())
        guard try await !events.isRecorded(call, by: Events.sources) else { return }
        let camera = try await sighting.camera.asyncMap { try await cameras.found($0) } ?? nil
        // Through a camera that is switched off here the house does not look, and so nobody looks for it.
        guard camera?.isEnabled != false else { return }
        var draft = Events.Draft(
            source: sighting.source, cameraID: camera?.id ?? sighting.deviceID, type: sighting.type.rawValue,
            description: sighting.description, confidence: sighting.confidence, occurredAt: sighting.at, picture: sighting.picture)
        if draft.cameraID == nil { draft.source = Name.cleaned("\(sighting.source)/\(sighting.place)", else: sighting.source) }
        draft.pictureProblem = sighting.pictureProblem
        if draft.picture == nil, let view = sighting.view {
            // A picture for which there is no room is not taken.
            if !events.reserve.isLow { draft.picture = await picture(through: view, of: sighting.type) }
            draft.pictureProblem = events.reserve.isLow ? .noRoom : .notTaken
        }
        try await events.recordAnyway(draft, by: Events.sources, call: call)
    }

    /// Seconds for which the house waits for a picture of what was seen.
    static func patience(_ type: DetectionType) -> TimeInterval {
        // Whoever stands at the door is not kept waiting for one.
        type == .ring ? 2 : 10
    }

    private func picture(through view: CameraSource, of type: DetectionType) async -> Data? {
        let end = surroundings.now().addingTimeInterval(Self.patience(type))
        return await withTaskGroup(of: Data?.self) { group in
            group.addTask { await cameras.picture(through: view) }
            group.addTask {
                // Cancelled is what it is when the picture came first.
                try? await surroundings.sleep(end)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    public func stands(_ kind: CameraKind, isThere: Bool) async {
        await cameras.stands(kind, isThere: isThere)
    }
}
