import CardeaAPI
import CardeaModel
import Foundation

public struct ChangesPage: Decodable, Sendable {
    public let events: [ChangeEvent]
    /// The position to continue from.
    public let next: Int64
    /// True if another page is available at once.
    public let more: Bool

    enum CodingKeys: String, CodingKey {
        case next, more
        case events = "changes"
    }
}
