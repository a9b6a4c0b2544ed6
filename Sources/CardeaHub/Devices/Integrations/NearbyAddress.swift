import CardeaModel
import Foundation

/// A web address from an untrusted source: http or https, a name or an IPv4 address, a port, and nothing else. Addresses of the hub's own
/// machine, or of cloud metadata services, are rejected, so that no user is tricked into connecting there.
public struct NearbyAddress: Hashable, Sendable, CustomStringConvertible {
    public static let maxLength = 255

    public let isSecure: Bool
    public let host: String
    public let port: Int

    public init?(_ text: String) {
        guard text.utf8.count <= Self.maxLength, let parts = URLComponents(string: text),
            let isSecure = parts.scheme.flatMap({ ["http": false, "https": true][$0.lowercased()] }),
            parts.user == nil, parts.password == nil, parts.path.isEmpty || parts.path == "/", parts.query == nil, parts.fragment == nil
        else { return nil }
        self.init(isSecure: isSecure, host: parts.host ?? "", port: parts.port ?? (isSecure ? 443 : 80))
    }

    public init?(isSecure: Bool = false, host: String, port: Int) {
        let host = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        // ASCII only, so that no address looks like another one.
        guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isPlain), Self.isAllowed(host),
            (1...65_535).contains(port)
        else { return nil }
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    public var description: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Returns true for an allowed host: a name other than `localhost`, or four plain decimal bytes that the outgoing address policy does
    /// not refuse. A host ending in a number is an address, in whichever notation, so all its other notations are rejected.
    private static func isAllowed(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, !labels.contains(where: \.isEmpty) else { return false }
        guard let first = last.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return last != "localhost" }
        let bytes = labels.compactMap { label in UInt8(label).flatMap { String($0) == label ? $0 : nil } }
        return labels.count == 4 && bytes.count == 4 && OutgoingAddressPolicy.refusal(bytes) == nil
    }
}
