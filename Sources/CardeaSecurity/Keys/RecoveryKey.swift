import Crypto
import Foundation

/// The key that opens the house's backups. The house keeps its public half alone; the key itself is on paper.
///
/// On paper it is 13 groups of five: four characters of RFC 4648's base 32, and one that follows from them and from the group's place, so
/// that a typing mistake is found and its group named. The four bits that are left at the end hold the beginning of the key's hash.
public struct RecoveryKey: Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    public init() { key = Curve25519.KeyAgreement.PrivateKey() }

    private init(bytes: Data) throws { key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) }

    /// The public half, which the house keeps: 32 bytes of X25519 (RFC 7748), no secret.
    public var publicKey: Data { key.publicKey.rawRepresentation }

    /// The key itself, for opening a backup.
    public var privateKey: Curve25519.KeyAgreement.PrivateKey { key }

    // MARK: Paper format

    /// An error in a typed recovery key.
    public enum KeyError: Error, Hashable, CustomStringConvertible {
        case character(Character)
        /// The number of characters.
        case length(Int)
        /// The first group, from 1, that cannot be.
        case group(Int, text: String)
        /// Each group is valid; together they are not a key.
        case whole

        public var description: String {
            switch self {
            case .character(let character):
                "\u{201C}\(character)\u{201D} is in no recovery key: it has the letters A to Z and the digits 2 to 7."
            case .length(let count): "A recovery key has \(RecoveryKey.length) letters and digits; this has \(count)."
            case .group(let number, let text): "Group \(number), \(text), was copied wrongly. Look at it again."
            case .whole: "This is no recovery key, though each group could be one's: groups of two keys may have been mixed."
            }
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    private static let groups = 13
    private static let length = groups * 5

    /// As it is written down.
    public var formatted: Secret {
        let bytes = key.rawRepresentation + [Self.checksumBits(of: key.rawRepresentation)]
        let values = Self.values(of: bytes)
        let groups = stride(from: 0, to: values.count, by: 4).enumerated().map { place, start in
            let group = Array(values[start..<min(start + 4, values.count)])
            return String((group + [Self.checkDigit(group, at: place)]).map { Self.alphabet[$0] })
        }
        return Secret(groups.joined(separator: "-"))
    }

    /// The key, from however it was typed: case, width, blanks, lines, dashes and unseen characters do not matter, and 0, 1 and 8 are taken
    /// for O, I and B.
    public init(typed: Secret) throws(KeyError) {
        var values: [Int] = []
        let scalars = PastedText.visible(typed.reveal()).unicodeScalars.filter(Self.isSignificant)
        for character in String(String.UnicodeScalarView(scalars)).uppercased() {
            let meant: Character = ["0": "O", "1": "I", "8": "B"][character] ?? character
            guard let value = Self.alphabet.firstIndex(of: meant) else { throw .character(character) }
            values.append(value)
        }
        guard values.count == Self.length else { throw .length(values.count) }
        var plain: [Int] = []
        for place in 0..<Self.groups {
            let group = Array(values[place * 5..<place * 5 + 5])
            guard Self.checkDigit(Array(group.prefix(4)), at: place) == group[4] else {
                throw .group(place + 1, text: String(group.map { Self.alphabet[$0] }))
            }
            plain += group.prefix(4)
        }
        let bytes = Self.bytes(of: plain)
        let key = Data(bytes.prefix(32))
        do {
            guard bytes.count == 33, bytes[32] == Self.checksumBits(of: key) else { throw KeyError.whole }
            try self.init(bytes: key)
        } catch { throw .whole }
    }

    private static func isSignificant(_ scalar: Unicode.Scalar) -> Bool {
        let about = scalar.properties
        // U+2212 is the minus sign, which Unicode lists as a mathematical symbol.
        let isDash = about.generalCategory == .dashPunctuation || scalar == "\u{2212}"
        return !isDash && !about.isWhitespace && !about.isDefaultIgnorableCodePoint
    }

    /// Odd weights: any one character that is another changes the sum.
    private static func checkDigit(_ group: [Int], at place: Int) -> Int {
        (zip(group, [1, 3, 5, 7]).reduce(0) { $0 + $1.0 * $1.1 } + 11 * (place + 1)) % 32
    }

    /// The four bits that 52 characters hold beyond 256: a checksum from the key's hash, in the upper half of a byte.
    private static func checksumBits(of key: Data) -> UInt8 { SHA256.hash(data: key).prefix(1).reduce(UInt8(0)) { $0 | $1 } & 0xF0 }

    /// 33 bytes as 52 values of five bits; the last four bits are zero and left out.
    private static func values(of bytes: Data) -> [Int] {
        var (values, held, count) = ([Int](), 0, 0)
        for byte in bytes {
            (held, count) = (held << 8 | Int(byte), count + 8)
            while count >= 5 {
                values.append(held >> (count - 5) & 31)
                count -= 5
                held &= (1 << count) - 1
            }
        }
        return values
    }

    private static func bytes(of values: [Int]) -> [UInt8] {
        var (bytes, held, count) = ([UInt8](), 0, 0)
        for value in values {
            (held, count) = (held << 5 | value, count + 5)
            if count >= 8 {
                bytes.append(UInt8(held >> (count - 8) & 255))
                count -= 8
                held &= (1 << count) - 1
            }
        }
        // Four bits are left, because 33 bytes have four bits more than 52 characters.
        return bytes + [UInt8(held << (8 - count) & 255)]
    }
}
