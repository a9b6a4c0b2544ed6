import CardeaSecurity
import Foundation

/// Where a browser can be reached, and the keys with which only it reads what comes (Push API; RFC 8291).
public struct WebPushSubscription: Sendable {
    /// The address as the browser gave it. Whoever knows it may send there (RFC 8030, section 8.3), so it is kept as a secret.
    public let endpoint: Secret
    /// The push service that it is of, such as `https://updates.push.services.mozilla.com`.
    public let service: String
    /// The name to look up at each connection, of which only public addresses are used; nil for a service that the household named, which is
    /// reached at any address.
    public let host: String?
    /// The URL to send to: ``endpoint``, with its host written as in ``host``.
    public let url: Secret
    public let keys: PushKeys

    /// - Throws: the rule that the address breaks.
    public init(endpoint: String, keys: PushKeys, services: PushServicePolicy) throws(PushServicePolicy.AddressError) {
        let target = try services.endpoint(of: endpoint)
        self.endpoint = Secret(endpoint)
        service = target.service
        host = target.host
        url = Secret(target.url)
        self.keys = keys
    }
}
