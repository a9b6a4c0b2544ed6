import CardeaModel

/// A button's message to a broker (Seed 002, `Action`).
public struct PublishBody: WireFormat.Body, Encodable, Sendable {
    /// The house's broker if omitted.
    public var via: ButtonPublication.Broker?
    public var topic: String
    /// The first `%T` in it becomes the encrypted moment of saying it.
    public var message: String
    /// `open` if omitted: the message may let a person in.
    public var risk: Risk?
    /// The topic on which the device confirms the action.
    public var stateTopic: String?
    /// The text of the confirmation; if omitted, any message after the press confirms.
    public var stateMessage: String?
    /// True if the message is sent in an envelope that the device can verify.
    public var signed: Bool?
    /// For `%T`: 32 hexadecimal digits. The one before if omitted, and none if it is empty.
    public var timestampKey: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case via, topic, message, risk, signed
        case stateTopic = "state_topic"
        case stateMessage = "state_message"
        case timestampKey = "timestamp_key"
    }

    public init(via: ButtonPublication.Broker? = nil, topic: String, message: String, risk: Risk? = nil) {
        self.via = via
        self.topic = topic
        self.message = message
        self.risk = risk
    }

    public var publication: ButtonPublication {
        ButtonPublication(
            via: via ?? .mqtt, topic: topic, message: message, risk: risk ?? .open, stateTopic: stateTopic, stateMessage: stateMessage,
            isSigned: signed ?? false)
    }
}

/// A button's message to a broker, without its keys.
public struct PublishAnswer: Codable, Sendable {
    public let via: ButtonPublication.Broker
    public let topic: String
    public let message: String
    public let risk: Risk
    @Nullable public private(set) var stateTopic: String?
    @Nullable public private(set) var stateMessage: String?
    public let signed: Bool
    public let hasTimestampKey: Bool

    enum CodingKeys: String, CodingKey {
        case via, topic, message, risk, signed
        case stateTopic = "state_topic"
        case stateMessage = "state_message"
        case hasTimestampKey = "has_timestamp_key"
    }

    public init(_ publication: ButtonPublication) {
        via = publication.via
        topic = publication.topic
        message = publication.message
        risk = publication.risk
        signed = publication.isSigned
        hasTimestampKey = publication.hasTimestampKey
        stateTopic = publication.stateTopic
        stateMessage = publication.stateMessage
    }
}

/// `POST /api/v1/buttons/{id}/signing-key`: the key with which the device checks envelopes. It is never shown again.
public struct SigningKeyAnswer: Codable, Sendable {
    public let buttonID: String
    /// 64 hexadecimal digits.
    public let key: String
    /// The device's name in an envelope: the topic that it subscribes to.
    public let device: String

    enum CodingKeys: String, CodingKey {
        case key, device
        case buttonID = "button_id"
    }

    public init(buttonID: String, key: String, device: String) {
        self.buttonID = buttonID
        self.key = key
        self.device = device
    }
}
