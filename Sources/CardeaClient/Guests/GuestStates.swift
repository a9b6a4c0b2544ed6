import CardeaModel

/// How the things of a pass stand, as `GET /api/guest_access/states` tells.
public struct GuestStates: Codable, Sendable {
    public let entities: [Entity]

    public struct Entity: Codable, Sendable {
        public let entityID: String
        public let domain: String
        public let state: String
        public let friendlyName: String?

        enum CodingKeys: String, CodingKey {
            case domain, state
            case entityID = "entity_id"
            case friendlyName = "friendly_name"
        }
    }
}
