import Foundation

/// The name of a person, a guest, a room or a device.
///
/// Seed 001's three errors and 100 characters; its alphabet widened to what people are called: letters and marks of every
/// script, digits, punctuation, symbols and emoji. Trimmed, NFC, no control and no bidi characters.
public enum Name {
    public enum Problem: String, Error, Hashable, Sendable {
        case empty
        case tooLong = "too_long"
        case invalidCharacters = "invalid_characters"
    }

    public static let limit = 100

    /// The name as it is kept, or why it cannot be.
    public static func check(_ text: String) throws(Problem) -> String {
        let name = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw .empty }
        // A grapheme may carry any number of marks, so bytes are bounded too.
        guard name.count <= limit, name.utf8.count <= limit * 8 else { throw .tooLong }
        guard name.unicodeScalars.allSatisfy(isPlain) else { throw .invalidCharacters }
        return name
    }

    /// A sentence or two about a thing, by the rules of a name and up to 500 characters; nil where nothing is said.
    public static func checkDescription(_ text: String) throws(Problem) -> String? {
        let text = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= 500, text.utf8.count <= 4000 else { throw .tooLong }
        guard text.unicodeScalars.allSatisfy(isPlain) else { throw .invalidCharacters }
        return text.isEmpty ? nil : text
    }

    /// A name that came from an integration is cleaned, not refused.
    public static func cleaned(_ text: String, else fallback: String) -> String {
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.filter(isPlain)))
        let cut = String(plain.trimmingCharacters(in: .whitespacesAndNewlines).prefix(limit))
        return (try? check(cut)) ?? fallback
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        // Joiners are part of emoji and of several scripts; every other format character is invisible steering.
        case .format: return scalar == "\u{200D}" || scalar == "\u{200C}"
        default: return true
        }
    }
}
