import Foundation

/// The name of a person, a guest, a room or a device.
///
/// Seed 001's three errors and 100 characters; its alphabet widened to what people are called: letters and marks of every
/// script, digits, punctuation, symbols and emoji. Trimmed, NFC, no control and no bidi characters.
public enum Name {
    public enum NameError: String, Error, Hashable, Sendable {
        case empty
        case tooLong = "too_long"
        case invalidCharacters = "invalid_characters"
    }

    public static let limit = 100

    /// The name as it is kept, or why it cannot be.
    public static func check(_ text: String) throws(NameError) -> String {
        let name = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty else { throw .empty }
        // A grapheme may have any number of combining marks, so bytes are limited too.
        guard name.count <= limit, name.utf8.count <= limit * 8 else { throw .tooLong }
        guard isPlain(name) else { throw .invalidCharacters }
        return name
    }

    /// Returns a description of a sentence or two, by the rules of a name and up to 500 characters; nil if it is empty.
    public static func checkDescription(_ text: String) throws(NameError) -> String? {
        let text = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= 500, text.utf8.count <= 4000 else { throw .tooLong }
        guard isPlain(text) else { throw .invalidCharacters }
        return text.isEmpty ? nil : text
    }

    /// A name that came from an integration is cleaned, not refused.
    public static func cleaned(_ text: String, else fallback: String) -> String {
        let cut = String(String(plain(text)).trimmingCharacters(in: .whitespacesAndNewlines).prefix(limit))
        return (try? check(cut)) ?? fallback
    }

    private static func isPlain(_ text: String) -> Bool { plain(text).count == text.unicodeScalars.count }

    /// Returns the characters of a text that a name may contain.
    private static func plain(_ text: String) -> String.UnicodeScalarView {
        var plain = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard isPlain(scalar) else { continue }
            plain.append(scalar)
            if scalar == "\u{1F3F4}", let tags = regionTags(rest) {
                plain.append(contentsOf: tags)
                rest = rest.dropFirst(tags.count)
            }
        }
        return plain
    }

    /// The tags that make the black flag before them the flag of Scotland or of Texas (UTS #51, `emoji_tag_sequence`): three to seven
    /// invisible letters or digits, and their end. Elsewhere, or longer, they could hide a text.
    private static func regionTags(_ rest: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
        let region = rest.prefix { (0xE0030...0xE0039).contains($0.value) || (0xE0061...0xE007A).contains($0.value) }
        guard (3...7).contains(region.count), rest.dropFirst(region.count).first == "\u{E007F}" else { return nil }
        return rest.prefix(region.count + 1)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
        // Joiners are part of emoji and of several scripts; every other format character is an invisible control.
        case .format: return scalar == "\u{200D}" || scalar == "\u{200C}"
        default: return true
        }
    }
}
