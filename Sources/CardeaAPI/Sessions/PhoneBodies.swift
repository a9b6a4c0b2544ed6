import CardeaModel
import Foundation

// The mobile family keeps the shapes of Seed 003's contract; Cardea's additions are separate members.

/// `POST /api/v1/mobile/auth/pair`
public struct PairPhoneBody: WireFormat.Body, Encodable, Sendable {
    /// The phone's own name for itself, a UUID. It must be sent again to get the tokens.
    public var deviceID: String
    public var deviceName: String
    public var deviceModel: String?
    public var platform: PhoneDescription.Platform?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case platform
        case deviceID = "device_id"
        case deviceName = "device_name"
        case deviceModel = "device_model"
    }

    public init(deviceID: String, deviceName: String, deviceModel: String? = nil, platform: PhoneDescription.Platform? = nil) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.deviceModel = deviceModel
        self.platform = platform
    }
}

public struct PairPhoneAnswer: Codable, Sendable {
    /// The six digits, to be shown.
    public let pairingCode: String
    public let expiresAt: Date
    /// Seconds.
    public let expiresIn: Int
    /// The secret that this phone alone receives. With it the phone reads the state of its request, and proves that it made the request.
    public let deviceCode: String
    /// Seconds between two polls, for clients that do not wait for the answer.
    public let interval: Int

    enum CodingKeys: String, CodingKey {
        case interval
        case pairingCode = "pairing_code"
        case expiresAt = "expires_at"
        case expiresIn = "expires_in"
        case deviceCode = "device_code"
    }

    public init(pairingCode: String, expiresAt: Date, expiresIn: Int, deviceCode: String, interval: Int) {
        self.pairingCode = pairingCode
        self.expiresAt = expiresAt
        self.expiresIn = expiresIn
        self.deviceCode = deviceCode
        self.interval = interval
    }
}

/// `POST /api/v1/mobile/auth/verify`
public struct VerifyPhoneBody: WireFormat.Body, Encodable, Sendable {
    public var pairingCode: String
    public var deviceID: String
    public var deviceCode: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case pairingCode = "pairing_code"
        case deviceID = "device_id"
        case deviceCode = "device_code"
    }

    public init(pairingCode: String, deviceID: String, deviceCode: String? = nil) {
        self.pairingCode = pairingCode
        self.deviceID = deviceID
        self.deviceCode = deviceCode
    }
}

/// `POST /api/v1/mobile/auth/refresh`
public struct RefreshPhoneBody: WireFormat.Body, Encodable, Sendable {
    public var refreshToken: String
    /// The token identifies the phone. If this is sent too, it must match: the phone's own name for itself, or the hub's.
    public var deviceID: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case refreshToken = "refresh_token"
        case deviceID = "device_id"
    }

    public init(refreshToken: String, deviceID: String? = nil) {
        self.refreshToken = refreshToken
        self.deviceID = deviceID
    }
}

/// A phone's tokens, from `verify` and `refresh`.
public struct PhoneTokensAnswer: Codable, Sendable {
    public let accessToken: String
    public let refreshToken: String
    public let tokenType: String
    /// Seconds the access token is good for.
    public let expiresIn: Int
    /// The hub's name for the phone.
    public let deviceID: String

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case deviceID = "device_id"
    }

    public init(accessToken: String, refreshToken: String, expiresIn: Int, deviceID: String) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        tokenType = "Bearer"
        self.expiresIn = expiresIn
        self.deviceID = deviceID
    }
}

/// `GET /api/v1/mobile/auth/status`
public struct PhonePairingStatusAnswer: Codable, Sendable {
    public let confirmed: Bool
    /// The request is over: expired, rejected or redeemed.
    public let expired: Bool
    public let expiresAt: Date?

    enum CodingKeys: String, CodingKey {
        case confirmed, expired
        case expiresAt = "expires_at"
    }

    public init(confirmed: Bool, expired: Bool, expiresAt: Date?) {
        self.confirmed = confirmed
        self.expired = expired
        self.expiresAt = expiresAt
    }
}

/// `POST /api/v1/mobile/auth/confirm`
public struct ConfirmPhoneBody: WireFormat.Body, Encodable, Sendable {
    public var code: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case code }

    public init(code: String) { self.code = code }
}

public struct ConfirmPhoneAnswer: Codable, Sendable {
    public let confirmed: Bool
    public let deviceName: String
    public let deviceModel: String?
    public let platform: PhoneDescription.Platform?

    enum CodingKeys: String, CodingKey {
        case confirmed, platform
        case deviceName = "device_name"
        case deviceModel = "device_model"
    }

