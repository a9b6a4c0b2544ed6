import Crypto
import CryptoExtras
import Foundation

/// The public key of a passkey: ES256 on P-256 or Ed25519 (RFC 9053), or RS256 (RFC 8812), which Windows Hello makes on many machines.
public enum COSEKey: Sendable {
    case es256(P256.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
    case rs256(_RSA.Signing.PublicKey)

    /// The requested algorithms, in order of preference, by their COSE numbers.
    public static let algorithms = [-8, -7, -257]

    public var algorithm: Int {
        switch self {
        case .es256: -7
        case .ed25519: -8
        case .rs256: -257
        }
    }

    /// Reads a key that has the members of its kind and no others. A point that is not on the curve is refused, and so is a weak RSA key.
    public init(_ value: CBOR) throws(PasskeyError) {
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
        case (.unsigned(3), .negative(256), _):
            guard members.count == 4, let modulus = value[-1]?.data, let exponent = value[-2]?.data else { throw .invalidKey }
            self = .rs256(try Self.rsa(modulus: modulus, exponent: exponent))
        default: throw .unsupportedAlgorithm
        }
    }

    public init(bytes: Data) throws(PasskeyError) {
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
        case .rs256(let key):
            // RS256 is PKCS#1 v1.5 with SHA-256, despite the name of the padding: it is insecure for encryption, not for signatures.
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(signature, for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
        }
    }

    /// A key of 2048 to 4096 bits with an odd exponent of 3 or more, at most four bytes long. Both numbers are written without leading
    /// zeros (RFC 8230, section 4).
    private static func rsa(modulus: Data, exponent: Data) throws(PasskeyError) -> _RSA.Signing.PublicKey {
        guard let first = modulus.first, first != 0, let last = modulus.last, last & 1 == 1, (256...512).contains(modulus.count),
            (2048...4096).contains(modulus.count * 8 - first.leadingZeroBitCount),
            let head = exponent.first, head != 0, exponent.count <= 4
        else { throw .invalidKey }
        let power = exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard power >= 3, power & 1 == 1, let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent) else { throw .invalidKey }
        return key
    }
}
