import CardeaModel
import Foundation

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
    init?(message review: FrigateReview) {
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
