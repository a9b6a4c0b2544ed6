/// A machine's description of a picture, stored as one line of plain text. It is untrusted: a person in front of the camera may have
/// influenced it.
public enum GeneratedDescription {
    /// Characters at most: a sentence or two, in a list.
    public static let limit = 300
    /// The limit in Unicode scalars, because a character may carry any number of marks.
    private static let scalarLimit = 600

    /// - Returns: nil if nothing remains.
    public static func cleaned(_ text: String) -> String? {
        var words: [String] = []
        // The rest of a far too long text is not read.
        let read = text.unicodeScalars.prefix(scalarLimit * 8)
        for word in read.split(whereSeparator: { $0.properties.isWhitespace || $0.properties.generalCategory == .control }) {
            let seen = String(String.UnicodeScalarView(word.filter(isVisible)))
            if !seen.isEmpty { words.append(seen) }
        }
        let line = words.joined(separator: " ")
        // Marks alone are not readable text.
        guard line.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }) else { return nil }
        return truncated(line)
    }

    private static func truncated(_ line: String) -> String? {
        var (kept, scalars) = ("", 0)
        for (index, character) in line.enumerated() {
            scalars += character.unicodeScalars.count
            // One place is reserved for the ellipsis.
            guard index < limit - 1 || index == limit - 1 && line.count == limit, scalars < scalarLimit else {
                // Back to the last whole word, if the words are short enough.
                let whole = kept.suffix(40).lastIndex(of: " ").map { kept[..<$0] } ?? kept[...]
                return whole.isEmpty ? nil : whole + "…"
            }
            kept.append(character)
        }
        return kept
    }

    /// Joiners are part of emoji and of several scripts; every other format character is an invisible control.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .format: scalar == "\u{200D}" || scalar == "\u{200C}"
        default: true
        }
    }
}
