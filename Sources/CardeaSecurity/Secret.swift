import Crypto
import Foundation

/// Text that must not be seen: a token, a code, a password. It prints nothing, and cannot be compared with `==`.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The secret itself, for the one place that must send or check it.
    public func reveal() -> String { text }

    /// SHA-256, in which form a high-entropy secret is stored.
    public var digest: Data { Data(SHA256.hash(data: Data(text.utf8))) }

    /// Returns whether it looks like a token of `kind`, by its prefix. The prefix is no secret.
    public func hasPrefix(_ kind: TokenKind) -> Bool { text.hasPrefix(kind.rawValue) }

    public var description: String { "[secret]" }
    public var debugDescription: String { "[secret]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Comparing without telling by the time it takes where the difference is.
public func constantTimeEquals(_ one: Data, _ other: Data) -> Bool {
    // HMAC under a fresh key makes both sides random, so an early exit in the comparison below reveals nothing.
    let key = SymmetricKey(size: .bits256)
    return HMAC<SHA256>.isValidAuthenticationCode(
        HMAC<SHA256>.authenticationCode(for: one, using: key), authenticating: other, using: key)
}
