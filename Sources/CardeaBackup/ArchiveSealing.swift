import CardeaSecurity
import Crypto
import Foundation

/// The sealing of a stream: HPKE (RFC 9180; X25519, HKDF-SHA256, ChaCha20-Poly1305), chunk by chunk; in PSK mode if it is authenticated,
/// else in base mode.
///
/// The sender's sequence number is part of each nonce, so no chunk opens in another's place. The mark of the last chunk is authenticated
/// too, so a stream that is cut at a chunk's end does not open either. The header is HPKE's `info`.
enum ArchiveSealing {
    /// Bytes of plain text.
    static let chunkSize = 65_536
    static let tagSize = 16

    static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    /// The name of the preshared key.
    static let authentication = Data("cardea backup authentication".utf8)

    static func aad(isLast: Bool) -> Data { Data([isLast ? 1 : 0]) }
}

struct ArchiveSealer {
    private var sender: HPKE.Sender
    private var waiting = Data()
    /// The bytes before the first chunk.
    let beginning: Data

    init(_ header: ArchiveHeader, lock: BackupRecipient) throws {
        let text = try header.encoded()
        let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: lock.publicKey)
        sender =
            if let authentication = lock.authentication {
                try HPKE.Sender(
                    recipientKey: key, ciphersuite: ArchiveSealing.suite, info: text, presharedKey: authentication.presharedKey,
                    presharedKeyIdentifier: ArchiveSealing.authentication)
            } else {
                try HPKE.Sender(recipientKey: key, ciphersuite: ArchiveSealing.suite, info: text)
            }
        beginning = text + sender.encapsulatedKey
    }

    /// The chunks that are full. One is held back, since it may be the last.
    mutating func seal(_ plain: Data) throws -> Data {
        waiting.append(plain)
        var sealed = Data()
        while waiting.count > ArchiveSealing.chunkSize {
            sealed += try sender.seal(waiting.prefix(ArchiveSealing.chunkSize), authenticating: ArchiveSealing.aad(isLast: false))
            waiting = Data(waiting.dropFirst(ArchiveSealing.chunkSize))
        }
        return sealed
    }

    mutating func finish() throws -> Data {
        defer { waiting = Data() }
        return try sender.seal(waiting, authenticating: ArchiveSealing.aad(isLast: true))
    }
}

struct ArchiveOpener {
    private var recipient: HPKE.Recipient

    /// - Parameters:
    ///   - beginning: the header's bytes in the file.
    ///   - encapsulated: HPKE's own 32 bytes after it.
    ///   - isAuthenticated: as the header says. The header is bound to every chunk, so that a change is noticed.
    init(beginning: Data, encapsulated: Data, key: BackupKey, isAuthenticated: Bool) throws {
        recipient =
            if isAuthenticated {
                try HPKE.Recipient(
                    privateKey: key.key, ciphersuite: ArchiveSealing.suite, info: beginning, encapsulatedKey: encapsulated,
                    presharedKey: key.authentication.presharedKey, presharedKeyIdentifier: ArchiveSealing.authentication)
            } else {
                try HPKE.Recipient(
                    privateKey: key.key, ciphersuite: ArchiveSealing.suite, info: beginning, encapsulatedKey: encapsulated)
            }
    }

    mutating func open(_ chunk: Data, isLast: Bool) throws -> Data {
        try recipient.open(chunk, authenticating: ArchiveSealing.aad(isLast: isLast))
    }
}
