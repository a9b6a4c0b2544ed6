import CardeaAPI
import CardeaClient
import Foundation

/// An answer, and where it is an old one, why.
public struct LatestAnswer<Answer: Sendable>: Sendable {
    public let value: Answer
    /// When the house was asked.
    public let asOf: Date
    /// Why the house was not asked again; nil where it was, or needed not be.
    public let problem: ClientError?
}
