import Crypto
import Foundation

/// A secret that authenticates a button's messages: 32 random octets. One signs its live links, and one its commands to a device. A new one
/// invalidates everything that was signed before.
public struct ButtonSecret: Sendable, CustomStringConvertible, CustomReflectable {
    let key: SymmetricKey

    public static func make() -> ButtonSecret { ButtonSecret(key: SymmetricKey(size: .bits256)) }

    private init(key: SymmetricKey) {
        self.key = key
    }

    /// - Parameter hex: 64 hexadecimal digits.
    /// - Returns: nil for anything else; an empty text is no secret.
    public init?(hex: Secret) {
        guard let octets = Hexadecimal.decode(hex.reveal()), octets.count == 32 else { return nil }
        key = SymmetricKey(data: octets)
    }

    /// 64 hexadecimal digits, in small letters.
    public var hex: Secret { Secret(key.withUnsafeBytes { Hexadecimal.encode($0) }) }

    public var description: String { "[secret]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
