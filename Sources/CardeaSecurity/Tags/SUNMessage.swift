import Crypto
import CryptoExtras
import Foundation

/// The message of an NTAG 424 DNA in the link that it makes anew at each touch: secure unique NFC (NXP AN12196, "Secure Dynamic
/// Messaging").
///
/// It proves that this tag was touched once, and that no older touch is meant. It does not prove when: an unused link remains valid until
/// the tag makes another.
public struct SUNMessage: Hashable, Sendable {
    public enum MessageError: Error, Equatable {
        /// Not a link of such a tag.
        case malformed
        /// Encrypted with LRP, which is not supported.
        case unsupported
        /// Not made with these keys: the link of another tag, or a changed one.
        case forged
    }

    /// The tag that was touched, and how often it was by then.
    public struct Touch: Hashable, Sendable {
        /// Seven octets.
        public let uid: Data
        /// Rises by one with each touch, to 16 777 215.
        public let counter: UInt32
    }

    private let touched: Data
    /// The encrypted part of the tag's file, as in the link; nil if there is none.
    private let file: String?
    private let code: Data
    private let codeName: String

    static let fileLimit = 256

    /// - Parameters:
    ///   - piccData: UID and counter, encrypted: 32 hexadecimal digits.
    ///   - enc: the part of the tag's file that the link carries, encrypted; nil if it carries none.
    ///   - cmac: 16 hexadecimal digits.
    ///   - cmacName: the name by which the link carries them. The code is over the link's text up to them, so the name is part of it.
    public init(piccData: String, enc: String? = nil, cmac: String, cmacName: String = "cmac") throws(MessageError) {
        guard let touched = Hexadecimal.decode(piccData), let code = Hexadecimal.decode(cmac), code.count == 8 else { throw .malformed }
        guard touched.count != 24 else { throw .unsupported }
        guard touched.count == 16 else { throw .malformed }
        if let enc {
            guard enc.utf8.count <= 2 * Self.fileLimit, let file = Hexadecimal.decode(enc), !file.isEmpty, file.count % 16 == 0 else {
                throw .malformed
            }
        }
        self.touched = touched
        // The tag writes capital letters; a sender may have lowercased them.
        file = enc?.uppercased()
        self.code = code
        codeName = cmacName
    }

    /// The tag's claimed identity and counter. They are trusted only after `check`.
    ///
    /// - Parameter key: the house's `SDMMetaReadKey`.
    /// - Throws: `MessageError`
    public func touch(_ key: TagKey) throws -> Touch {
        let octets = [UInt8](try AES._CBC.decrypt(touched, using: key.key, iv: Self.zero, noPadding: true))
        // UID and counter are both present, and the UID has seven octets (AN12196, "PICCDataTag").
        guard octets.count == 16, octets[0] == 0xC7 else { throw MessageError.forged }
        return Touch(uid: Data(octets[1...7]), counter: octets[8...10].reversed().reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Refuses what this tag has not made at this touch.
    ///
    /// - Parameter key: the tag's own `SDMFileReadKey`.
    /// - Throws: `MessageError`
    public func check(_ touch: Touch, _ key: TagKey) throws {
        let session = TagKey(unchecked: try key.mac(of: Self.sessionVector([0x3C, 0xC3], touch)))
        let whole = [UInt8](try session.mac(of: Data((file.map { $0 + "&\(codeName)=" } ?? "").utf8)))
        let right = Data(stride(from: 1, to: whole.count, by: 2).map { whole[$0] })
        guard constantTimeEquals(code, right) else { throw MessageError.forged }
    }

    /// Returns the decrypted part of the file; nil if the link carries none. Call `check` before trusting it.
    public func fileData(_ touch: Touch, _ key: TagKey) throws -> Data? {
        guard let file, let octets = Hexadecimal.decode(file) else { return nil }
        let session = TagKey(unchecked: try key.mac(of: Self.sessionVector([0xC3, 0x3C], touch)))
        var start = [UInt8](Self.littleEndian(touch.counter) + Data(count: 13))
        try AES.permute(&start, key: session.key)
        return try AES._CBC.decrypt(octets, using: session.key, iv: try AES._CBC.IV(ivBytes: start), noPadding: true)
    }

    /// Returns the input from which a session's key is derived (AN12196, "SV1" and "SV2"): 16 octets with a UID of seven.
    private static func sessionVector(_ kind: [UInt8], _ touch: Touch) -> Data {
        Data(kind + [0x00, 0x01, 0x00, 0x80]) + touch.uid + littleEndian(touch.counter)
    }

    private static func littleEndian(_ counter: UInt32) -> Data {
        Data([UInt8(truncatingIfNeeded: counter), UInt8(truncatingIfNeeded: counter >> 8), UInt8(truncatingIfNeeded: counter >> 16)])
    }

    /// Each message uses an initial vector of zeros: it is one block.
    private static var zero: AES._CBC.IV {
        get throws { try AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16)) }
    }
}
