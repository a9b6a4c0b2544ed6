import CardeaModel
import Foundation
import Synchronization

/// The hub's addresses and names, and its limits for strangers.
public struct HTTPSettings: Sendable {
    /// The names under which the hub answers; every other `Host` is refused, so that no page elsewhere can rebind its name to us.
    public var hosts: Set<String>
    /// The host names among them that were allowed explicitly, with the port under which pages are open there.
    public var allowedHosts: [AllowedHost]
    /// Peers whose `X-Forwarded-For` is trusted.
    public var trustedProxies: [AddressRange]
    /// Peers that forward requests from elsewhere without their address: such a request does not count as local.
    public var relays: [AddressRange] = []
    /// Days for which browsers use only HTTPS for the hub's name (RFC 6797); nil if the header is not sent.
    public var strictTransportDays: Int?
    /// Also allows TLS 1.2, for old clients without 1.3.
    public var allowsTLS12 = false
    /// The apps in which the links on tags open.
    public var appLinks = AppLinks()
    /// The contact for reports of a weakness.
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
