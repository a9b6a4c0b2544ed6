import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// An operation for the house that is pending or ended.
public struct OutboxEntry: Sendable {
    /// The operation's id: its idempotency key for every try.
    public let id: String
    public let operation: OutboxOperation
    public let madeAt: Date
    /// The time after which it is not sent any more; nil if it never expires.
    public let notAfter: Date?
    /// The number of tries without a final answer.
    public let tries: Int
    public let status: Status

    public enum Status: Hashable, Sendable {
        /// The house has certainly not received it.
        case waiting
        /// The house may have received it.
        case sent
        /// It never will be done, or the outcome is unknown.
        case ended(OutboxOutcome)
    }

    /// Three tries, then a person must look at it.
    public static let attemptLimit = 3
}
