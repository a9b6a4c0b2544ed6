import Foundation

/// A person who lives here, or is about to.
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
    /// The presence that they last reported; nil if they never did.
    public var presence: Presence?
    /// Rises with every change of the name, the role and the other rights.
    public var version: Int

    /// A person's presence, and since when.
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

    /// The person's rights: those of the role, and inviting guests if an owner allowed it.
    public var rights: Set<Right> {
        guard !isDisabled else { return [] }
        return canInviteGuests && role != .guest ? role.rights.union([.inviteGuests]) : role.rights
    }

    /// The person's role as a grant, for the gate.
    public var grant: Grant { Self.grant(id, role: role, isDisabled: isDisabled) }

    /// Returns the role's grant for a person of whom only these properties are known.
    public static func grant(_ id: String, role: Role, isDisabled: Bool) -> Grant {
        Grant(id: "role:\(id)", scope: .role(role, disabled: isDisabled))
    }
}
