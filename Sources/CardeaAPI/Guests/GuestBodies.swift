import CardeaModel
import Foundation

/// `POST /api/v1/guests`
public struct InviteGuestBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    public var grants: [GrantBody]
    public var startsAt: Date?
    public var expiresAt: Date
    public var schedule: ScheduleBody?
    /// 0 is no limit.
    public var maxUses: Int
    public var requiresApproval: Bool?
    public var asksEachTime: Bool?
    public var localOnly: Bool?
    /// The presence check that the pass requires at the door; `hold` if omitted.
    public var presence: PresenceRequirement?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, grants, schedule, presence
        case startsAt = "starts_at"
        case expiresAt = "expires_at"
        case maxUses = "max_uses"
        case requiresApproval = "requires_approval"
        case asksEachTime = "ask_each_time"
        case localOnly = "local_only"
    }

    public init(
        name: String, grants: [GrantBody], startsAt: Date? = nil, expiresAt: Date, schedule: ScheduleBody? = nil, maxUses: Int,
        requiresApproval: Bool? = nil, asksEachTime: Bool? = nil, localOnly: Bool? = nil, presence: PresenceRequirement? = nil
    ) {
        self.name = name
        self.grants = grants
        self.startsAt = startsAt
        self.expiresAt = expiresAt
        self.schedule = schedule
        self.maxUses = maxUses
        self.requiresApproval = requiresApproval
        self.asksEachTime = asksEachTime
        self.localOnly = localOnly
        self.presence = presence
    }
}

/// One device of a pass, and what may be done with it, in the words it was given.
public struct GrantBody: Codable, Hashable, Sendable {
    public var deviceID: String
    /// Picks one of the device's entities; left out, all that fit the actions.
    public var entityID: String?
    public var deviceName: String?
    public var actions: [String]

    enum CodingKeys: String, CodingKey, CaseIterable {
        case actions
        case deviceID = "device_id"
        case entityID = "entity_id"
        case deviceName = "device_name"
    }

    public init(deviceID: String, entityID: String? = nil, deviceName: String? = nil, actions: [String]) {
        self.deviceID = deviceID
        self.entityID = entityID
        self.deviceName = deviceName
        self.actions = actions
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.closedContainer(keyedBy: CodingKeys.self)
        deviceID = try fields.decode(String.self, forKey: .deviceID)
        entityID = try fields.decodeIfPresent(String.self, forKey: .entityID)
        deviceName = try fields.decodeIfPresent(String.self, forKey: .deviceName)
        actions = try fields.decode([String].self, forKey: .actions)
    }
}

/// A weekly schedule: one line, or a list of lines.
public struct ScheduleBody: Codable, Hashable, Sendable {
    public var schedule: WeeklySchedule

    public init(_ schedule: WeeklySchedule) {
        self.schedule = schedule
    }

    public init(from decoder: any Decoder) throws {
        // The type is checked first, so that an error in a list names the failing line.
        if (try? decoder.unkeyedContainer()) != nil {
            schedule = WeeklySchedule(lines: try decoder.singleValueContainer().decode([ScheduleLineBody].self).map(\.line))
        } else {
            schedule = WeeklySchedule(lines: [try ScheduleLineBody(from: decoder).line])
        }
        guard !schedule.lines.isEmpty, schedule.lines.count <= 21, schedule.lines.allSatisfy({ !$0.days.isEmpty }) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "must have 1 to 21 lines, each with at least one day"))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        let lines = schedule.lines.map(ScheduleLineBody.init)
        var container = encoder.singleValueContainer()
        if let only = lines.first, lines.count == 1 {
            try container.encode(only)
        } else {
            try container.encode(lines)
        }
    }
}

struct ScheduleLineBody: Codable {
    let line: WeeklySchedule.Window

    enum CodingKeys: String, CodingKey, CaseIterable { case days, from, to }

    init(_ line: WeeklySchedule.Window) { self.line = line }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.closedContainer(keyedBy: CodingKeys.self)
        line = WeeklySchedule.Window(
            days: Set(try fields.decode([Weekday].self, forKey: .days)), from: try fields.decode(TimeOfDay.self, forKey: .from),
            to: try fields.decodeEnd(forKey: .to))
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(Weekday.allCases.filter(line.days.contains), forKey: .days)
        try fields.encode(line.from, forKey: .from)
        try fields.encode(line.to, forKey: .to)
    }
}

