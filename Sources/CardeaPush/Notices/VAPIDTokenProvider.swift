import CardeaSecurity
import Crypto
import Foundation
import JWTKit
import Synchronization

/// Identifies the sender to push services: Voluntary Application Server Identification (RFC 8292).
///
/// Each service gets one signed token, which is valid for twelve hours and used again for as long: a service may refuse one that is valid
/// for more than a day, and need not check a new one each time.
public final class VAPIDTokenProvider: Sendable {
    private struct Claims: JWTPayload {
        let aud: String
        let exp: Int
        let sub: String

        func verify(using _: some JWTAlgorithm) throws {}
    }

    private struct Token {
        let text: Secret
        let expiry: Date
    }

    /// For how long a token is good, in seconds.
    static let lifetime: TimeInterval = 12 * 3600

    /// The public key, as a browser takes it for `applicationServerKey`: base64url of 65 octets.
    public let publicKey: String
    private let keys: JWTKeyCollection
    private let contact: String
    private let tokens = Mutex<[String: Token]>([:])

    /// - Parameters:
    ///   - key: the house's own, for push services alone. With another one, every subscription made for this one is worth nothing.
    ///   - contact: how the operator of a push service reaches the hub's operator: a `mailto:` or `https:` address. Apple's refuses others.
    public init(key: P256.Signing.PrivateKey, contact: String) async throws {
        publicKey = Base64URL.encode(key.publicKey.x963Representation)
        self.contact = contact
        keys = JWTKeyCollection()
        await keys.add(ecdsa: try ES256PrivateKey(pem: key.pemRepresentation))
    }

    /// The value of `Authorization` in every request to the service.
    func authorization(for service: String, at now: Date) async throws -> Secret {
        let cached = tokens.withLock { $0[service] }
        // Renewed at half of its lifetime: a token made in the last minute would be late on a slow connection.
        if let cached, cached.expiry.timeIntervalSince(now) > Self.lifetime / 2, cached.expiry.timeIntervalSince(now) <= Self.lifetime {
            return cached.text
        }
        let expiry = now.addingTimeInterval(Self.lifetime)
        let token = try await keys.sign(Claims(aud: service, exp: Int(expiry.timeIntervalSince1970), sub: contact))
        let text = Secret("vapid t=\(token), k=\(publicKey)")
        tokens.withLock { $0[service] = Token(text: text, expiry: expiry) }
        return text
    }
}
