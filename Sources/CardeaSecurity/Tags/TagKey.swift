import Crypto
import CryptoExtras
import Foundation

/// A key of a tag or of a device: AES with 128 bits. It prints nothing.
public struct TagKey: Sendable, CustomStringConvertible, CustomReflectable {
    static let length = 16

    let key: SymmetricKey

    public enum KeyError: Error, Equatable {
        /// Not 32 hexadecimal digits.
        case malformed
        /// The factory's key, or sixteen times the same octet: no secret at all.
        case wellKnown
    }

    /// - Parameter hex: 32 hexadecimal digits.
    public init(hex: Secret) throws(KeyError) {
        guard let octets = Hexadecimal.decode(hex.reveal()), octets.count == Self.length else { throw .malformed }
        guard Set(octets).count > 1 else { throw .wellKnown }
        self.init(unchecked: octets)
    }

    /// A new one.
    public static func make() -> TagKey { TagKey(key: SymmetricKey(size: .bits128)) }

    /// For octets known to have a key's length: a derived key, and the zeros of published examples.
    init(unchecked octets: Data) {
        key = SymmetricKey(data: octets)
    }

    private init(key: SymmetricKey) {
        self.key = key
    }

    /// As it goes into a sealed place, or onto a tag. It is the key itself.
    public var octets: Data { key.withUnsafeBytes { Data($0) } }

    /// 32 hexadecimal digits, in small letters.
    public var hex: Secret { Secret(Hexadecimal.encode(octets)) }

    public enum DiversificationError: Error, Equatable {
        /// The input of a key does not have 16 to 31 octets.
        case length
    }

    /// The key of one tag, from which the master key and other tags' keys cannot be derived (NXP AN10922, section 2.2, AES-128).
    ///
    /// - Parameter input: what the key is for, 16 to 31 octets: the tag's UID first, then what tells this use of it from others. With
    ///   fewer, AN10922 pads otherwise than CMAC does; they are refused.
    public func diversified(for input: Data) throws -> TagKey {
        guard (16...31).contains(input.count) else { throw DiversificationError.length }
        return TagKey(unchecked: try mac(of: [0x01] + input))
    }

    /// AES-CMAC (RFC 4493): 16 octets.
    func mac(of message: some DataProtocol) throws -> Data {
        var code = try AES.CMAC(key: key)
        code.update(data: message)
        return Data(code.finalize())
    }

    public var description: String { "[key]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
