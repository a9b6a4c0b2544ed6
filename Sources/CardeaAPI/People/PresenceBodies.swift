import CardeaModel
import Foundation

/// `PUT /api/v1/people/me/presence`
public struct PresenceBody: WireFormat.Body, Encodable, Sendable {
    public var isHome: Bool

    public enum CodingKeys: String, CodingKey, CaseIterable { case isHome = "is_home" }

    public init(isHome: Bool) {
        self.isHome = isHome
    }
}

public struct PresenceAnswer: Codable, Sendable {
    public let personID: String
    public let isHome: Bool
    /// Since when they say so.
    public let since: Date

    enum CodingKeys: String, CodingKey {
        case since
        case personID = "person_id"
        case isHome = "is_home"
    }

    public init(personID: String, isHome: Bool, since: Date) {
        self.personID = personID
        self.isHome = isHome
        self.since = since
    }
}
