import Foundation

/// Somebody who lives here, or is about to.
public struct Person: Hashable, Sendable {
    public let id: String
    /// nil until they have accepted the invitation.
    public var username: String?
    public var name: String
    public var role: Role
    public var canInviteGuests: Bool
    public var isDisabled: Bool
    public let createdAt: Date
    public var lastSeenAt: Date?
    /// What they last said of themselves; nil where they never did.
    public var presence: Presence?
    /// Rises with every change of the name, the role and what else is given to them.
    public var version: Int

    /// Whether somebody is home, and since when they say so.
    public struct Presence: Hashable, Sendable {
        public let isHome: Bool
        public let since: Date

        public init(isHome: Bool, since: Date) {
            self.isHome = isHome
            self.since = since
        }
    }

    public init(
        id: String, username: String?, name: String, role: Role, canInviteGuests: Bool, isDisabled: Bool, createdAt: Date,
        lastSeenAt: Date?, presence: Presence? = nil, version: Int = 1
    ) {
        self.id = id
        self.username = username
        self.name = name
        self.role = role
        self.canInviteGuests = canInviteGuests
        self.isDisabled = isDisabled
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.presence = presence
        self.version = version
    }

    /// What the person may do: the role's rights, and letting guests in where an owner gave that.
    public var rights: Set<Right> {
        guard !isDisabled else { return [] }
        return canInviteGuests && role != .guest ? role.rights.union([.inviteGuests]) : role.rights
    }

    /// The person's role as a grant, for the gate.
    public var grant: Grant { Self.grant(id, role: role, isDisabled: isDisabled) }

    /// The same of somebody of whom no more is known than that.
    public static func grant(_ id: String, role: Role, isDisabled: Bool) -> Grant {
        Grant(id: "role:\(id)", scope: .role(role, disabled: isDisabled))
    }
}
