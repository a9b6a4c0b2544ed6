import Foundation

/// One way to a hub: where to connect. Under which name the hub is spoken to is the same on all of them, and so is the key it must show.
public struct HubRoute: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Codable {
        /// Where the hub's address leads.
        case direct
        /// Found on the network nearby.
        case local
        /// Through somebody who passes on what they cannot read.
        case relay
    }

    public let kind: Kind
    /// A name or an address, IPv6 without brackets.
    public let host: String
    public let port: Int

    public init(_ kind: Kind, host: String, port: Int) {
        self.kind = kind
        self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        self.port = port
    }

    /// Where `url` leads by itself; nil for plain http.
    public init?(_ kind: Kind, to url: URL) {
        guard url.scheme == "https", let host = url.host() else { return nil }
        self.init(kind, host: host, port: url.port ?? 443)
    }

    public init?(_ kind: Kind, to hub: HubAddress) {
        guard let url = URL(string: hub.description) else { return nil }
        self.init(kind, to: url)
    }

    /// `10.0.0.7:8300`
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
