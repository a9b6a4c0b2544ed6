import Foundation

/// The code of a pass: the token of its link, or ten characters to type.
public enum PassCode {
    /// The code as the house knows it; nil if the text is neither a whole link nor such characters.
    public static func normalized(_ text: String) -> Secret? {
        TokenKind.guestLink.token(in: text) ?? TypedPassCode.normalized(text).map { Secret($0) }
    }
}
