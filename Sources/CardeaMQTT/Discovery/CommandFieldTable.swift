import CardeaModel
import CardeaSecurity

/// The members of an announcement by which its device is told to act, with the values that Home Assistant takes where they are missing.
///
/// They are kept as they were announced, and not as they are understood: a hub that understands more of them later finds the same. Whoever adds
/// a member to a kind of way in makes one of every such door that has it announced otherwise, unless a migration adds it to what is known.
enum CommandFieldTable {
    private struct Defaults {
        var opening: [String: String?]
        var harmless: [String: String?] = [:]
    }

    /// - Parameters:
    ///   - members: with long names and whole topics.
    ///   - topics: the topics on which the entity is told anything.
    /// - Returns: nil where it is told nothing.
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

    /// Of other kinds all that is about commands, and where the state is told.
    private static func isAboutCommands(_ member: String) -> Bool {
        if member == "state_topic" { return true }
        guard member != "payload_available", member != "payload_not_available" else { return false }
        return member.contains("command") || member.hasPrefix("payload_") || member == "schema"
    }

    private static let limit = 1024

    /// A long one by its digest: nobody reads it.
    private static func text(_ value: JSONValue) -> String {
        let text = DeviceText.write(value) ?? (try? CanonicalJSON.encode(value)) ?? ""
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
