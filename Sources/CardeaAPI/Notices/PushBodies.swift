import CardeaModel
import Foundation

/// `POST /api/v1/push/web`: what a browser's `PushSubscription.toJSON()` gives.
public struct RegisterBrowserBody: WireFormat.Body, Encodable, Sendable {
    public var subscription: Subscription

    public enum CodingKeys: String, CodingKey, CaseIterable { case subscription }

    public struct Subscription: Codable, Sendable {
        public var endpoint: String
        public var keys: PushKeysBody

        enum CodingKeys: String, CodingKey { case endpoint, keys }

        public init(endpoint: String, keys: PushKeysBody) {
            self.endpoint = endpoint
            self.keys = keys
        }
    }

    public init(subscription: Subscription) {
        self.subscription = subscription
    }
}

/// The keys that let only one browser or phone read its messages (RFC 8291).
public struct PushKeysBody: Codable, Sendable {
    /// A P-256 key, uncompressed, base64url.
    public var p256dh: String
    /// 16 octets, base64url.
    public var auth: String

    enum CodingKeys: String, CodingKey { case p256dh, auth }

    public init(p256dh: String, auth: String) {
        self.p256dh = p256dh
        self.auth = auth
    }
}

/// `POST /api/v1/mobile/push/register` (Seed 003), and the keys with which the app reads more than which event it is.
public struct RegisterPhonePushBody: WireFormat.Body, Encodable, Sendable {
    public var deviceToken: String
    public var deviceID: String
    public var keys: PushKeysBody?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case keys
        case deviceToken = "device_token"
        case deviceID = "device_id"
    }

    public init(deviceToken: String, deviceID: String, keys: PushKeysBody? = nil) {
        self.deviceToken = deviceToken
        self.deviceID = deviceID
        self.keys = keys
    }
}

public struct RegisteredPushAnswer: Codable, Sendable {
    public let id: String
    public let registeredAt: Date

    enum CodingKeys: String, CodingKey {
        case id
        case registeredAt = "registered_at"
    }

    public init(id: String, registeredAt: Date) {
        self.id = id
        self.registeredAt = registeredAt
    }
}

/// A browser or phone that receives a person's notifications.
public struct PushSubscriptionAnswer: Codable, Sendable {
    public let id: String
    /// `web` or `apns`.
    public let way: String
    public let service: String
    /// True if it belongs to the session that asks.
    public let current: Bool
    public let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, way, service, current
        case createdAt = "created_at"
    }

    public init(id: String, way: String, service: String, current: Bool, createdAt: Date) {
        self.id = id
        self.way = way
        self.service = service
        self.current = current
        self.createdAt = createdAt
    }
}

/// `GET /api/v1/push`
public struct PushAnswer: Codable, Sendable {
    /// The house's key, for a browser's `applicationServerKey`: base64url of 65 octets.
    public let publicKey: String
    /// The channels by which the house sends: `web`, `apns`.
    public let ways: [String]
    public let subscriptions: [PushSubscriptionAnswer]

    enum CodingKeys: String, CodingKey {
        case ways, subscriptions
        case publicKey = "public_key"
    }

    public init(publicKey: String, ways: [String], subscriptions: [PushSubscriptionAnswer]) {
        self.publicKey = publicKey
        self.ways = ways
        self.subscriptions = subscriptions
    }
}
