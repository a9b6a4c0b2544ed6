import CardeaModel
import Foundation

// The guest family keeps the shapes of Seed 000: `success`, `error`, `message`, and Unix seconds in `expires_at`.

/// `POST /api/guest_access/pair`
public struct PairBody: WireFormat.Body, Encodable, Sendable {
    public var pairingCode: String
    /// The guest's own key, to which the pass is bound: both or neither.
    public var deviceID: String?
    /// Ed25519, 32 bytes, or an uncompressed point of P-256, 65 bytes; base64url.
    public var devicePublicKey: String?
    /// From the first answer, if a phone without a key waits for approval.
    public var claimSecret: String?
    /// A phone that has forgotten its pass asks for it with the link that it used.
    public var askAgain: Bool?
    /// The phone gives the key out only to whom it has verified: by face, finger or PIN.
    public var deviceKeyVerifies: Bool?
    /// A passkey that was made for the pass, its challenge the SHA-256 of `pairing_code`.
    public var passkey: PasskeyAttestationBody?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case pairingCode = "pairing_code"
        case deviceID = "device_id"
        case devicePublicKey = "device_public_key"
        case claimSecret = "claim_secret"
        case askAgain = "ask_again"
        case deviceKeyVerifies = "device_key_verifies"
        case passkey
    }

    public init(
        pairingCode: String, deviceID: String? = nil, devicePublicKey: String? = nil, claimSecret: String? = nil, askAgain: Bool? = nil,
        deviceKeyVerifies: Bool? = nil
    ) {
        self.pairingCode = pairingCode
        self.deviceID = deviceID
        self.devicePublicKey = devicePublicKey
        self.claimSecret = claimSecret
        self.askAgain = askAgain
        self.deviceKeyVerifies = deviceKeyVerifies
    }
}

/// `POST /api/guest_access/restore`: a phone that has forgotten its pass shows the passkey that was made with it.
public struct RestorePassBody: WireFormat.Body, Encodable, Sendable {
    public var credential: PasskeyAssertionBody
    /// A new key of the phone's own, to which the pass is bound from now on.
    public var deviceID: String
    public var devicePublicKey: String

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case credential
        case deviceID = "device_id"
        case devicePublicKey = "device_public_key"
    }
}

/// `POST /api/guest_access/pair/scanned`
public struct ScannedBody: WireFormat.Body, Encodable, Sendable {
    public var pairingCode: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case pairingCode = "pairing_code" }

    public init(pairingCode: String) { self.pairingCode = pairingCode }
}

/// `POST /api/guest_access/token/validate`
public struct ValidateBody: WireFormat.Body, Encodable, Sendable {
    public var guestToken: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case guestToken = "guest_token" }

    public init(guestToken: String) { self.guestToken = guestToken }
}

/// `POST /api/guest_access/action`
public struct GuestActionBody: WireFormat.Body, Encodable, Sendable {
    public var action: String
    public var entityID: String?
    public var value: JSONValue?
    public var brightnessPct: JSONValue?
    public var positionPct: JSONValue?
    public var tiltPct: JSONValue?
    public var temperature: JSONValue?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case action, value, temperature
        case entityID = "entity_id"
        case brightnessPct = "brightness_pct"
        case positionPct = "position_pct"
        case tiltPct = "tilt_pct"
    }

    public init(action: String, entityID: String? = nil, value: JSONValue? = nil) {
        self.action = action
        self.entityID = entityID
        self.value = value
    }
}

/// `POST /api/guest_access/action/cancel`
public struct CancelActionBody: WireFormat.Body, Encodable, Sendable {
    public var commandID: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case commandID = "command_id" }

    public init(commandID: String) { self.commandID = commandID }
}

/// A pass as its guest sees it; with `guestToken` only from `pair`.
public struct GuestPassAnswer: Codable, Sendable {
    public var guestToken: String?
    public var guestID: String
    public var name: String
    public var houseName: String
    public var timeZone: String
    public var allowedActions: [String]
    public var entities: [PassEntity]
    public var entityID: String?
    public var allowedAction: String?
    public var startsAt: Int?
    public var expiresAt: Int
    public var maxUses: Int
    public var usedCount: Int
    /// -1 if there is no limit.
    public var remainingUses: Int
    public var schedule: ScheduleBody?
    public var asksEachTime: Bool
    public var status: GuestStatus
    /// When the house took it back, Unix seconds.
    public var revokedAt: Int?
    /// When its hours or its start let it work next, Unix seconds; nil if it works now, and if it never does again.
    public var nextFrom: Int?
    /// The house's clock, Unix seconds.
    public var now: Int
    /// The phone that the pass is bound to, as it called itself; with `confirmation`, and without if the pass is bound to none.
    public var deviceID: String?
    public var confirmation: Confirmation?
    /// The presence check that the pass requires at the door; nil from a house that did not send it.
    public var presence: PresenceRequirement?

    /// The key that must be shown with every action (RFC 7800 calls it `cnf`).
    public struct Confirmation: Codable, Hashable, Sendable {
        /// base64url of the SHA-256 of the raw key.
        public var thumbprint: String

        enum CodingKeys: String, CodingKey { case thumbprint = "jkt" }

        public init(thumbprint: String) { self.thumbprint = thumbprint }
    }

    public struct PassEntity: Codable, Hashable, Sendable {
        public var entityID: String
        public var deviceID: String
        public var name: String
        public var entityType: EntityKind
        public var allowedActions: [String]
        public var allowedAction: String?

