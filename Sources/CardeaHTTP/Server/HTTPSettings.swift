import CardeaModel
import Foundation
import Synchronization

/// How the hub is reached, and what it puts up with from strangers.
public struct HTTPSettings: Sendable {
    /// The names under which the hub answers; every other `Host` is refused, so that no page elsewhere can rebind its name to us.
    public var hosts: Set<String>
    /// Those of them that somebody allowed, with the port under which pages are open there.
    public var allowedHosts: [AllowedHost]
    /// Peers whose `X-Forwarded-For` is believed.
    public var trustedProxies: [AddressRange]
    /// Peers that pass on what comes from elsewhere and cannot say from where: who comes that way is not at home.
    public var relays: [AddressRange] = []
    /// Days for which browsers are told to speak HTTPS alone to the hub's name (RFC 6797); nil where they are told nothing.
    public var strictTransportDays: Int?
    /// TLS 1.2 too, for what is too old for 1.3.
    public var allowsTLS12 = false
    /// The apps in which the links on tags open.
    public var appLinks = AppLinks()
    /// Whom somebody tells who found a weakness.
    public var securityText = SecurityTxt()
    public var limits = Limits()

    /// The limits of docs/threat-model.md.
    public struct Limits: Sendable {
        public var maxHeaderFieldSize = 8 * 1024
        public var maxHeaderListSize = 16 * 1024
        public var maxHeaderFieldCount = 100
        public var body = 64 * 1024
        /// Seconds from connecting to the end of the first head.
        public var headTimeout: Int64 = 10
        /// Seconds from the head to the end of the body.
        public var bodyTimeout: Int64 = 30
        public var idleTimeout: Int64 = 60
        /// Seconds in which a client that has much to read must have read some of it.
        public var readTimeout: Int64 = 30
        /// A trusted proxy is exempt.
        public var connectionsPerAddress = 64
        /// Strangers get three quarters of them.
        public var connections = 1024

        public init() {}
    }

    public init(hosts: Set<String>, allowed: [AllowedHost] = [], trustedProxies: [AddressRange] = []) {
        self.hosts = hosts.union(["localhost", "127.0.0.1", "::1"]).union(allowed.map(\.name))
        self.allowedHosts = allowed
        self.trustedProxies = trustedProxies
    }
}

/// A further name under which the hub answers.
public struct AllowedHost: Hashable, Sendable {
    /// In small letters, in ASCII (RFC 5891), without brackets.
    public let name: String
    /// Under which pages are open there, where that is not the usual one.
    public let port: Int?

    /// `name` or `name:port`; nil where it is neither.
    public init?(_ text: String) {
        guard let (name, port) = WebOrigin.authority(text), name.utf8.allSatisfy({ $0 > 0x20 && !"/@?#\\".utf8.contains($0) }) else {
            return nil
        }
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        guard let ascii = (isASCII ? name : URLComponents(string: "https://\(name)")?.encodedHost)?.lowercased(),
            WebOrigin.isHostName(ascii)
        else { return nil }
        (self.name, self.port) = (ascii, port)
    }
}

/// The address that `--public-url` names: scheme, name and port, as a browser writes an origin.
public struct PublicURL: Hashable, Sendable {
    public let text: String

    /// The hub answers under no path: its pages, its cookies and its scripts begin at the root of their name (decision 0092).
    public init(_ text: String) throws(PublicURLError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), ["https", "http"].contains(scheme),
            let host = parts.encodedHost, !host.isEmpty
        else { throw .notHTTPURL }
        let isPlain = parts.percentEncodedUser == nil && parts.percentEncodedPassword == nil && parts.percentEncodedQuery == nil
        guard isPlain, parts.percentEncodedFragment == nil else { throw .extraComponents }
        guard ["", "/"].contains(parts.percentEncodedPath) else { throw .hasPath(name: host) }
        let port = parts.port.map { ":\($0)" } ?? ""
        guard let origin = WebOrigin("\(scheme)://\(host)\(port)"), WebOrigin.isHostName(origin.host) else { throw .notHTTPURL }
        self.text = origin.text
    }
}

/// Why an address cannot be the public one.
public enum PublicURLError: Error, Equatable {
    /// It is not http or https, or has no name.
    case notHTTPURL
    /// A path stands behind the name.
    case hasPath(name: String)
    /// It has a user, a query or a fragment.
    case extraComponents
}

/// The one address that links and QR codes carry. Known for certain only once the hub listens.
public final class PublicAddress: Sendable {
    private let url: Mutex<String>
    private let listeningPort = Mutex<Int?>(nil)

    public init(_ url: String = "http://127.0.0.1") {
        self.url = Mutex(Self.trimmed(url))
    }

    public var text: String { url.withLock { $0 } }

    /// The port that the hub listens at; nil until it does.
    public var port: Int? { listeningPort.withLock { $0 } }

    public func didListen(at port: Int) { listeningPort.withLock { $0 = port } }

    public func update(_ text: String) {
        url.withLock { $0 = Self.trimmed(text) }
    }

    private static func trimmed(_ text: String) -> String {
        text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