/// A guest and their pass, as the owner sees it. `history` is included for a single guest, link and code only right after the pass was
/// made.
public struct GuestAnswer: Codable, Sendable {
    public var guestID: String
    public var name: String
    public var status: GuestStatus
    public var grants: [GrantBody]
    @Nullable public var startsAt: Date?
    public var expiresAt: Date
    @Nullable public var schedule: ScheduleBody?
    public var maxUses: Int
    public var usedCount: Int
    /// -1 if there is no limit.
    public var remainingUses: Int
    public var requiresApproval: Bool
    public var asksEachTime: Bool
    public var localOnly: Bool
    public var createdAt: Date
    @Nullable public var createdBy: String?
    @Nullable public var pairedAt: Date?
    /// True if the pass is bound to a key of its guest's phone; nil from a house that did not send it.
    public var boundToDevice: Bool?
    /// The presence check that the pass requires at the door; nil from a house that did not send it.
    public var presence: PresenceRequirement?
    @Nullable public var scannedAt: Date?
    @Nullable public var lastUsedAt: Date?
    @Nullable public var suspendedAt: Date?
    @Nullable public var revokedAt: Date?
    /// When its start or its hours let it work next; nil if it works now, and if it never does again.
    @Nullable public var nextFrom: Date?
    public var version: Int
    public var pairingCode: String?
    public var pairingExpiresAt: Date?
    public var link: String?
    public var history: [ActivityEntry]?

    enum CodingKeys: String, CodingKey {
        case name, status, grants, schedule, version, link, history, presence
        case guestID = "guest_id"
        case startsAt = "starts_at"
        case expiresAt = "expires_at"
        case maxUses = "max_uses"
        case usedCount = "used_count"
        case remainingUses = "remaining_uses"
        case requiresApproval = "requires_approval"
        case asksEachTime = "ask_each_time"
        case localOnly = "local_only"
        case createdAt = "created_at"
        case createdBy = "created_by"
        case pairedAt = "paired_at"
        case boundToDevice = "bound_to_device"
        case scannedAt = "scanned_at"
        case lastUsedAt = "last_used_at"
        case suspendedAt = "suspended_at"
        case revokedAt = "revoked_at"
        case nextFrom = "next_from"
        case pairingCode = "pairing_code"
        case pairingExpiresAt = "pairing_expires_at"
    }

    public init(
        guestID: String, name: String, status: GuestStatus, grants: [GrantBody], startsAt: Date?, expiresAt: Date,
        schedule: ScheduleBody?, maxUses: Int, usedCount: Int, requiresApproval: Bool, asksEachTime: Bool, localOnly: Bool,
        createdAt: Date, createdBy: String?, pairedAt: Date?, boundToDevice: Bool, scannedAt: Date?, lastUsedAt: Date?,
        suspendedAt: Date?, revokedAt: Date?, nextFrom: Date? = nil, version: Int
    ) {
        self.guestID = guestID
        self.name = name
        self.status = status
        self.grants = grants
        self.startsAt = startsAt
        self.expiresAt = expiresAt
        self.schedule = schedule
        self.maxUses = maxUses
        self.usedCount = usedCount
        self.remainingUses = maxUses == 0 ? -1 : max(0, maxUses - usedCount)
        self.requiresApproval = requiresApproval
        self.asksEachTime = asksEachTime
        self.localOnly = localOnly
        self.createdAt = createdAt
        self.createdBy = createdBy
        self.pairedAt = pairedAt
        self.boundToDevice = boundToDevice
        self.scannedAt = scannedAt
        self.lastUsedAt = lastUsedAt
        self.suspendedAt = suspendedAt
        self.revokedAt = revokedAt
        self.nextFrom = nextFrom
        self.version = version
    }
}

public struct GuestsAnswer: Codable, Sendable {
    public let guests: [GuestAnswer]
    public let total: Int

    public init(guests: [GuestAnswer]) {
        self.guests = guests
        total = guests.count
    }
}

/// `POST /api/v1/guests/{id}/approve` and `/reject`: the phone in question. If omitted, the only one that asks.
public struct AnswerPhoneBody: WireFormat.Body, Encodable, Sendable {
    /// The four digits that the phone shows.
    public var number: String?

    public enum CodingKeys: String, CodingKey, CaseIterable { case number }

    public init(number: String? = nil) { self.number = number }
}

/// `POST /api/v1/guests/{id}/code`
public struct GuestCodeAnswer: Codable, Sendable {
    public let pairingCode: String
    public let pairingExpiresAt: Date
    public let link: String

    enum CodingKeys: String, CodingKey {
        case link
        case pairingCode = "pairing_code"
        case pairingExpiresAt = "pairing_expires_at"
    }

    public init(pairingCode: String, pairingExpiresAt: Date, link: String) {
        self.pairingCode = pairingCode
        self.pairingExpiresAt = pairingExpiresAt
        self.link = link
    }
}

/// `POST /api/v1/guests/revoke-all`
public struct RevokedAnswer: Codable, Sendable {
    public let revoked: Int

    public init(revoked: Int) { self.revoked = revoked }
}
