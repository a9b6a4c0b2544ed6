import Foundation

/// The six digits that a phone shows and its owner types. They identify the phone, and open nothing by themselves.
public enum PairingDigits {
    public static let count = 6

    /// The digits from however they were typed or pasted, such as `123 456`; nil if they are more or fewer, or of another script.
    public static func normalized(_ typed: String) -> String? {
        PastedText.code(typed, of: count).flatMap { $0.allSatisfy(\.isNumber) ? $0 : nil }
    }

    /// As they are shown: `123 456`.
    public static func formatted(_ digits: String) -> String { "\(digits.prefix(count / 2)) \(digits.dropFirst(count / 2))" }
}
