import CardeaModel
import Foundation

/// The topics on which Frigate publishes, below its prefix.
struct FrigateTopics: Sendable {
    let prefix: String

    enum Topic: Hashable, Sendable {
        case available
        case events
        case reviews
        case snapshot(camera: String, label: String)
    }

    var filters: [String] { ["available", "events", "reviews", "+/+/snapshot"].map { "\(prefix)/\($0)" } }

    func read(_ topic: String) -> Topic? {
        guard topic.utf8.count <= CardeaMQTT.TopicRules.limit, topic.hasPrefix(prefix + "/") else { return nil }
        let parts = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch parts.count {
        case 1: return [Topic.available, .events, .reviews].first { "\($0)" == parts[0] }
        case 3 where parts[2] == "snapshot": return .snapshot(camera: parts[0], label: parts[1])
        default: return nil
        }
    }
}

/// A message of Frigate about one tracked object, from `new` by any number of `update` to `end`.
struct FrigateEvent: Hashable, Sendable {
    enum Phase: String, Sendable {
        case new, update, end
    }

    let phase: Phase
    let id: String
    let camera: String
    let label: String
    /// Whom or what Frigate recognised in it: a name, a carrier.
    let recognised: String?
    let zones: [String]
    /// Percent.
    let confidence: Int?
    let startedAt: Date
    let isFalse: Bool

    init?(_ payload: [UInt8]) {
        guard let (phase, after) = FrigateVocabulary.change(payload), let id = after["id"]?.string, FrigateVocabulary.isName(id),
            let camera = after["camera"]?.string, FrigateVocabulary.isName(camera), let label = after["label"]?.string,
            FrigateVocabulary.type(of: label) != nil, let startedAt = FrigateVocabulary.date(after["start_time"])
        else { return nil }
        self.phase = phase
        self.id = id
        self.camera = camera
        self.label = label
        self.startedAt = startedAt
        isFalse = after["false_positive"]?.bool ?? false
        recognised = FrigateVocabulary.recognised(after["sub_label"])
        let entered = FrigateVocabulary.names(after["entered_zones"])
        zones = entered.isEmpty ? FrigateVocabulary.names(after["current_zones"]) : entered
        confidence = [after["top_score"], after["score"]].lazy.compactMap { $0?.number }.first { (0...1).contains($0) }
            .map { Int(($0 * 100).rounded()) }
    }

    /// An audio detection: Frigate sends only the review for it.
    init?(heard review: FrigateReview) {
        guard review.isAudioOnly, let label = review.sounds.first, FrigateVocabulary.type(of: label) != nil else { return nil }
        phase = review.phase
        id = review.id
        camera = review.camera
        self.label = label
        recognised = nil
        zones = review.zones
        confidence = nil
        startedAt = review.startedAt
        isFalse = false
    }
}

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
