import Foundation

/// The hub's advertisement on its local network: the keys of its TXT record (docs/protocol.md, "Discovery on the local network").
///
/// Anyone on the network can publish the same record. It only gives an address: the hub there must prove that it holds the key.
public struct HouseAdvertisement: Hashable, Sendable {
    public static let serviceType = "_cardea._tcp"
    /// The service type that phones written for Seed 003 browse for.
    public static let argusAIServiceType = "_argusai._tcp"
    /// The name of a service is one label of DNS: so many bytes (RFC 6763, section 4.1.1).
    public static let maxInstanceNameBytes = 63
    private static let maxNameBytes = 200

    public let name: String
    /// 32 hex digits.
    public let houseID: String
    public let version: Int
    /// The address under which the hub wants to be spoken to.
    public let baseURL: String
    /// The external address that links contain, if it differs.
    public let externalURL: String?
    /// `sha256/` and the digest of the hub's public key.
    public let pin: String

    public init(name: String, houseID: String, version: Int = WireFormat.version, baseURL: String, externalURL: String?, pin: String) {
        self.name = Self.truncated(name, to: Self.maxNameBytes)
        self.houseID = houseID
        self.version = version
        self.baseURL = baseURL
        self.externalURL = externalURL
        self.pin = pin
    }

    /// Reads an advertisement; nil if the record is none. Its texts are not trusted, so characters that would move a terminal's cursor are
    /// removed.
    public init?(_ text: (_ key: String) -> String?) {
        guard let houseID = text("uuid")?.lowercased(), houseID.utf8.count == 32, houseID.utf8.allSatisfy(Self.isHex),
            let pin = text("pin"), let version = text("version").flatMap({ Int($0) }), let baseURL = text("base_url")
        else { return nil }
        let name = Self.sanitized(text("location_name") ?? "")
        let external = text("external_url").map(Self.sanitized) ?? ""
        self.init(
            name: name.isEmpty ? "Home" : name, houseID: houseID, version: version, baseURL: Self.sanitized(baseURL),
            externalURL: external.isEmpty ? nil : external, pin: Self.sanitized(pin))
    }

    /// Keys and texts, named as Home Assistant names them if it has the same.
    public var txtRecord: [(key: String, text: String)] {
        [
            ("uuid", houseID), ("pin", pin), ("version", String(version)), ("api", "/api/v1"), ("base_url", baseURL),
            ("internal_url", baseURL), ("external_url", externalURL ?? ""), ("location_name", name),
        ]
    }

    /// Returns the TXT record for a service type. Seed 003 defines only the address for its own type; its source's designs name two more
    /// keys.
    public func txtRecord(for type: String, port: Int) -> [(key: String, text: String)] {
        txtRecord + (type == Self.argusAIServiceType ? [("ssl", "true"), ("api_port", String(port))] : [])
    }

    /// The house's name as a service's.
    public var instanceName: String {
        let name = Self.truncated(Self.sanitized(name), to: Self.maxInstanceNameBytes)
        return name.isEmpty ? "Home" : name
    }

    private static func isHex(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

    private static func sanitized(_ text: String) -> String {
        let shown = text.unicodeScalars.filter {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        return String(String.UnicodeScalarView(shown)).trimmingCharacters(in: .whitespaces)
    }

    /// Whole characters, as many as fit.
    private static func truncated(_ text: String, to bytes: Int) -> String {
        var text = text
        while text.utf8.count > bytes { text.removeLast() }
        return text
    }
}
