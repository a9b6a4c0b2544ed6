import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// The reason why an operation ended without being done.
public struct OutboxOutcome: Codable, Hashable, Sendable {
    public enum Kind: String, Codable, Hashable, Sendable {
        /// Expired; it was never sent.
        case expired
        /// Refused by the house or the device.
        case refused
        /// It may have been done.
        case unknown
        /// A question was answered late; `reason` is the answer.
        case answered
    }

    public let kind: Kind
    /// In a sentence.
    public let reason: String
    /// The time when a question was answered.
    public let at: Date?

    public init(_ kind: Kind, _ reason: String, at: Date? = nil) {
        self.kind = kind
        self.reason = reason
        self.at = at
    }
}
