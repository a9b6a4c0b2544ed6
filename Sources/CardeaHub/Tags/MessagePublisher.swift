import CardeaModel
import Foundation

/// What the hub needs of a connection to a broker in order to publish what buttons say.
public protocol MessagePublisher: Sendable {
    /// Publishes at quality 1, never retained, with what is left of its time as its expiry. Returns when the broker has taken it, or when
    /// it is sure that it will not.
    ///
    /// Nothing may keep it and publish it later: what cannot go out now is refused.
    func publish(_ message: BrokerMessage) async -> PublishResult
}

/// Where connections that publish for buttons say how they stand.
public protocol PublishingSink: Sendable {
    func reportConnection(_ way: Publication.Broker, isUp: Bool) async
}

/// One message on its way to a broker.
public struct BrokerMessage: Sendable {
    public let topic: String
    public let payload: [UInt8]
    public let risk: Risk
    public let commandID: String
    /// After this it is worthless and must not be sent.
    public let notAfter: Date
    /// Where the device answers, and what to do when it does.
    public let expectedReply: ExpectedReply?

    public struct ExpectedReply: Sendable {
        public let topic: String
        /// Whether what came there, after the message went out, is the answer.
        public let matches: @Sendable ([UInt8]) -> Bool
        public let onReply: @Sendable () async -> Void

        public init(topic: String, isMeant: @escaping @Sendable ([UInt8]) -> Bool, heard: @escaping @Sendable () async -> Void) {
            self.topic = topic
            self.matches = isMeant
            self.onReply = heard
        }
    }

    public init(topic: String, payload: [UInt8], risk: Risk, commandID: String, notAfter: Date, answer: ExpectedReply? = nil) {
        self.topic = topic
        self.payload = payload
        self.risk = risk
        self.commandID = commandID
        self.notAfter = notAfter
        self.expectedReply = answer
    }
}

/// What became of publishing.
public enum PublishResult: Hashable, Sendable {
    /// The broker has it.
    case acknowledged
    /// It went out, and the broker did not say that it has it.
    case unacknowledged
    /// Definitely not published; why, in words.
    case refused(String)

    // The seed's words for it (Seed 002).
    public static let notConnected = PublishResult.refused("client not connected")
    public static let dropped = PublishResult.refused("message dropped")
    static let timeout = "timeout"
}
