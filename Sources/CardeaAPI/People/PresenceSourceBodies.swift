import Foundation

/// `GET /api/v1/people/me/presence/source`: the entity that reports whether the person is home, and those they may choose from.
public struct PresenceSourceAnswer: Codable, Sendable {
    /// nil if no entity is linked.
    public let linked: Linked?
    public let candidates: [Candidate]

    public struct Linked: Codable, Sendable {
        public let integration: String
        /// nil, as the name is, while the integration is away and if it no longer has the entity.
        public let entityID: String?
        public let name: String?
        public let linkedAt: Date

        enum CodingKeys: String, CodingKey {
            case integration, name
            case entityID = "entity_id"
            case linkedAt = "linked_at"
        }

        public init(integration: String, entityID: String?, name: String?, linkedAt: Date) {
            self.integration = integration
            self.entityID = entityID
            self.name = name
            self.linkedAt = linkedAt
        }
    }

    public struct Candidate: Codable, Sendable {
        public let integration: String
        public let entityID: String
        public let name: String

        enum CodingKeys: String, CodingKey {
            case integration, name
            case entityID = "entity_id"
        }

        public init(integration: String, entityID: String, name: String) {
            self.integration = integration
            self.entityID = entityID
            self.name = name
        }
    }

    public init(linked: Linked?, candidates: [Candidate]) {
        self.linked = linked
        self.candidates = candidates
    }
}

/// `PUT /api/v1/people/me/presence/source`
public struct PresenceSourceBody: WireFormat.Body, Encodable, Sendable {
    public var entityID: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case entityID = "entity_id" }

    public init(entityID: String) {
        self.entityID = entityID
    }
}
