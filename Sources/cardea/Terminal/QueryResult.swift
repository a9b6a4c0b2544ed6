import CardeaAPI
import CardeaClient
import CardeaModel
import CardeaSecurity
import CardeaSync
import Foundation

/// What was looked at, and whether it is only what was kept.
struct QueryResult<Answer: Encodable & Sendable>: Encodable, Sendable {
    let answer: Answer
    /// Since when nobody has heard otherwise; nil where the house has just said so.
    let asOf: Date?

    init(_ answer: Answer, asOf: Date?) {
        self.answer = answer
        self.asOf = asOf
    }

    /// The wire's object; kept ones say so.
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
