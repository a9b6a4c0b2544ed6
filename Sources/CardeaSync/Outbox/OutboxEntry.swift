import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Something the house is still to hear of.
public struct OutboxEntry: Sendable {
    /// The operation's id. The house hears of it under this name, however often it is said.
    public let id: String
    public let operation: OutboxOperation
    public let madeAt: Date
    /// After this it is not sent any more; nil where it keeps.
    public let notAfter: Date?
    /// Times the house was asked and gave no answer that ends it.
    public let tries: Int
    public let status: Status

    public enum Status: Hashable, Sendable {
        /// The house has certainly not heard of it.
        case waiting
        /// The house may have heard of it.
        case sent
        /// It never will be done, or nobody can say whether it was.
        case ended(OutboxOutcome)
    }

    /// Three tries, then a person must look at it.
    public static let attemptLimit = 3
}
