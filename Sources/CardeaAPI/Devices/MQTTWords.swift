import CardeaModel

/// What the hub says and hears on an MQTT broker. Which topics carry states and commands, each device's announcement says.
enum MQTTWords {
    static let channels: [String: AsyncAPI.Channel] = [
        "presence": AsyncAPI.Channel(
            address: "cardea/status", server: "broker", words: "Whether the hub is there: retained, QoS 1, and `offline` as its last will.",
            says: [text("presence", "The hub is there, or is not", .words(["online", "offline"]))]),
        "birth": AsyncAPI.Channel(
            address: "{prefix}/status", server: "broker", words: "Whoever announces devices comes back.", parameters: prefix,
            hears: [text("birth", "Announcements follow", .text(example: "online"))]),
        "announcement": announcement("{prefix}/{component}/{object}/config", [:]),
        "announcement_of_node": announcement("{prefix}/{component}/{node}/{object}/config", ["node": "Whose it is"]),
        "state": AsyncAPI.Channel(
            address: "{state_topic}", server: "broker", words: "What an entity says, on the topic its announcement named.",
            parameters: ["state_topic": "From the announcement, as are availability and attribute topics"],
            hears: [text("state", "Read by the announcement's template", .text(example: "LOCKED"))]),
        "command": AsyncAPI.Channel(
            address: "{command_topic}", server: "broker",
            words: "An order: once, QoS 0, never retained, with an expiry over MQTT 5. Never to `$` topics, nor to the hub's own.",
            parameters: ["command_topic": "From the announcement"],
            says: [text("command", "As the announcement writes it", .text(example: "UNLOCK"))]),
    ]

    private static let prefix = ["prefix": "`homeassistant`, or what the settings say"]

    /// Home Assistant's MQTT discovery; an empty one takes the entity away.
    private static func announcement(_ address: String, _ more: [String: String]) -> AsyncAPI.Channel {
        let parameters = ["component": "`lock`, `cover`, `sensor`, …, or `device` for several at once", "object": "Which one"]
        return AsyncAPI.Channel(
            address: address, server: "broker", words: "Home Assistant's MQTT discovery; an empty one takes the entity away.",
            parameters: prefix.merging(parameters) { $1 }.merging(more) { $1 },
            hears: [AsyncAPI.Message(name: "announcement", words: "What there is, and on which topics", payload: .map())])
    }

    private static func text(_ name: String, _ words: String, _ payload: Schema) -> AsyncAPI.Message {
        AsyncAPI.Message(name: name, words: words, payload: payload, contentType: "text/plain")
    }
}
