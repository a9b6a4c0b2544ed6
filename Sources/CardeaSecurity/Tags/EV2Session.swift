import Crypto
import CryptoExtras
import Foundation

/// The secured messages between a tag and the reader that authenticated to it: encrypted, and protected against changes (NXP AN12196,
/// "secure messaging", AES).
public struct EV2Session: Sendable, CustomStringConvertible, CustomReflectable {
    public enum SessionError: Error, Equatable {
        /// Not of the right length.
        case malformed
        /// Not from the tag of this session.
        case forged
    }

    private let encryption: TagKey
    private let authentication: TagKey
    private let transaction: Data
    /// Commands so far.
    private var count: UInt16

    init(encryption: TagKey, authentication: TagKey, transaction: Data, count: UInt16 = 0) {
        (self.encryption, self.authentication, self.transaction, self.count) = (encryption, authentication, transaction, count)
    }

    /// Returns the body of a command.
    ///
    /// - Parameters:
    ///   - instruction: its number, such as `0x5F`.
    ///   - header: the part that stays readable.
    ///   - data: the part that is encrypted.
    public func body(_ instruction: UInt8, header: Data = Data(), data: Data = Data()) throws -> Data {
        var body = header
        if !data.isEmpty { body += try AESCBC.encrypt(AESCBC.padded(data), encryption, start: start([0xA5, 0x5A], count)) }
        return body + (try mac(instruction, count, body))
    }

    /// Verifies the tag's answer, and counts the command.
    ///
    /// - Parameter status: its second status octet.
    /// - Returns: its content, decrypted.
    /// - Throws: `SessionError`
    public mutating func receive(_ answer: Data, status: UInt8 = 0) throws -> Data {
        let next = count &+ 1
        let sent = Data(answer.dropLast(8))
        guard answer.count >= 8 else { throw SessionError.malformed }
        guard constantTimeEquals(Data(answer.suffix(8)), try mac(status, next, sent)) else { throw SessionError.forged }
        count = next
        guard !sent.isEmpty else { return Data() }
        guard sent.count.isMultiple(of: 16) else { throw SessionError.malformed }
        return try AESCBC.unpadded(AESCBC.decrypt(sent, encryption, start: start([0x5A, 0xA5], next)))
    }

    /// Every second octet of the code, as tags shorten it.
    private func mac(_ first: UInt8, _ count: UInt16, _ rest: Data) throws -> Data {
        let whole = [UInt8](try authentication.mac(of: [first] + Self.littleEndian(count) + transaction + rest))
        return Data(stride(from: 1, to: whole.count, by: 2).map { whole[$0] })
    }

    private func start(_ kind: [UInt8], _ count: UInt16) throws -> [UInt8] {
        var block = kind + transaction + Self.littleEndian(count) + [UInt8](repeating: 0, count: 8)
        try AES.permute(&block, key: encryption.key)
        return block
    }

    private static func littleEndian(_ count: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
    }

    public var description: String { "[session]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whole blocks of AES, one bound to the next.
enum AESCBC {
    static let zero = [UInt8](repeating: 0, count: 16)

    static func encrypt(_ plain: Data, _ key: TagKey, start: [UInt8]) throws -> Data {
        try AES._CBC.encrypt(plain, using: key.key, iv: try AES._CBC.IV(ivBytes: start), noPadding: true)
    }

    static func decrypt(_ secret: Data, _ key: TagKey, start: [UInt8]) throws -> Data {
        try AES._CBC.decrypt(secret, using: key.key, iv: try AES._CBC.IV(ivBytes: start), noPadding: true)
    }

    /// ISO/IEC 9797-1, padding method 2.
    static func padded(_ data: Data) -> Data {
        let padded = data + [0x80]
        return padded + Data(count: (16 - padded.count % 16) % 16)
    }

    static func unpadded(_ data: Data) throws(EV2Session.SessionError) -> Data {
        guard let end = data.lastIndex(where: { $0 != 0 }), data[end] == 0x80 else { throw .malformed }
        return Data(data[..<end])
    }
}
