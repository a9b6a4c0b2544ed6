import CardeaModel
import Foundation

/// Where Frigate says what: below its topic prefix.
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

/// What Frigate says of one thing that it follows through a camera's picture, from `new` by any number of `update` to `end`.
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

    /// Something that was only heard: of that Frigate tells nothing but the review.
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

/// What Frigate thinks should be looked at: several things at once, and whether they are urgent.
struct FrigateReview: Hashable, Sendable {
    let phase: FrigateEvent.Phase
    let id: String
    let camera: String
    let isAlert: Bool
    let startedAt: Date
    /// The ids of what belongs to it.
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

enum FrigateVocabulary {
    /// The longest message that is read; Frigate's have about two thousand bytes.
    static let payloadLimit = 64 * 1024
    static let nameLimit = 64
    static let listLimit = 32

    static func change(_ payload: [UInt8]) -> (FrigateEvent.Phase, JSONValue)? {
        guard payload.count <= payloadLimit, let json = JSONValue.read(payload),
            let phase = json["type"]?.string.flatMap(FrigateEvent.Phase.init), let after = json["after"]
        else { return nil }
        return (phase, after)
    }

    /// What Frigate lets cameras and zones be called, and what it makes its ids of.
    static func isName(_ text: String) -> Bool {
        (1...nameLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                let scalar = UnicodeScalar(byte)
                return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                    || ["-", "_", "."].contains(scalar)
            }
    }

    static func names(_ json: JSONValue?) -> [String] {
        guard case .array(let all)? = json else { return [] }
        // Labels may consist of two words, and a review writes `person-verified` of one that it recognised.
        return all.prefix(listLimit).compactMap(\.string).filter { isName($0.replacing(" ", with: "_")) }
    }

    static func date(_ json: JSONValue?) -> Date? {
        guard let seconds = json?.number, (0..<10_000_000_000).contains(seconds) else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    /// A text, or a text with a score, by the version of Frigate.
    static func recognised(_ json: JSONValue?) -> String? {
        var text = json?.string
        if case .array(let parts)? = json { text = parts.first?.string }
        return text.map { Name.cleaned(String($0.prefix(nameLimit)), else: "") }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What the house calls it. What Frigate knows beyond the house's words is carried as it is.
    static func type(of label: String) -> DetectionType? {
        let word = label.lowercased().replacing(" ", with: "_")
        if vehicles.contains(word) { return .vehicle }
        if animals.contains(word) { return .animal }
        return DetectionType(rawValue: word)
    }

    // The labels of its usual model, and of those that can be had for it.
    private static let vehicles: Set = [
        "car", "truck", "bus", "motorcycle", "bicycle", "boat", "train", "airplane", "school_bus", "van", "vehicle",
    ]
    private static let animals: Set = [
        "animal", "dog", "cat", "bird", "horse", "sheep", "cow", "bear", "elephant", "zebra", "giraffe", "deer", "fox", "raccoon",
        "rabbit", "squirrel", "skunk", "goat", "kangaroo", "opossum", "pig", "coyote",
    ]
}
