import CardeaSecurity
import Foundation

/// The push endpoint of a browser, and the keys with which only this browser reads the messages (Push API; RFC 8291).
public struct WebPushSubscription: Sendable {
    /// The push endpoint as the browser gave it. Anyone who knows it can send there (RFC 8030, section 8.3), so it is kept secret.
    public let endpoint: Secret
    /// The push service that it is of, such as `https://updates.push.services.mozilla.com`.
    public let service: String
    /// The name to look up at each connection, of which only public addresses are used; nil for a service that the household named, which
    /// is reached at any address.
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
