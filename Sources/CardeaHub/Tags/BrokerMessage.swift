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
