import Foundation

/// The code a guest types.
public enum TypedPassCode {
    /// Without 0 and O, 1, I and L, U and V, which are easily confused when read or heard.
    public static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTWXYZ")
    public static let length = 10

    /// The code from however it was typed or pasted; nil when it cannot be a spoken code.
    public static func normalized(_ typed: String) -> String? { PastedText.code(typed, of: length) }
}
