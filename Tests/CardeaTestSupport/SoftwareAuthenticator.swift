import CardeaSecurity
import Crypto
import CryptoExtras
import Foundation

/// A software authenticator: it behaves like a real one, and on request like a broken or dishonest one.
public struct SoftwareAuthenticator: Sendable {
    public enum Kind: Sendable, CaseIterable {
        case es256, ed25519, rs256
    }

    /// User present, user verified, backup-eligible, backed up.
    public static let defaultFlags: UInt8 = 0x1D

    public let credentialID: Data
    public let userHandle: Data
    private let kind: Kind
    private let p256 = P256.Signing.PrivateKey()
    private let ed25519 = Curve25519.Signing.PrivateKey()
    /// Made only for a passkey of this kind: an RSA key takes time.
    private let rsa: _RSA.Signing.PrivateKey?

    /// An RSA key could not be made.
    private struct MissingKeyError: Error {}

    public init(_ kind: Kind = .es256, userHandle: Data = Data([1]), credentialID: Data = SecretGenerator.randomBytes(32)) {
        self.kind = kind
        rsa = kind == .rs256 ? try? _RSA.Signing.PrivateKey(keySize: .bits2048) : nil
        self.userHandle = userHandle
        self.credentialID = credentialID
    }

    public var coseKey: Data {
        switch kind {
        case .es256:
            let point = p256.publicKey.rawRepresentation
            return Data([0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20]) + point.prefix(32) + Data([0x22, 0x58, 0x20]) + point.suffix(32)
        case .ed25519: return Data([0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 0x20]) + ed25519.publicKey.rawRepresentation
        case .rs256:
            guard let numbers = try? rsa?.publicKey.getKeyPrimitives() else { return Data() }
            let head = Data([0xA4, 1, 3, 3, 0x39, 1, 0, 0x20, 0x59, 1, 0]) + numbers.modulus
            return head + Data([0x21, 0x40 | UInt8(numbers.publicExponent.count)]) + numbers.publicExponent
        }
    }

    public static func clientData(_ type: String, _ challenge: Data, _ origin: String, more: String = "") -> Data {
        Data(#"{"type":"\#(type)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"\#(more)}"#.utf8)
    }

    public func authenticatorData(rpID: String, flags: UInt8, count: UInt32, isNew: Bool) -> Data {
        var data = Data(SHA256.hash(data: Data(rpID.utf8)))
        data.append(isNew ? flags | 0x40 : flags)
        data += withUnsafeBytes(of: count.bigEndian) { Data($0) }
        guard isNew else { return data }
        data += Data(count: 16) + Data([UInt8(credentialID.count >> 8), UInt8(credentialID.count & 0xFF)]) + credentialID + coseKey
        return data
    }

    public func sign(_ message: Data) throws -> Data {
        switch kind {
        case .es256: try p256.signature(for: message).derRepresentation
        case .ed25519: try ed25519.signature(for: message)
        case .rs256: try rs256(message)
        }
    }

    private func rs256(_ message: Data) throws -> Data {
        guard let rsa else { throw MissingKeyError() }
        return try rsa.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation
    }

    /// The algorithm's number in CBOR.
    private var algorithm: [UInt8] {
        switch kind {
        case .es256: [0x26]
        case .ed25519: [0x27]
        case .rs256: [0x39, 1, 0]
        }
    }

    /// The head of a byte string in CBOR.
    private static func byteStringHead(_ count: Int) -> [UInt8] {
        count < 256 ? [0x58, UInt8(count)] : [0x59, UInt8(count >> 8), UInt8(count & 0xFF)]
    }

    /// The response to a registration.
    public func registrationResponse(
        _ challenge: Data, rpID: String, origin: String, flags: UInt8 = defaultFlags, count: UInt32 = 0, signsItself: Bool = false
    ) throws -> (clientDataJSON: Data, attestationObject: Data) {
        let client = Self.clientData("webauthn.create", challenge, origin)
        let data = authenticatorData(rpID: rpID, flags: flags, count: count, isNew: true)
        var object = Data([0xA3, 0x63]) + Data("fmt".utf8)
        if signsItself {
            let signature = try sign(data + Data(SHA256.hash(data: client)))
            object += Data([0x66]) + Data("packed".utf8) + Data([0x67]) + Data("attStmt".utf8) + Data([0xA2, 0x63]) + Data("alg".utf8)
            object += Data(algorithm + [0x63]) + Data("sig".utf8) + Data(Self.byteStringHead(signature.count)) + signature
        } else {
            object += Data([0x64]) + Data("none".utf8) + Data([0x67]) + Data("attStmt".utf8) + Data([0xA0])
        }
        object += Data([0x68]) + Data("authData".utf8)
        object += Data(Self.byteStringHead(data.count)) + data
        return (client, object)
    }

    /// The response to an authentication.
    public func assertionResponse(
        _ challenge: Data, rpID: String, origin: String, flags: UInt8 = defaultFlags, count: UInt32 = 0
    ) throws -> (clientDataJSON: Data, authenticatorData: Data, signature: Data) {
        let client = Self.clientData("webauthn.get", challenge, origin)
        let data = authenticatorData(rpID: rpID, flags: flags, count: count, isNew: false)
        return (client, data, try sign(data + Data(SHA256.hash(data: client))))
    }
}
