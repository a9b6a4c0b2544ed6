import Foundation

/// The address of a house and the pins of its key, for a phone: the content of the QR code. It contains no secret.
///
/// `cardea://pair?url=https%3A%2F%2Fhome.example&pin=sha256%2F…`, or `https://home.example/pair#pin=sha256%2F…`.
public struct PairingLink: Hashable, Sendable {
    /// Without a slash at its end.
    public let url: String
    /// RFC 7469: the hub's key and its backup key.
    public let pins: [String]

    /// Longest link that is read, in bytes.
    static let maxLength = 2048

    public init(url: String, pins: [String]) {
        self.url = url
        self.pins = pins
    }

    /// Reads a scanned or pasted text; nil if it is no such link.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maxLength, let parts = URLComponents(string: text) else { return nil }
        let fields: [URLQueryItem]
        let address: String
        switch parts.scheme?.lowercased() {
        case "cardea":
            guard parts.host?.lowercased() == "pair", parts.path.isEmpty || parts.path == "/" else { return nil }
            fields = parts.queryItems ?? []
            guard let url = fields.first(where: { $0.name == "url" })?.value else { return nil }
            address = url
        case "https", "http":
            guard parts.path.hasSuffix("/pair"), parts.query == nil else { return nil }
            var inside = URLComponents()
            inside.percentEncodedQuery = parts.percentEncodedFragment
            fields = inside.queryItems ?? []
            var outside = parts
            outside.fragment = nil
            outside.path = String(parts.path.dropLast("/pair".count))
            guard let url = outside.string else { return nil }
            address = url
        default: return nil
        }
        guard let url = Self.address(address) else { return nil }
        let pins = fields.filter { $0.name == "pin" }.compactMap(\.value)
        guard pins.count <= 4, pins.allSatisfy(Self.isPin) else { return nil }
        self.init(url: url, pins: pins)
    }

    /// An address of a hub, without a user name or password in it.
    private static func address(_ text: String) -> String? {
        guard let parts = URLComponents(string: text), ["https", "http"].contains(parts.scheme?.lowercased()),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil
        else { return nil }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// `sha256/` and the base64 of 32 bytes.
    private static func isPin(_ text: String) -> Bool {
        text.hasPrefix("sha256/") && Data(base64Encoded: String(text.dropFirst("sha256/".count)))?.count == 32
    }

    public var app: String { "cardea://pair?" + Self.formEncoded([("url", url)] + pins.map { ("pin", $0) }) }

    /// The part behind the `#` is never sent to a server, nor to a link preview.
    public var web: String { pins.isEmpty ? url + "/pair" : url + "/pair#" + Self.formEncoded(pins.map { ("pin", $0) }) }

    static func formEncoded(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\($0.value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")" }.joined(separator: "&")
    }

    private static let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
