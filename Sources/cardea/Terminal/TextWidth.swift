/// The number of terminal columns that a text takes. Alignment depends on it; a terminal that measures a character differently is off by
/// one.
enum TextWidth {
    static func of(_ text: String) -> Int { text.reduce(0) { $0 + of($1) } }

    /// Exactly `width` columns of `text`: padded with spaces, or cut with a mark. Control characters are removed.
    static func fit(_ text: String, _ width: Int) -> String {
        let cut = cut(text, width)
        return cut + String(repeating: " ", count: max(0, width - of(cut)))
    }

    /// At most `width` columns of `text`.
    static func cut(_ text: String, _ width: Int) -> String {
        let plain = printable(text)
        guard of(plain) > width else { return plain }
        guard width > 0 else { return "" }
        var (stored, used) = ("", 0)
        for character in plain {
            let next = of(character)
            guard used + next < width else { break }
            stored.append(character)
            used += next
        }
        return stored + "…"
    }

    /// `text` without control characters.
    static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
    }

    /// The same for whole lines: keeps line ends, tabs, and the colours of `TerminalStyle` and QR codes (SGR, ECMA-48 section 8.3.117).
    /// Names and reasons come from a house, and a hostile one must not move the cursor.
    static func sanitized(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var (stored, rest) = (String.UnicodeScalarView(), text.unicodeScalars[...])
        while let scalar = rest.popFirst() {
            if scalar == "\n" || scalar == "\t" || !isControl(scalar) {
                stored.append(scalar)
            } else if scalar == "\u{1B}", let paint = sgrSequence(rest) {
                stored.append(scalar)
                stored.append(contentsOf: paint)
                rest = rest[paint.endIndex...]
            }
        }
        return String(stored)
    }

    /// The rest of an escape sequence that only sets colour or style: `[`, numbers, `m`.
    private static func sgrSequence(_ rest: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
        guard rest.first == "[", let end = rest.dropFirst().firstIndex(where: { !("0"..."9").contains($0) && $0 != ";" }), rest[end] == "m"
        else { return nil }
        return rest[...end]
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Bidirectional controls reorder the rest of the line.
        case .format: scalar.properties.isBidiControl
        default: false
        }
    }

    private static func of(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") || isWide(first) { return 2 }
        switch first.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark: return 0
        default: return 1
        }
    }

    /// East Asian scripts, as Unicode's East Asian Width has them.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
