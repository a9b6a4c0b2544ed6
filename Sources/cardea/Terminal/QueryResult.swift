import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// A query's answer, with its time if it comes from storage.
struct QueryResult<Answer: Encodable & Sendable>: Encodable, Sendable {
    let answer: Answer
    /// The time of the last confirmed state; nil if the house has just answered.
    let asOf: Date?

    init(_ answer: Answer, asOf: Date?) {
        self.answer = answer
        self.asOf = asOf
    }

    /// The wire's object; stored ones are marked as stale.
    func encode(to encoder: any Encoder) throws {
        try answer.encode(to: encoder)
        guard let asOf else { return }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(true, forKey: .stale)
        try container.encode(asOf, forKey: .asOf)
    }

    private enum CodingKeys: String, CodingKey {
        case stale
        case asOf = "as_of"
    }
}
