import Foundation

/// One route to a hub: an endpoint to connect to. The hub's host name and key are the same on all routes.
public struct HubRoute: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Codable {
        /// The endpoint of the hub's own address.
        case direct
        /// Found on the local network.
        case local
        /// Through a relay that cannot read the data.
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

    /// The route to the host and port of `url`; nil for plain http.
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
