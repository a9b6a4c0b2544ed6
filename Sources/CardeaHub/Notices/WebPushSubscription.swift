import CardeaSecurity
import Crypto
import Foundation

/// Where a browser can be reached, and the keys with which only it reads what comes (Push API; RFC 8291).
public struct WebPushSubscription: Sendable {
    /// Whoever knows it may send there (RFC 8030, section 8.3), so it is kept as a secret.
    public let endpoint: Secret
    /// The push service that it is of, such as `https://updates.push.services.mozilla.com`.
    public let service: String
    /// The browser's P-256 key, uncompressed: 65 octets.
    public let key: Data
    /// 16 octets that the browser and its page share.
    public let authentication: Data

    public enum Problem: Error, Hashable, Sendable {
        /// It is of no push service that the house sends to.
        case unknownService
        /// No point on P-256.
        case key
        /// Not 16 octets.
        case authentication
    }

    /// - Parameters:
    ///   - key: `p256dh` of the browser's subscription, base64url.
    ///   - authentication: its `auth`, base64url.
    public init(endpoint: String, key: String, authentication: String, services: PushServices) throws(Problem) {
        guard let service = services.origin(of: endpoint) else { throw .unknownService }
        // Browsers leave the padding out, some libraries do not.
        guard let key = Base64URL.decode(Self.unpadded(key)), key.count == 65,
            (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil
        else { throw .key }
        guard let authentication = Base64URL.decode(Self.unpadded(authentication)), authentication.count == 16 else {
            throw .authentication
        }
        self.endpoint = Secret(endpoint)
        self.service = service
        self.key = key
        self.authentication = authentication
    }

    private static func unpadded(_ text: String) -> String {
        String(text.prefix { $0 != "=" })
    }
}
