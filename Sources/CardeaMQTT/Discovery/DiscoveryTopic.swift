/// The topic of an announcement: `<prefix>/<component>/[<node>/]<object>/config`.
struct DiscoveryTopic: Hashable, Sendable {
    let text: String
    /// `lock`, `sensor`, …, or `device` for a bundle.
    let component: String
    /// The id that distinguishes it from others of its component.
    let object: String

    init?(_ topic: String, prefix: String) {
        guard topic.utf8.count <= TopicRules.limit, topic.hasPrefix(prefix + "/") else { return nil }
        let parts = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 || parts.count == 4, parts.last == "config", !parts.contains(""), let component = parts.first else {
            return nil
        }
        text = topic
        self.component = component
        object = parts.dropFirst().dropLast().joined(separator: "_")
    }

    /// The filters that match every announcement.
    static func filters(prefix: String) -> [String] { ["\(prefix)/+/+/config", "\(prefix)/+/+/+/config"] }
}
