import CardeaModel
import CardeaSecurity

/// The members of an announcement that define commands, with Home Assistant's defaults for missing ones.
///
/// They are stored as announced, not as parsed, so that a hub that understands more of them later computes the same. Adding a member to a
/// kind of door makes every door that has it look newly announced, unless a migration adds it to the stored values.
enum CommandFieldTable {
    private struct Defaults {
        var opening: [String: String?]
        var harmless: [String: String?] = [:]
    }

    /// - Parameters:
    ///   - members: with long names and whole topics.
    ///   - topics: the command topics of the entity.
    /// - Returns: nil if it takes no commands.
    static func commandFields(of kind: EntityKind, _ members: [String: JSONValue], topics: Set<String>) -> EntityCommandTopics? {
        guard !topics.isEmpty else { return nil }
        guard let known = table[kind] else {
            return EntityCommandTopics(opening: members.filter { isAboutCommands($0.key) }.mapValues(text), topics: topics)
        }
        return EntityCommandTopics(
            opening: announcedValues(known.opening, members), harmless: announcedValues(known.harmless, members), topics: topics)
    }

    private static func announcedValues(_ known: [String: String?], _ members: [String: JSONValue]) -> [String: String] {
        known.reduce(into: [:]) { said, member in
            guard let value = members[member.key], value != .null || member.value != nil else {
                return said[member.key] = member.value
            }
            said[member.key] = text(value)
        }
    }

    /// For other kinds everything about commands, and the state topic.
    private static func isAboutCommands(_ member: String) -> Bool {
        if member == "state_topic" { return true }
        guard member != "payload_available", member != "payload_not_available" else { return false }
        return member.contains("command") || member.hasPrefix("payload_") || member == "schema"
    }

    private static let limit = 1024

    /// Returns the text; a long one as its digest.
    private static func text(_ value: JSONValue) -> String {
        let text = PayloadText.write(value) ?? (try? CanonicalJSON.encode(value)) ?? ""
        guard text.utf8.count > limit else { return text }
        return "SHA-256 " + Secret(text).digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let table: [EntityKind: Defaults] = [
        .lock: Defaults(
            opening: commands.merging(["payload_unlock": "UNLOCK", "payload_open": nil]) { $1 }, harmless: ["payload_lock": "LOCK"]),
        .cover: Defaults(
            opening: [
                "command_topic": nil, "state_topic": nil, "position_topic": nil, "payload_open": "OPEN", "set_position_topic": nil,
                "set_position_template": nil, "position_open": "100", "position_closed": "0", "tilt_command_topic": nil,
                "tilt_command_template": nil,
            ], harmless: ["payload_close": "CLOSE", "payload_stop": "STOP", "payload_stop_tilt": "STOP"]),
        .valve: Defaults(
            opening: commands.merging(
                ["payload_open": "OPEN", "position_open": "100", "position_closed": "0", "reports_position": nil]
            ) { $1 }, harmless: ["payload_close": "CLOSE", "payload_stop": nil]),
        .button: Defaults(opening: commands.merging(["payload_press": "PRESS"]) { $1 }),
        .switch: Defaults(opening: commands.merging(["payload_on": "ON", "payload_off": "OFF"]) { $1 }),
        .alarm: Defaults(
            opening: commands.merging(["payload_disarm": "DISARM"]) { $1 },
            harmless: [
                "payload_arm_home": "ARM_HOME", "payload_arm_away": "ARM_AWAY", "payload_arm_night": "ARM_NIGHT",
                "payload_arm_vacation": "ARM_VACATION", "payload_arm_custom_bypass": "ARM_CUSTOM_BYPASS", "payload_trigger": "TRIGGER",
            ]),
    ]

    private static let commands: [String: String?] = ["command_topic": nil, "command_template": nil, "state_topic": nil]
}
