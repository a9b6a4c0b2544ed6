import CardeaModel
import Foundation

/// A web address as a stranger writes it: http or https, a name or an IPv4 address, a port, and nothing else. One that leads to the hub's own
/// machine, or to where clouds keep their keys, is none: nobody is to be talked into connecting there.
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
        // In letters of one alphabet, so that none looks like another one's.
        guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isPlain), Self.isForbidden(host),
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

    /// What ends in a number is an address, in whichever of its writings; four plain bytes are the only one that is taken.
    private static func isForbidden(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard let last = labels.last, !labels.contains(where: \.isEmpty) else { return false }
        guard let first = last.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return last != "localhost" }
        let bytes = labels.compactMap { label in UInt8(label).flatMap { String($0) == label ? $0 : nil } }
        return labels.count == 4 && bytes.count == 4 && OutgoingAddressPolicy.refusal(bytes) == nil
    }
}
