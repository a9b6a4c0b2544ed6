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
