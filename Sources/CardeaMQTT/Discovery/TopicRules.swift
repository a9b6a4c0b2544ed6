/// The rules for topics in announcements, which are untrusted.
enum TopicRules {
    static let limit = 1024

    /// A topic to listen to: one topic, no wildcards, nothing invisible.
    static func isPlain(_ topic: String) -> Bool {
        !topic.isEmpty && topic.utf8.count <= limit
            && topic.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{7F}" && $0 != "+" && $0 != "#" }
    }

    /// Returns a prefix without spaces around it and slashes at its end: `frigate` for `frigate/`.
    static func normalized(_ prefix: String) -> String {
        var prefix = PayloadText.trimmed(prefix)
        while prefix.hasSuffix("/") { prefix.removeLast() }
        return prefix
    }

    /// A topic to send commands to. `$` topics steer the broker itself, and our rights there are not a device's to use.
    static func isForCommands(_ topic: String) -> Bool {
        isPlain(topic) && !topic.hasPrefix("$") && !topic.hasPrefix("cardea/")
    }
}
