import Crypto
import Foundation

/// The key of a guest's phone, to which a pass can be bound: Ed25519 (RFC 8032). Browsers without it make one of P-256 themselves.
public struct GuestKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    public init() {
        key = Curve25519.Signing.PrivateKey()
    }

    /// The key that was stored as `kept`; nil if that is invalid.
    public init?(encoded: Secret) {
        guard let seed = Base64URL.decode(encoded.reveal()) else { return nil }
        self.init(seed: seed)
    }

    /// - Parameter seed: 32 bytes, the private key as RFC 8032 has it.
    public init?(seed: Data) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
        self.key = key
    }

    /// The private half, for the one place where it is kept.
    public var encoded: Secret { Secret(Base64URL.encode(seed)) }
    /// The same as bytes.
    public var seed: Data { key.rawRepresentation }

    /// The public key that the hub gets when the pass is redeemed.
    public var publicKey: GuestPublicKey { GuestPublicKey(key.publicKey, deviceID: deviceID) }

    /// A name for the phone that reveals nothing of it: the beginning of its key's thumbprint.
    public var deviceID: String { String(GuestPublicKey.thumbprint(key.publicKey.rawRepresentation).prefix(22)) }

    /// Signs `proof` as the holder of this key.
    public func sign(_ proof: ActionProof) throws -> (proof: String, signature: String) {
        (try proof.header(), try signature(of: proof.signedBytes))
    }

    /// base64url.
    func signature(of message: Data) throws -> String { Base64URL.encode(try key.signature(for: message)) }
}
