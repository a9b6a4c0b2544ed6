/// A button's message to a broker (Seed 002, `Action`).
public struct ButtonPublication: Hashable, Sendable, Codable {
    public var via: Broker
    public var topic: String
    /// The message. The first `%T` in it becomes the encrypted time of publishing.
    public var message: String
    /// The risk of the action. The hub cannot know it, so it counts as opening a door unless the person who sets it up says otherwise.
    public var risk: Risk
    /// The topic on which the device confirms the action; nil for a device that never does.
    public var stateTopic: String?
    /// The confirming message; nil if any message after the press confirms it.
    public var stateMessage: String?
    /// True if the message is sent in an envelope that the device can verify.
    public var isSigned: Bool
    /// True if there is a key for `%T`. The key itself is kept apart.
    public var hasTimestampKey: Bool

    public enum Broker: String, Hashable, Sendable, Codable, CaseIterable {
        /// The house's own broker.
        case mqtt
        /// A broker for buttons only.
        case endpoint
    }

    public init(
        via: Broker = .mqtt, topic: String, message: String, risk: Risk = .open, stateTopic: String? = nil, stateMessage: String? = nil,
        isSigned: Bool = false, hasTimestampKey: Bool = false
    ) {
        self.via = via
        self.topic = topic
        self.message = message
        self.risk = risk
        self.stateTopic = stateTopic
        self.stateMessage = stateMessage
        self.isSigned = isSigned
        self.hasTimestampKey = hasTimestampKey
    }

    /// The reason why something cannot be published. The words are those that people who use such buttons know (Seed 002).
    public enum PublicationError: String, Error, Hashable, Sendable {
        case noTopic = "MQTT topic empty"
        case topic = "MQTT topic must not have +, # or control characters, and at most 1024 bytes"
        case noMessage = "message empty"
        case message = "message must have at most 8192 bytes"
        case stateTopic = "state topic must not have +, # or control characters, and at most 1024 bytes"
        case ownTopic = "state topic must differ from the MQTT topic"
        case stateMessage = "state message must have at most 8192 bytes, and needs a state topic"
        case timestampKey = "timestamp key format incorrect"
        case risk = "risk must be open or control"

        /// The field of the body that it is about.
        public var field: String {
            switch self {
            case .noTopic, .topic: "publish.topic"
            case .noMessage, .message: "publish.message"
            case .stateTopic, .ownTopic: "publish.state_topic"
            case .stateMessage: "publish.state_message"
            case .timestampKey: "publish.timestamp_key"
            case .risk: "publish.risk"
            }
        }
    }

    /// The placeholder for the time of publishing.
    public static let timestampPlaceholder = "%T"
    public static let topicLimit = 1024
    public static let messageLimit = 8192

    public func check() throws(PublicationError) {
        if topic.isEmpty { throw .noTopic }
        guard Self.isTopic(topic) else { throw .topic }
        if message.isEmpty { throw .noMessage }
        guard message.utf8.count <= Self.messageLimit, !message.utf8.contains(0) else { throw .message }
        guard risk == .open || risk == .control else { throw .risk }
        if let stateTopic, stateTopic.isEmpty || !Self.isTopic(stateTopic) { throw .stateTopic }
        if stateTopic == topic { throw .ownTopic }
        if let stateMessage, stateTopic == nil || stateMessage.utf8.count > Self.messageLimit { throw .stateMessage }
        guard hasTimestampKey || !message.contains(Self.timestampPlaceholder) else { throw .timestampKey }
    }

    /// MQTT 5, section 4.7: a name, no filter. What begins with `$` is the broker's own.
    private static func isTopic(_ text: String) -> Bool {
        text.utf8.count <= topicLimit && !text.hasPrefix("$")
            && text.unicodeScalars.allSatisfy { !["+", "#"].contains($0) && $0.properties.generalCategory != .control }
    }
}