        enum CodingKeys: String, CodingKey {
            case name
            case entityID = "entity_id"
            case deviceID = "device_id"
            case entityType = "entity_type"
            case allowedActions = "allowed_actions"
            case allowedAction = "allowed_action"
        }

        public init(entityID: String, deviceID: String, name: String, entityType: EntityKind, allowedActions: [String]) {
            self.entityID = entityID
            self.deviceID = deviceID
            self.name = name
            self.entityType = entityType
            self.allowedActions = allowedActions
            allowedAction = allowedActions.first
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, entities, schedule, status, now, presence
        case deviceID = "device_id"
        case confirmation = "cnf"
        case guestToken = "guest_token"
        case guestID = "guest_id"
        case houseName = "house_name"
        case timeZone = "time_zone"
        case allowedActions = "allowed_actions"
        case entityID = "entity_id"
        case allowedAction = "allowed_action"
        case startsAt = "starts_at"
        case expiresAt = "expires_at"
        case maxUses = "max_uses"
        case usedCount = "used_count"
        case remainingUses = "remaining_uses"
        case asksEachTime = "ask_each_time"
        case revokedAt = "revoked_at"
        case nextFrom = "next_from"
    }

    public init(
        guestToken: String?, guestID: String, name: String, houseName: String, timeZone: String, entities: [PassEntity],
        startsAt: Date?, expiresAt: Date, maxUses: Int, usedCount: Int, schedule: ScheduleBody?, asksEachTime: Bool,
        status: GuestStatus, revokedAt: Date?, now: Date
    ) {
        self.guestToken = guestToken
        self.guestID = guestID
        self.name = name
        self.houseName = houseName
        self.timeZone = timeZone
        self.entities = entities
        var seen = Set<String>()
        allowedActions = entities.flatMap(\.allowedActions).filter { seen.insert($0).inserted }
        entityID = entities.first?.entityID
        allowedAction = entities.first?.allowedAction
        self.startsAt = startsAt.map { Int($0.timeIntervalSince1970) }
        self.expiresAt = Int(expiresAt.timeIntervalSince1970)
        self.maxUses = maxUses
        self.usedCount = usedCount
        remainingUses = maxUses == 0 ? -1 : max(0, maxUses - usedCount)
        self.schedule = schedule
        self.asksEachTime = asksEachTime
        self.status = status
        self.revokedAt = revokedAt.map { Int($0.timeIntervalSince1970) }
        self.now = Int(now.timeIntervalSince1970)
    }
}

/// The answer to an action: all fields but `success` are optional, as in Seed 000.
public struct GuestActionAnswer: Codable, Sendable {
    public var success: Bool
    public var action: String?
    public var entityID: String?
    public var remainingUses: Int?
    public var usedCount: Int?
    public var commandID: String?
    public var state: String?
    public var error: String?
    public var message: String?
    /// `pending_approval` with a 202; `taken_back` if the guest did.
    public var status: String?
    public var retryAfter: Int?
    public var expiresAt: Int?
    public var reason: String?
    public var useReturned: Bool?
    public var nextOpening: Int?
    /// Four digits that the house shows beside its request, if a phone waits for its pass.
    public var number: String?
    /// The secret that a phone without a key sends with its next `pair`; only in the first answer.
    public var claimSecret: String?

    enum CodingKeys: String, CodingKey {
        case success, action, state, error, message, status, reason, number
        case claimSecret = "claim_secret"
        case entityID = "entity_id"
        case remainingUses = "remaining_uses"
        case usedCount = "used_count"
        case commandID = "command_id"
        case retryAfter = "retry_after"
        case expiresAt = "expires_at"
        case useReturned = "use_returned"
        case nextOpening = "next_opening"
    }

    public init(success: Bool) { self.success = success }
}

/// `GET /api/guest_access/action/nonce`
public struct NonceAnswer: Codable, Sendable {
    public let nonce: String
    /// The name of the token that the nonce is for.
    public let jti: String
    /// Unix seconds.
    public let expiresAt: Int
    /// The house's clock, Unix seconds.
    public let now: Int

    enum CodingKeys: String, CodingKey {
        case nonce, jti, now
        case expiresAt = "expires_at"
    }

    public init(nonce: String, jti: String, expiresAt: Date, now: Date) {
        self.nonce = nonce
        self.jti = jti
        self.expiresAt = Int(expiresAt.timeIntervalSince1970)
        self.now = Int(now.timeIntervalSince1970)
    }
}

/// `POST /api/guest_access/pair/scanned`
public struct ScannedAnswer: Codable, Sendable {
    public let success: Bool
    public let status: String
    public let qrScannedAt: Int
    /// The presence check that the pass will require at the door; nil if the code was used.
    public let presence: PresenceRequirement?
    /// When the pass ends, so that a phone that keeps nothing for so long can say so; nil if the code was used.
    public let expiresAt: Int?

    enum CodingKeys: String, CodingKey {
        case success, status, presence
        case qrScannedAt = "qr_scanned_at"
        case expiresAt = "expires_at"
    }

    public init(status: String, qrScannedAt: Date, presence: PresenceRequirement? = nil, expiresAt: Date? = nil) {
        success = true
        self.presence = presence
        self.expiresAt = expiresAt.map { Int($0.timeIntervalSince1970) }
        self.status = status
        self.qrScannedAt = Int(qrScannedAt.timeIntervalSince1970)
    }
}
