import Foundation

/// Finds names in texts.
public enum NameMention {
    /// Returns whether `text` contains `name` as a word of its own, in any case.
    public static func contains(_ text: String, _ name: String) -> Bool {
        let (text, name) = (text.lowercased(), name.lowercased())
        var rest = text[text.startIndex...]
        while let range = rest.range(of: name) {
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
            if !before.isLetter, !before.isNumber, !after.isLetter, !after.isNumber { return true }
            rest = text[range.upperBound...]
        }
        return false
    }

    /// Returns the text with `other` in place of `name`, wherever that is a word of its own.
    public static func replacing(_ name: String, in text: String, by other: String) -> String {
        guard !name.isEmpty, contains(text, name) else { return text }
        var told = ""
        var rest = text[text.startIndex...]
        while let range = rest.range(of: name, options: .caseInsensitive) {
            let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
            let isWord = !before.isLetter && !before.isNumber && !after.isLetter && !after.isNumber
            told += rest[..<range.lowerBound]
            told += isWord ? other : String(rest[range])
            rest = text[range.upperBound...]
        }
        told += rest
        // In a few scripts a word with other letters is not found at its place.
        return contains(told, name) ? other : told
    }
}
