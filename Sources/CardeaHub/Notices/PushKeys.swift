import CardeaSecurity
import Crypto
import Foundation

/// The keys with which only one browser or phone reads its push messages (RFC 8291, section 2).
public struct PushKeys: Hashable, Sendable {
    /// A P-256 key, uncompressed: 65 octets.
    public let key: Data
    /// 16 octets that the browser and its page share.
    public let authentication: Data

    public enum KeyError: Error, Hashable, Sendable {
        /// No point on P-256.
        case key
        /// Not 16 octets.
        case authentication
    }

    public init(key: Data, authentication: Data) throws(KeyError) {
        guard key.count == 65, (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil else { throw .key }
        guard authentication.count == 16 else { throw .authentication }
        self.key = key
        self.authentication = authentication
    }

    /// - Parameters:
    ///   - key: `p256dh` of a browser's subscription, base64url.
    ///   - authentication: its `auth`, base64url.
    public init(key: String, authentication: String) throws(KeyError) {
        guard let key = Self.decoded(key) else { throw .key }
        guard let authentication = Self.decoded(authentication) else { throw .authentication }
        try self.init(key: key, authentication: authentication)
    }

    /// Browsers leave the padding out, some libraries do not.
    private static func decoded(_ text: String) -> Data? { Base64URL.decode(String(text.prefix { $0 != "=" })) }
}
