import Crypto
import Foundation

/// The public half of a passkey, as RFC 9053 writes it: ES256 on P-256, or Ed25519.
public enum COSEKey: Sendable {
    case es256(P256.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)

    /// The algorithms we ask for, the one we like best first, by their COSE numbers.
    public static let algorithms = [-8, -7]

    public var algorithm: Int {
        switch self {
        case .es256: -7
        case .ed25519: -8
        }
    }

    /// Reads a key that has what its kind needs and nothing else. A point that is not on the curve is none.
    public init(_ value: CBOR) throws(PasskeyProblem) {
        guard case .map(let members) = value else { throw .invalidKey }
        switch (value[1], value[3], value[-1]) {
        case (.unsigned(2), .negative(6), .unsigned(1)):
            guard members.count == 5, let x = value[-2]?.data, let y = value[-3]?.data, x.count == 32, y.count == 32,
                let key = try? P256.Signing.PublicKey(x963Representation: Data([4]) + x + y)
            else { throw .invalidKey }
            self = .es256(key)
        case (.unsigned(1), .negative(7), .unsigned(6)):
            guard members.count == 4, let x = value[-2]?.data, x.count == 32,
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
            else { throw .invalidKey }
            self = .ed25519(key)
        default: throw .unsupportedAlgorithm
        }
    }

    public init(bytes: Data) throws(PasskeyProblem) {
        let value: CBOR
        do { value = try CBOR.decode(bytes) } catch { throw .invalidKey }
        try self.init(value)
    }

    public func isValid(_ signature: Data, for message: Data) -> Bool {
        switch self {
        case .es256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        case .ed25519(let key): return key.isValidSignature(signature, for: message)
        }
    }
}
