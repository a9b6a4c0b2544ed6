import CardeaModel
import Foundation

/// One message on its way to a broker.
public struct BrokerMessage: Sendable {
    public let topic: String
    public let payload: [UInt8]
    public let risk: Risk
    public let commandID: String
    /// After this it is worthless and must not be sent.
    public let notAfter: Date
    /// The reply that the device sends, and what to do with it.
    public let expectedReply: ExpectedReply?

    public struct ExpectedReply: Sendable {
        public let topic: String
        /// Returns whether a payload on the topic, received after the message was sent, is the reply.
        public let matches: @Sendable ([UInt8]) -> Bool
        public let onReply: @Sendable () async -> Void

        public init(topic: String, isMeant: @escaping @Sendable ([UInt8]) -> Bool, onReply: @escaping @Sendable () async -> Void) {
            self.topic = topic
            self.matches = isMeant
            self.onReply = onReply
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
