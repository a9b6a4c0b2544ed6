/// What a button says to a broker (Seed 002, `Action`).
public struct Publication: Hashable, Sendable, Codable {
    public var via: Broker
    public var topic: String
    /// What is said. The first `%T` in it becomes the encrypted moment of saying it.
    public var message: String
    /// How much harm it can do. Nobody but whoever wired it knows, so it is taken for a door unless they say otherwise.
    public var risk: Risk
    /// Where the device says that it has done it; nil for one that never says so.
    public var stateTopic: String?
    /// What it says there; nil where whatever comes after the press will do.
    public var stateMessage: String?
    /// Whether the message goes out in an envelope that the device can check.
    public var isSigned: Bool
    /// Whether there is a key for `%T`. The key itself is kept apart.
    public var hasTimestampKey: Bool

    public enum Broker: String, Hashable, Sendable, Codable, CaseIterable {
        /// The house's own broker.
        case mqtt
        /// A broker for buttons alone.
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

    /// Why something cannot be published. The words are those that people who use such buttons know (Seed 002).
    public enum PublicationError: String, Error, Hashable, Sendable {
        case noTopic = "MQTT topic empty"
        case topic = "MQTT topic has no +, # or control characters and at most 1024 bytes"
        case noMessage = "message empty"
        case message = "message has at most 8192 bytes"
        case stateTopic = "state topic has no +, # or control characters and at most 1024 bytes"
        case ownTopic = "state topic is the topic of the message: the house would hear itself"
        case stateMessage = "state message has at most 8192 bytes and needs a state topic"
        case timestampKey = "timestamp key format incorrect"
        case risk = "risk is open or control"

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

    /// What stands where the moment goes.
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
