import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

/// A token for a program, as its maker knows it.
public struct APIToken: Hashable, Sendable {
    public let id: String
    public let name: String
    /// At most this role.
    public let role: Role
    /// Only these; nil is whatever the role may.
    public let items: [Grant.Item]?
    /// True if the token may record events of the house.
    public let recordsEvents: Bool
    public let createdAt: Date
    public let expiresAt: Date?
    /// Since the hub was started.
    public var lastUsedAt: Date?

    /// Returns the token's grant: the present rights of its maker, limited to its own role and items.
    func grant(of maker: Person) -> Grant {
        Grant(
            id: "token:\(id)", scope: .role(min(role, maker.role), disabled: maker.isDisabled), expiresAt: expiresAt, only: items)
    }
}
