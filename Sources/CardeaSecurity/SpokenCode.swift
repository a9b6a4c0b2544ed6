import Foundation

/// The code a guest types.
public enum SpokenCode {
    /// No 0 and O, no 1, I and L, no U and V: what one hears or reads is what one types.
    public static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTWXYZ")
    public static let length = 10

    /// The code from however it was typed or pasted; nil when it cannot be a spoken code.
    public static func normalized(_ typed: String) -> String? { PastedText.code(typed, of: length) }
}
