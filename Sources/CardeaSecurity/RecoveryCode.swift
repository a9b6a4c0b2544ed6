import Foundation

/// The code on the paper in the drawer.
public enum RecoveryCode {
    public static let length = 24

    /// As it is written down: groups of four.
    public static func formatted(_ code: Secret) -> String {
        let characters = Array(code.reveal())
        return stride(from: 0, to: characters.count, by: 4).map { String(characters[$0..<min($0 + 4, characters.count)]) }
            .joined(separator: "-")
    }

    /// The code as it is kept, from however it was typed; nil when it cannot be one.
    public static func normalized(_ typed: String) -> Secret? {
        PastedText.code(typed, of: length).map { Secret($0) }
    }
}
