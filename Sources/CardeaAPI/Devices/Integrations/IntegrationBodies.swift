import CardeaModel
import Foundation

public struct IntegrationsAnswer: Codable, Sendable {
    public let integrations: [IntegrationAnswer]

    public init(integrations: [IntegrationAnswer]) { self.integrations = integrations }
}

public struct IntegrationAnswer: Codable, Sendable {
    public let integration: String
    /// `connected`, `connecting`, `failed` or `off`.
    public let status: String
    public let since: Date
    public let reason: String?
    public let devices: Int
    public let notices: [Notice]
    /// Its settings, without secrets.
    public let settings: [String: JSONValue]?

    public struct Notice: Codable, Sendable {
        public let entityID: String?
        public let message: String

        enum CodingKeys: String, CodingKey {
            case message
            case entityID = "entity_id"
        }

        public init(entityID: String?, message: String) {
            self.entityID = entityID
            self.message = message
        }
    }

    public init(
        integration: String, status: String, since: Date, reason: String?, devices: Int, notices: [Notice],
        settings: [String: JSONValue]?
    ) {
        self.integration = integration
        self.status = status
        self.since = since
        self.reason = reason
        self.devices = devices
        self.notices = notices
        self.settings = settings
    }
}

/// Devices found on the local network. Unknown parties announce them: the texts are cleaned and bounded, and never trusted.
public struct NearbyAnswer: Codable, Sendable {
    /// `looking`, `unavailable` or `off`.
    public let status: String
    public let found: [NearbyServiceAnswer]
    /// There are more than are listed.
    public let more: Bool

    public init(status: String, found: [NearbyServiceAnswer], more: Bool) {
        self.status = status
        self.found = found
        self.more = more
    }
}

public struct NearbyServiceAnswer: Codable, Hashable, Sendable {
    /// `home-assistant`, `homekit` or `matter`.
    public let kind: String
    public let name: String
    public let host: String
    public let port: Int
    /// The possible next step: `connect`, `connected` or `through_home_assistant`.
    public let advice: String
    public var address: String?
    /// The URL at which it would be connected.
    public var url: String?
    public var model: String?
    /// The kind of device, in words.
    public var category: String?
    public var version: String?
    /// True if it is already paired.
    public var isPaired: Bool?

    enum CodingKeys: String, CodingKey {
        case kind, name, host, port, advice, address, url, model, category, version
        case isPaired = "is_paired"
    }

    public init(kind: String, name: String, host: String, port: Int, advice: String) {
        self.kind = kind
        self.name = name
        self.host = host
        self.port = port
        self.advice = advice
    }
}

/// `PUT /api/v1/integrations/mqtt`
public struct MQTTSettingsBody: WireFormat.Body, Encodable, Sendable {
    public var host: String
    public var port: Int
    public var tls: Bool?
    public var caPEM: String?
    public var certPEM: String?
    public var keyPEM: String?
    public var username: String?
    public var password: String?
    public var clientID: String?
    public var discoveryPrefix: String?
    /// Tells Home Assistant of the house's own locks and of how many passes are in use.
    public var announceLocks: Bool?
    /// Tells it who last used a pass as well.
    public var announceLastVisitor: Bool?
    /// Permissions of Home Assistant for these locks: it may lock them unless this is false, and unlock them only if `allowOpen` is true.
    public var allowLock: Bool?
    public var allowOpen: Bool?
    /// The topic prefix of Frigate's events; without one, the house does not listen to Frigate.
    public var frigatePrefix: String?
    /// The codes of locks and alarm panels by the ids of their entities. An omitted code stays, and null removes one.
    public var codes: [String: String?]?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case host, port, tls, username, password, codes
        case caPEM = "ca_pem"
        case certPEM = "cert_pem"
        case keyPEM = "key_pem"
        case clientID = "client_id"
        case discoveryPrefix = "discovery_prefix"
        case announceLocks = "announce_locks"
        case announceLastVisitor = "announce_last_visitor"
        case allowLock = "allow_lock"
        case allowOpen = "allow_open"
        case frigatePrefix = "frigate_prefix"
    }

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The settings as they are shown, to be sent again with a change. What is never shown is left out, and so stays.
    public init?(shown settings: [String: JSONValue]) {
        guard let host = settings["host"]?.string, let port = settings["port"]?.number.flatMap({ Int(exactly: $0) }) else { return nil }
        self.init(host: host, port: port)
        tls = settings["tls"]?.bool
        username = settings["username"]?.string
        clientID = settings["client_id"]?.string
        discoveryPrefix = settings["discovery_prefix"]?.string
        announceLocks = settings["announce_locks"]?.bool
        announceLastVisitor = settings["announce_last_visitor"]?.bool
        allowLock = settings["allow_lock"]?.bool
        allowOpen = settings["allow_open"]?.bool
        frigatePrefix = settings["frigate_prefix"]?.string
    }
}

/// `PUT /api/v1/integrations/endpoint`: a broker for buttons only, over TLS with a certificate of ours (Seed 002).
public struct EndpointSettingsBody: WireFormat.Body, Encodable, Sendable {
    public var host: String
    /// 8883 if omitted.
    public var port: Int?
    public var clientID: String?
    /// If omitted, the stored one is kept, as long as the broker is the same.
    public var certPEM: String?
    public var keyPEM: String?
    /// The authorities to trust instead of the system's; an empty text removes them.
    public var caPEM: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case host, port
        case clientID = "client_id"
        case certPEM = "cert_pem"
        case keyPEM = "key_pem"
        case caPEM = "ca_pem"
    }

    public init(host: String, port: Int? = nil, certPEM: String? = nil, keyPEM: String? = nil, caPEM: String? = nil) {
        self.host = host
        self.port = port
        self.certPEM = certPEM
        self.keyPEM = keyPEM
        self.caPEM = caPEM
    }
}

/// `PUT /api/v1/integrations/home-assistant`
public struct HomeAssistantSettingsBody: WireFormat.Body, Encodable, Sendable {
    public var url: String
    /// If omitted, the stored one is kept, as long as the address is the same.
    public var token: String?
    /// If omitted, it is kept under the same condition as the token; an empty text removes it.
    public var caPEM: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case url, token
        case caPEM = "ca_pem"
    }

    public init(url: String, token: String? = nil) {
        self.url = url
        self.token = token
    }
}

/// `POST /api/v1/integrations/virtual/faults`
public struct VirtualFaultBody: WireFormat.Body, Encodable, Sendable {
    public var deviceID: String
    public var fault: String

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case fault
        case deviceID = "device_id"
    }

    public init(deviceID: String, fault: String) {
        self.deviceID = deviceID
        self.fault = fault
    }
}
