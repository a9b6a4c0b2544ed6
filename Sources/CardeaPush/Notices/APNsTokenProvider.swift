import CardeaSecurity
import Foundation
import JWTKit
import Synchronization

/// Identifies the sender to Apple by one signed token, which all messages share for 40 minutes ("Establishing a token-based connection to
/// APNs": no older than 60 minutes, and no newer than 20 after the one before).
public final class APNsTokenProvider: Sendable {
    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int

        func verify(using _: some JWTAlgorithm) throws {}
    }

    private struct Token {
        let text: Secret
        let madeAt: Date
        var isRevoked = false

        func isGood(at now: Date) -> Bool {
            let age = now.timeIntervalSince(madeAt)
            return age >= 0 && age < (isRevoked ? APNsTokenProvider.minimumInterval : APNsTokenProvider.lifetime)
        }
    }

    public enum KeyError: Error, CustomStringConvertible {
        case invalidKey

        public var description: String { "This is no key of Apple's: a .p8 file holds a P-256 key in PEM." }
    }

    /// Seconds for which a token is used, and the shortest time between two.
    static let lifetime: TimeInterval = 40 * 60
    static let minimumInterval: TimeInterval = 20 * 60

    private let keys: JWTKeyCollection
    private let keyID: String
    private let teamID: String
    private let token = Mutex<Token?>(nil)

    /// - Parameters:
    ///   - key: the content of Apple's .p8 file.
    ///   - keyID: 10 characters.
    ///   - teamID: 10 characters.
    public init(key: Secret, keyID: String, teamID: String) async throws {
        self.keyID = keyID
        self.teamID = teamID
        keys = JWTKeyCollection()
        let signing: ES256PrivateKey
        do { signing = try ES256PrivateKey(pem: key.reveal()) } catch { throw KeyError.invalidKey }
        await keys.add(ecdsa: signing, kid: JWKIdentifier(string: keyID))
    }

    /// The text after `bearer`.
    func token(at now: Date) async throws -> Secret {
        if let cached = token.withLock({ $0 }), cached.isGood(at: now) { return cached.text }
        let text = Secret(
            try await keys.sign(Claims(iss: teamID, iat: Int(now.timeIntervalSince1970)), kid: JWKIdentifier(string: keyID)))
        return token.withLock { cached in
            // Several callers may have made one; the first one's is used by all.
            if let cached, cached.isGood(at: now) { return cached.text }
            cached = Token(text: text, madeAt: now)
            return text
        }
    }

    /// Has another made as soon as Apple allows it.
    func invalidate() {
        token.withLock { $0?.isRevoked = true }
    }
}
