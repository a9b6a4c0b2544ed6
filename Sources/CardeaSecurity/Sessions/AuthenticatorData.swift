import Foundation

/// The authenticator's own statement (WebAuthn, section 6.1), bound by its signature.
public struct AuthenticatorData: Sendable {
    public let rpIDHash: Data
    public let flags: Flags
    public let signCount: UInt32
    /// Only where a passkey was just made.
    public let attested: AttestedCredential?

    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let userPresent = Flags(rawValue: 0x01)
        public static let userVerified = Flags(rawValue: 0x04)
        public static let backupEligible = Flags(rawValue: 0x08)
        public static let backedUp = Flags(rawValue: 0x10)
        static let attested = Flags(rawValue: 0x40)
        static let extensions = Flags(rawValue: 0x80)
    }

    public struct AttestedCredential: Sendable {
        /// The make of authenticator; all zero if it does not say.
        public let aaguid: Data
        public let credentialID: Data
        public let key: COSEKey
        /// The key as it came, to be kept.
        public let keyBytes: Data
    }

    public init(_ data: Data) throws(PasskeyError) {
        var rest = data
        func take(_ count: Int) throws(PasskeyError) -> Data {
            guard rest.count >= count else { throw .malformed }
            defer { rest = rest.dropFirst(count) }
            return Data(rest.prefix(count))
        }
        rpIDHash = try take(32)
        flags = Flags(rawValue: try take(1).reduce(0) { $0 | $1 })
        signCount = try take(4).reduce(0) { $0 << 8 | UInt32($1) }
        // A passkey that is not backup-eligible cannot be backed up.
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw .malformed }
        if flags.contains(.attested) {
            let aaguid = try take(16)
            let length = try take(2).reduce(0) { $0 << 8 | Int($1) }
            guard (1...1023).contains(length) else { throw .malformed }
            let credentialID = try take(length)
            let (value, count) = try Self.first(Data(rest))
            attested = AttestedCredential(aaguid: aaguid, credentialID: credentialID, key: try COSEKey(value), keyBytes: try take(count))
        } else {
            attested = nil
        }
        if flags.contains(.extensions) {
            let (value, count) = try Self.first(Data(rest))
            guard case .map = value else { throw .malformed }
            _ = try take(count)
        }
        guard rest.isEmpty else { throw .malformed }
    }

    private static func first(_ data: Data) throws(PasskeyError) -> (CBOR, Int) {
        do {
            let (value, count) = try CBOR.decodeFirst(data)
            return (value, count)
        } catch {
            throw .malformed
        }
    }
}
