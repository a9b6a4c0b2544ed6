import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation
import GRDB

/// A queued question with the house's late answer.
public struct LateAnswer: Codable, Hashable, Sendable {
    /// The queue's entry.
    public let id: String
    public let query: String
    public let response: String
    public let askedAt: Date
    public let answeredAt: Date

    enum CodingKeys: String, CodingKey {
        case id, query, response
        case askedAt = "asked_at"
        case answeredAt = "answered_at"
    }
}
