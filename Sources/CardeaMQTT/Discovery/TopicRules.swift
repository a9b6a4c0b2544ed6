/// What may stand in a topic that a stranger names.
enum TopicRules {
    static let limit = 1024

    /// A topic to listen to: one topic, no wildcards, nothing invisible.
    static func isPlain(_ topic: String) -> Bool {
        !topic.isEmpty && topic.utf8.count <= limit
            && topic.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{7F}" && $0 != "+" && $0 != "#" }
    }

    /// A prefix as it was typed, without spaces around it and slashes at its end: `frigate` of `frigate/`.
    static func normalized(_ prefix: String) -> String {
        var prefix = DeviceText.trimmed(prefix)
        while prefix.hasSuffix("/") { prefix.removeLast() }
        return prefix
    }

    /// A topic to send commands to. `$` topics steer the broker itself, and our rights there are not a device's to use.
    static func isForCommands(_ topic: String) -> Bool {
        isPlain(topic) && !topic.hasPrefix("$") && !topic.hasPrefix("cardea/")
    }
}

/// Where an announcement came from: `<prefix>/<component>/[<node>/]<object>/config`.
struct DiscoveryTopic: Hashable, Sendable {
    let text: String
    /// `lock`, `sensor`, …, or `device` for a bundle.
    let component: String
    /// What tells it from others of its component.
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

    /// What to subscribe to, to hear every announcement.
    static func filters(prefix: String) -> [String] { ["\(prefix)/+/+/config", "\(prefix)/+/+/+/config"] }
}
