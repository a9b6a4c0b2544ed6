import CardeaModel
import Foundation

/// A review item of Frigate: several objects at once, and whether they are urgent.
struct FrigateReview: Hashable, Sendable {
    let phase: FrigateEvent.Phase
    let id: String
    let camera: String
    let isAlert: Bool
    let startedAt: Date
    /// The ids of its events.
    let events: [String]
    let sounds: [String]
    let zones: [String]
    let isAudioOnly: Bool

    init?(_ payload: [UInt8]) {
        guard let (phase, after) = FrigateVocabulary.change(payload), let id = after["id"]?.string, FrigateVocabulary.isName(id),
            let camera = after["camera"]?.string, FrigateVocabulary.isName(camera),
            let startedAt = FrigateVocabulary.date(after["start_time"]),
            let severity = after["severity"]?.string
        else { return nil }
        self.phase = phase
        self.id = id
        self.camera = camera
        self.startedAt = startedAt
        isAlert = severity == "alert"
        events = FrigateVocabulary.names(after["data"]?["detections"])
        sounds = FrigateVocabulary.names(after["data"]?["audio"])
        zones = FrigateVocabulary.names(after["data"]?["zones"])
        isAudioOnly = FrigateVocabulary.names(after["data"]?["objects"]).isEmpty && !sounds.isEmpty
    }
}
