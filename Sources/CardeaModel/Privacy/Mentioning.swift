import Foundation

/// Whether a text speaks of somebody.
public enum Mentioning {
    /// Whether `name` stands in `text` as a word of its own, in whichever case.
    public static func mentions(_ text: String, _ name: String) -> Bool {
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
}
