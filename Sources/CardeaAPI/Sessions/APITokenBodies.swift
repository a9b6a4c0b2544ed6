import CardeaModel
import Foundation

/// `POST /api/v1/auth/api-tokens`
public struct MakeAPITokenBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    /// If omitted, all rights of the role.
    public var grants: [GrantBody]?
    /// If omitted, one's own.
    public var role: String?
    /// If omitted, until it is revoked.
    public var expiresAt: Date?
    /// True if it may report what was seen at the house. With an empty list of grants it may do nothing else.
    public var recordsEvents: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, grants, role
        case expiresAt = "expires_at"
        case recordsEvents = "records_events"
    }

    public init(
        name: String, grants: [GrantBody]? = nil, role: String? = nil, expiresAt: Date? = nil, recordsEvents: Bool? = nil
    ) {
        self.name = name
        self.grants = grants
        self.role = role
        self.expiresAt = expiresAt
        self.recordsEvents = recordsEvents
    }
}

public struct APITokenAnswer: Codable, Sendable {
    public let tokenID: String
    public let name: String
    public let role: Role
    public let grants: [GrantBody]?
    public let createdAt: Date
    public let expiresAt: Date?
    /// Since the hub was started.
    public let lastUsedAt: Date?
    /// True if it may report what was seen at the house; nil from an older house.
    public let recordsEvents: Bool?
    /// Only in the answer to making it.
    public let token: String?

    enum CodingKeys: String, CodingKey {
        case name, role, grants, token
        case tokenID = "token_id"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case lastUsedAt = "last_used_at"
        case recordsEvents = "records_events"
    }

    public init(
        tokenID: String, name: String, role: Role, grants: [GrantBody]?, createdAt: Date, expiresAt: Date?, lastUsedAt: Date?,
        recordsEvents: Bool? = nil, token: String? = nil
    ) {
        self.tokenID = tokenID
        self.name = name
        self.role = role
        self.grants = grants
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.recordsEvents = recordsEvents
        self.token = token
    }
}

public struct APITokensAnswer: Codable, Sendable {
    public let tokens: [APITokenAnswer]
    public let total: Int

    public init(tokens: [APITokenAnswer]) {
        self.tokens = tokens
        total = tokens.count
    }
}
