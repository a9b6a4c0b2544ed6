import CardeaModel
import Foundation

/// One try, allowed or refused, as `GET /api/v1/activity` and a guest's history show it.
public struct ActivityEntry: Codable, Sendable {
    public let id: Int
    public let at: Date
    public let who: Who
    /// The means by which they acted: `kind` is `automation` or `api_token`, which acted in their name, or `button` or `tag`. Nil if there
    /// was none.
    public let via: Who?
    public let action: String
    public let deviceID: String?
    public let deviceName: String?
    public let entityID: String?
    public let result: String
    public let reason: String?
    public let commandID: String?
    public let remote: String?

    public struct Who: Codable, Sendable {
        public let kind: String
        public let id: String?
        public let name: String?

        public init(kind: String, id: String?, name: String?) {
            self.kind = kind
            self.id = id
            self.name = name
        }
    }

    enum CodingKeys: String, CodingKey {
        case id, at, who, via, action, result, reason, remote
        case deviceID = "device_id"
        case deviceName = "device_name"
        case entityID = "entity_id"
        case commandID = "command_id"
    }

    public init(
        id: Int, at: Date, who: Who, via: Who? = nil, action: String, deviceID: String?, deviceName: String?, entityID: String?,
        result: String,
        reason: String?, commandID: String?, remote: String?
    ) {
        self.id = id
        self.at = at
        self.who = who
        self.via = via
        self.action = action
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.entityID = entityID
        self.result = result
        self.reason = reason
        self.commandID = commandID
        self.remote = remote
    }
}

public struct ActivityAnswer: Codable, Sendable {
    public let entries: [ActivityEntry]
    public let nextBefore: Int?

    enum CodingKeys: String, CodingKey {
        case entries
        case nextBefore = "next_before"
    }

    public init(entries: [ActivityEntry], nextBefore: Int?) {
        self.entries = entries
        self.nextBefore = nextBefore
    }
}

/// A request that waits for approval.
public struct AskAnswer: Codable, Sendable {
    public let askID: String
    /// `pairing` or `command`.
    public let kind: String
    public let guestID: String
    public let guestName: String
    public let deviceID: String?
    public let deviceName: String?
    public let action: String?
    public let commandID: String?
    public let askedAt: Date
    public let expiresAt: Date
    /// Four digits that the phone shows that asks for its pass; nil if a door is to be opened.
    public let number: String?
    /// True if another phone asked for the same pass before this one.
    public let isSecondPhone: Bool?
    /// True if an approval takes the pass from a phone that has it.
    public let replacesPhone: Bool?

    enum CodingKeys: String, CodingKey {
        case kind, action, number
        case isSecondPhone = "is_second_phone"
        case replacesPhone = "replaces_phone"
        case askID = "ask_id"
        case guestID = "guest_id"
        case guestName = "guest_name"
        case deviceID = "device_id"
        case deviceName = "device_name"
        case commandID = "command_id"
        case askedAt = "asked_at"
        case expiresAt = "expires_at"
    }

    public init(
        askID: String, kind: String, guestID: String, guestName: String, deviceID: String?, deviceName: String?, action: String?,
        commandID: String?, askedAt: Date, expiresAt: Date, number: String? = nil, isSecondPhone: Bool? = nil, replacesPhone: Bool? = nil
    ) {
        self.askID = askID
        self.kind = kind
        self.guestID = guestID
        self.guestName = guestName
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.action = action
        self.commandID = commandID
        self.askedAt = askedAt
        self.expiresAt = expiresAt
        self.number = number
        self.isSecondPhone = isSecondPhone
        self.replacesPhone = replacesPhone
    }
}

public struct AsksAnswer: Codable, Sendable {
    public let asks: [AskAnswer]

    public init(asks: [AskAnswer]) { self.asks = asks }
}

/// `POST /api/v1/explain`
public struct ExplainBody: WireFormat.Body, Encodable, Sendable {
    public var guestID: String?
    public var personID: String?
    public var deviceID: String
    public var entityID: String?
    public var action: String
    public var at: Date?
    /// True to suppose that the question comes from outside the house's network.
    public var remote: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case action, at, remote
        case guestID = "guest_id"
        case personID = "person_id"
        case deviceID = "device_id"
        case entityID = "entity_id"
    }

    public init(guestID: String? = nil, personID: String? = nil, deviceID: String, action: String, at: Date? = nil) {
        self.guestID = guestID
        self.personID = personID
        self.deviceID = deviceID
        self.action = action
        self.at = at
    }
}

public struct ExplainAnswer: Codable, Sendable {
    /// `allow`, `deny` or `ask`.
    public let decision: String
    public let reason: String?
    public let details: [String: JSONValue]
    public let grantID: String?
    public let checks: [Check]

    public struct Check: Codable, Sendable {
        public let check: String
        public let passed: Bool
        public let detail: String?

        public init(check: String, passed: Bool, detail: String?) {
            self.check = check
            self.passed = passed
            self.detail = detail
        }
    }

    enum CodingKeys: String, CodingKey {
        case decision, reason, details, checks
        case grantID = "grant_id"
    }

    public init(decision: String, reason: String?, details: [String: JSONValue], grantID: String?, checks: [Check]) {
        self.decision = decision
        self.reason = reason
        self.details = details
        self.grantID = grantID
        self.checks = checks
    }
}
