import CardeaSecurity
import Foundation

/// The unencrypted part of a backup. It contains nothing about the house, and every chunk is bound to it, so that a change is noticed.
public struct ArchiveHeader: Codable, Hashable, Sendable {
    /// Which layout this is; see decisions 0047 and 0079.
    public let format: Int
    /// Milliseconds since 1970.
    let at: Int64
    /// The program that made it.
    public let app: String
    /// The fingerprint of the key that opens it.
    public let key: String
    /// The derivation of that key from a passphrase; absent for a recovery key.
    public let passphrase: PasswordKeyDerivation?

    public static let current = 2
    /// The same layout without authentication: of an older version, or sealed to a recovery key of an older version.
    private static let unauthenticated = 1
    static let magic = Data("CARDEA BACKUP\n".utf8)
    /// Bytes; a longer header is not valid.
    static let sizeLimit = 4096
    /// Of X25519's encapsulated key (RFC 9180, section 7.1).
    static let encapsulatedKeySize = 32

    init(at moment: Date, app: String, lock: BackupRecipient) {
        format = lock.authentication == nil ? Self.unauthenticated : Self.current
        at = Int64((moment.timeIntervalSince1970 * 1000).rounded())
        self.app = app
        key = lock.fingerprint
        passphrase = lock.recipe
    }

    /// True if only a house that has the key's authentication key could make it.
    public var isAuthenticated: Bool { format > Self.unauthenticated }

    public var createdAt: Date { Date(timeIntervalSince1970: Double(at) / 1000) }

    /// The bytes at the beginning of the file.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = try encoder.encode(self)
        let count = UInt16(clamping: text.count)
        return Self.magic + [UInt8(count >> 8), UInt8(count & 255)] + text
    }
}

/// The reason why a backup cannot be used, in words.
public enum ArchiveError: Error, Hashable, CustomStringConvertible {
    case notABackup
    case newer(format: Int)
    /// It is sealed to another key.
    case otherKey
    case wrongPassphrase
    /// A chunk cannot be decrypted, or its content is invalid: it was changed, cut short, or put together of several.
    case damaged(at: UInt64)
    /// It holds a file that belongs in no house.
    case misplaced(String)

    public var description: String {
        switch self {
        case .notABackup: "This file is not a backup of Cardea, or its header is damaged. Choose another file."
        case .newer(let format): "This backup was made by a newer Cardea, in format \(format). Install that version or newer."
        case .otherKey: "This backup is encrypted with another key. Use the recovery key that was printed when the backup was made."
        case .wrongPassphrase: "The passphrase is wrong, or the header of the backup was changed. Check the passphrase."
        case .damaged(let place):
            "This backup is damaged at byte \(place), incomplete, or from another sender. Nothing was changed. Use another backup."
        case .misplaced(let name): "This backup holds \u{201C}\(name)\u{201D}, which is not part of a house. Nothing was changed."
        }
    }
}
