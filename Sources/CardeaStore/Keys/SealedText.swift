import Foundation
import GRDB
import Synchronization

/// A sealed text, as its column holds it. No text that a person writes begins like it.
public enum SealedText {
    private static let marker: Unicode.Scalar = "\u{1}"

    public static func encode(_ sealed: Data) -> String { "\(marker)\(sealed.base64EncodedString())" }

    static func isSealed(_ text: String) -> Bool { text.unicodeScalars.first == marker }

    /// nil if it is a text in the clear.
    public static func decode(_ text: String) -> Data? {
        guard text.unicodeScalars.first == marker else { return nil }
        return Data(base64Encoded: String(text.unicodeScalars.dropFirst()))
    }
}
