import CardeaSecurity
import Foundation

/// Where a browser can be reached, and the keys with which only it reads what comes (Push API; RFC 8291).
public struct WebPushSubscription: Sendable {
    /// Whoever knows it may send there (RFC 8030, section 8.3), so it is kept as a secret.
    public let endpoint: Secret
    /// The push service that it is of, such as `https://updates.push.services.mozilla.com`.
    public let service: String
    public let keys: PushKeys

    /// - Returns: nil for an address that is of no push service that the house sends to.
    public init?(endpoint: String, keys: PushKeys, services: PushServices) {
        guard let service = services.origin(of: endpoint) else { return nil }
        self.endpoint = Secret(endpoint)
        self.service = service
        self.keys = keys
    }
}