    public init(deviceName: String, deviceModel: String?, platform: PhoneDescription.Platform?) {
        confirmed = true
        self.deviceName = deviceName
        self.deviceModel = deviceModel
        self.platform = platform
    }
}

/// A phone that waits. Its digits are on its screen alone.
public struct WaitingPhoneAnswer: Codable, Hashable, Sendable {
    public let pairingID: String
    public let deviceName: String
    public let deviceModel: String?
    public let platform: PhoneDescription.Platform?
    /// `local network`, or the address it came from; nil if that is not known.
    public let place: String?
    public let createdAt: Date
    public let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case platform, place
        case pairingID = "pairing_id"
        case deviceName = "device_name"
        case deviceModel = "device_model"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    public init(
        pairingID: String, deviceName: String, deviceModel: String?, platform: PhoneDescription.Platform?, place: String?, createdAt: Date,
        expiresAt: Date
    ) {
        self.pairingID = pairingID
        self.deviceName = deviceName
        self.deviceModel = deviceModel
        self.platform = platform
        self.place = place
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

public struct WaitingPhonesAnswer: Codable, Sendable {
    public let pairings: [WaitingPhoneAnswer]
    public let total: Int

    public init(pairings: [WaitingPhoneAnswer]) {
        self.pairings = pairings
        total = pairings.count
    }
}

/// `DELETE /api/v1/mobile/auth/pending/{id}`
public struct RejectedPhoneAnswer: Codable, Sendable {
    public let message: String

    public init(message: String) { self.message = message }
}

/// `POST /api/v1/mobile/auth/revoke`: one of the three.
public struct RevokePhonesBody: WireFormat.Body, Encodable, Sendable {
    public var refreshToken: String?
    /// The hub's name for the phone, or its own.
    public var deviceID: String?
    public var revokeAll: Bool?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case refreshToken = "refresh_token"
        case deviceID = "device_id"
        case revokeAll = "revoke_all"
    }

    public init(refreshToken: String? = nil, deviceID: String? = nil, revokeAll: Bool? = nil) {
        self.refreshToken = refreshToken
        self.deviceID = deviceID
        self.revokeAll = revokeAll
    }
}

public struct RevokedPhonesAnswer: Codable, Sendable {
    public let revokedCount: Int

    enum CodingKeys: String, CodingKey { case revokedCount = "revoked_count" }

    public init(revokedCount: Int) { self.revokedCount = revokedCount }
}

/// A phone that acts for the caller.
public struct PhoneAnswer: Codable, Hashable, Sendable {
    /// The hub's name for it.
    public let deviceID: String
    public let deviceName: String
    public let deviceModel: String?
    public let platform: PhoneDescription.Platform?
    public let pairedAt: Date
    public let lastUsedAt: Date
    /// When it is over, if it is not used before.
    public let expiresAt: Date
    /// The place of its last pairing: `local network`, or an address.
    public let place: String?

    enum CodingKeys: String, CodingKey {
        case platform, place
        case deviceID = "device_id"
        case deviceName = "device_name"
        case deviceModel = "device_model"
        case pairedAt = "paired_at"
        case lastUsedAt = "last_used_at"
        case expiresAt = "expires_at"
    }

    public init(
        deviceID: String, deviceName: String, deviceModel: String?, platform: PhoneDescription.Platform?, pairedAt: Date, lastUsedAt: Date,
        expiresAt: Date, place: String?
    ) {
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.deviceModel = deviceModel
        self.platform = platform
        self.pairedAt = pairedAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.place = place
    }
}

public struct PhonesAnswer: Codable, Sendable {
    public let devices: [PhoneAnswer]
    public let total: Int

    public init(devices: [PhoneAnswer]) {
        self.devices = devices
        total = devices.count
    }
}

/// `PATCH /api/v1/mobile/devices/{id}`
public struct RenamePhoneBody: WireFormat.Body, Encodable, Sendable {
    public var deviceName: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case deviceName = "device_name" }

    public init(deviceName: String) { self.deviceName = deviceName }
}

/// `GET /api/v1/mobile/auth/invitation`
public struct PhoneInvitationAnswer: Codable, Sendable {
    /// `cardea://pair?…`, for a QR that the app reads.
    public let appLink: String
    /// The same as an address that any camera opens.
    public let webLink: String
    public let url: String
    /// The pins that identify the hub's key; none if it serves plain HTTP, or if its certificate comes from elsewhere.
    public let pins: [String]

    enum CodingKeys: String, CodingKey {
        case url, pins
        case appLink = "app_link"
        case webLink = "web_link"
    }

    public init(_ link: PairingLink) {
        appLink = link.app
        webLink = link.web
        url = link.url
        pins = link.pins
    }
}
