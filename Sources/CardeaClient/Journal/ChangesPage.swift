import CardeaAPI
import CardeaModel
import Foundation

public struct ChangesPage: Decodable, Sendable {
    public let events: [ChangeEvent]
    /// Where to go on.
    public let next: Int64
    /// Whether there is more to be had at once.
    public let more: Bool

    enum CodingKeys: String, CodingKey {
        case next, more
        case events = "changes"
    }
}
