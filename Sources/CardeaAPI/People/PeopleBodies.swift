import CardeaModel
import Foundation

/// A person as the wire shows them.
public struct PersonAnswer: Codable, Sendable {
    public let personID: String
    public let username: String?
    public let name: String
    public let role: Role
    public let permissions: [Right]
    public let status: Status
    public let canInviteGuests: Bool
    /// True if they answer guests or phones that ask. It is sent to themselves alone, and is nil from a hub that does not send it.
    public let canAnswerAsks: Bool?
    public let createdAt: Date
    public let lastSeenAt: Date?
    /// Rises with every change; nil from a hub that does not count them.
    public let version: Int?
    /// True if their last report was that they are home; nil if they never reported.
    public let isHome: Bool?
    /// The unit in which they read temperatures; sent to themselves alone.
    public let temperatureUnit: TemperatureUnit?

    public enum Status: String, Codable, Sendable { case active, invited, disabled }

    enum CodingKeys: String, CodingKey {
        case username, name, role, permissions, status, version
        case personID = "person_id"
        case canInviteGuests = "can_invite_guests"
        case canAnswerAsks = "can_answer_asks"
        case createdAt = "created_at"
        case lastSeenAt = "last_seen_at"
        case isHome = "is_home"
        case temperatureUnit = "temperature_unit"
    }

    /// - Parameters:
    ///   - temperatureUnit: if it is this person who asks.
    ///   - answerers: the same; who answers guests in this house.
    public init(_ person: Person, temperatureUnit: TemperatureUnit? = nil, answerers: ApproverGroup? = nil) {
        personID = person.id
        username = person.username
        name = person.name
        role = person.role
        permissions = Right.allCases.filter(person.rights.contains)
        status = person.isDisabled ? .disabled : person.username == nil ? .invited : .active
        canInviteGuests = person.rights.contains(.inviteGuests)
        canAnswerAsks = answerers.map { $0.includes(person) || person.rights.contains(.inviteGuests) }
        createdAt = person.createdAt
        lastSeenAt = person.lastSeenAt
        version = person.version
        isHome = person.presence?.isHome
        self.temperatureUnit = temperatureUnit
    }
}

public struct PeopleAnswer: Codable, Sendable {
    public let people: [PersonAnswer]
    public let total: Int

    public init(people: [PersonAnswer]) {
        self.people = people
        total = people.count
    }
}

/// `POST /api/v1/people`
public struct InvitePersonBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    public var role: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case name, role }

    public init(name: String, role: String) {
        self.name = name
        self.role = role
    }
}

public struct PersonInvitationAnswer: Codable, Sendable {
    public let person: PersonAnswer
    public let inviteLink: String
    public let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case person
        case inviteLink = "invite_link"
        case expiresAt = "expires_at"
    }

    public init(person: PersonAnswer, inviteLink: String, expiresAt: Date) {
        self.person = person
        self.inviteLink = inviteLink
        self.expiresAt = expiresAt
    }
}

/// `POST /api/v1/people/accept`
public struct AcceptInvitationBody: WireFormat.Body, Encodable, Sendable {
    public var inviteToken: String
    public var username: String
    public var password: String
    public var cookie: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case username, password, cookie
        case inviteToken = "invite_token"
    }

    public init(inviteToken: String, username: String, password: String) {
        self.inviteToken = inviteToken
        self.username = username
        self.password = password
    }
}

/// `PATCH /api/v1/people/{id}`
public struct ChangePersonBody: WireFormat.Body, Encodable, Sendable {
    public var name: String?
    public var role: String?
    public var canInviteGuests: Bool?
    public var disabled: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, role, disabled
        case canInviteGuests = "can_invite_guests"
    }

    public init(name: String? = nil, role: String? = nil, canInviteGuests: Bool? = nil, disabled: Bool? = nil) {
        self.name = name
        self.role = role
        self.canInviteGuests = canInviteGuests
        self.disabled = disabled
    }
}

/// `PUT /api/v1/people/me/password`
public struct ChangePasswordBody: WireFormat.Body, Encodable, Sendable {
    /// May be left out after a proof by passkey or recovery code just before.
    public var currentPassword: String?
    public var newPassword: String

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case currentPassword = "current_password"
        case newPassword = "new_password"
    }

    public init(currentPassword: String?, newPassword: String) {
        self.currentPassword = currentPassword
        self.newPassword = newPassword
    }
}
