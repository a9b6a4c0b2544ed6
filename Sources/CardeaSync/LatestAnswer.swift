import CardeaAPI
import CardeaClient
import Foundation

/// An answer and, if it is an old one, the reason.
public struct LatestAnswer<Answer: Sendable>: Sendable {
    public let value: Answer
    /// The time when the house answered.
    public let asOf: Date
    /// The reason why the house did not answer; nil if it did, or if the stored answer was fresh enough.
    public let problem: ClientError?
}
