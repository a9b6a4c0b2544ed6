import Crypto
import Foundation

/// The key that opens the house's own key, and nothing else. It is stored outside the database, which knows it by its mark.
public struct KeyEncryptionKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let bytes: Data
    private let key: SealingKey

    public init(bytes: Data) throws(KeyFileError) {
        self.bytes = bytes
        key = try SealingKey(bytes: bytes)
    }

    /// The one in a file of mode 0600; nil if there is none.
    public init?(file url: URL) throws(KeyFileError) {
        guard let bytes = try KeyFile.bytes(at: url, closedTo: 0o077) else { return nil }
        try self.init(bytes: bytes)
    }

    /// The one from systemd's credential; nil without one.
    public init?(credential url: URL) throws(KeyFileError) {
        guard let bytes = try KeyFile.bytes(at: url, closedTo: 0o007) else { return nil }
        try self.init(bytes: bytes)
    }

    public static func random() throws(KeyFileError) -> KeyEncryptionKey { try KeyEncryptionKey(bytes: SecretGenerator.randomBytes(32)) }

    /// The key itself, for the one place that must keep it.
    public func reveal() -> Data { bytes }

    /// The mark that identifies the key.
    public var mark: Data { key.mark(Data("house key".utf8)) }

    public func wrap(_ houseKey: SealingKey) throws -> Data { try key.seal(houseKey.parts, for: sealingContext) }

    public func unwrap(_ wrapped: Data) throws -> SealingKey { try SealingKey(parts: key.open(wrapped, for: sealingContext)) }

    private var sealingContext: String { "house_keys/\(mark.base64EncodedString())/wrapped" }

    /// The house key of a house from an older version, which had one key for everything.
    public var asHouseKey: SealingKey { key }

    public var description: String { "[key]" }
    public var debugDescription: String { "[key]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The house's key, sealed to the key on paper: HPKE in base mode (RFC 9180; X25519, HKDF-SHA256, ChaCha20-Poly1305).
extension RecoveryKey {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let purpose = Data("cardea house key".utf8)
    /// The length of HPKE's own bytes, which come first.
    private static let encapsulated = 32

    /// The mark that identifies a public half in the table of the house's keys.
    public static func mark(of publicKey: Data) -> Data { Data(SHA256.hash(data: publicKey)) }

    public static func seal(_ houseKey: SealingKey, to publicKey: Data) throws -> Data {
        let recipient = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
        var sender = try HPKE.Sender(recipientKey: recipient, ciphersuite: suite, info: purpose)
        return sender.encapsulatedKey + (try sender.seal(houseKey.parts))
    }

    public func open(_ sealed: Data) throws -> SealingKey {
        let split = sealed.prefix(Self.encapsulated)
        var recipient = try HPKE.Recipient(
            privateKey: privateKey, ciphersuite: Self.suite, info: Self.purpose, encapsulatedKey: Data(split))
        return try SealingKey(parts: try recipient.open(Data(sealed.dropFirst(Self.encapsulated))))
    }
}
