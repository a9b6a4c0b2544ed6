import Foundation

/// Text that was pasted, typed or read from a tag, in one spelling.
///
/// Every entrance of links and codes asks here, so all of them take the same spellings. Cleaning twice changes nothing more.
public enum PastedText {
    /// The maximum length of text that is cleaned, in octets. Longer text is left unchanged: it is neither a link nor a code.
    static let maximumLength = 4096
    /// Most rounds of cleaning. A text in which each round uncovers another escape is left as it is: strangers may send it as often as they
    /// like.
    static let roundLimit = 16

    /// NFKC without invisible characters: zero-width ones, marks of direction, soft hyphens, byte order marks, controls, and the mark of
    /// broken octets. Blanks and line ends stay.
    public static func visible(_ text: String) -> String {
        guard text.utf8.count <= maximumLength, !text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return text }
        let seen = String(String.UnicodeScalarView(text.unicodeScalars.filter { !isInvisible($0) }))
        return seen.utf8.allSatisfy { $0 < 0x80 } ? seen : seen.precomposedStringWithCompatibilityMapping
    }

    /// The visible text with its percent escapes undone, also those that were escaped twice, and without the blanks, quotation marks,
    /// brackets and full stops around it.
    public static func normalized(_ text: String) -> String {
        guard text.utf8.count <= maximumLength else { return text }
        return fixedPoint(text) { trimmed(unescaped(visible($0))) }
    }

    /// The first link in a text: the part before its `#`, and the cleaned part behind. nil without a link.
    public static func link(in text: String) -> (place: String, fragment: String)? {
        let text = visible(text)
        guard let mark = text.firstRange(of: "://") else { return nil }
        let before = text[..<mark.lowerBound].lastIndex { !($0.isASCII && $0.isLetter) }
        let link = trimmed(String(text[(before.map { text.index(after: $0) } ?? text.startIndex)...].prefix { !$0.isWhitespace }))
        // Some mail programs escape the hash sign itself.
        guard let hash = link.firstRange(of: "#") ?? link.firstRange(of: "%23") else { return (link, "") }
        return (String(link[..<hash.lowerBound]), normalized(String(link[hash.upperBound...])))
    }

    /// A tag's link without its padding and blanks, without a fragment, and without the parameters that mailings and networks add.
    public static func tagLink(_ text: String) -> String {
        guard text.utf8.count <= maximumLength else { return text }
        return fixedPoint(text) { text in
            let link = normalized(text).filter { !$0.isWhitespace }.prefix { $0 != "#" }
            guard let mark = link.firstIndex(of: "?") else { return trimmed(String(link)) }
            let fields = link[link.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
            let kept = fields.filter { !isTracking($0) }
            return trimmed(kept.isEmpty ? String(link[..<mark]) : "\(link[...mark])\(kept.joined(separator: "&"))")
        }
    }

    /// The letters and digits of a code, in capitals; nil unless they are that many and all of ASCII.
    static func code(_ text: String, of count: Int) -> String? {
        guard text.utf8.count <= 256 else { return nil }
        let code = normalized(text).filter { $0.isLetter || $0.isNumber }
        return code.count == count && code.allSatisfy(\.isASCII) ? code.uppercased() : nil
    }

    // MARK: Steps

    private static func fixedPoint(_ text: String, _ step: (String) -> String) -> String {
        var before = text
        for _ in 0..<roundLimit {
            let after = step(before)
            guard after != before else { return after }
            before = after
        }
        return text
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .format: true
        case .control: !scalar.properties.isWhitespace
        default: scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{FFFD}"
        }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var octets: [UInt8] = []
        for octet in text.utf8 {
            octets.append(octet)
            // The decoded octet may complete another escape.
            while octets.count >= 3, octets[octets.count - 3] == UInt8(ascii: "%"),
                let value = Hexadecimal.decode(String(decoding: octets.suffix(2), as: UTF8.self))?.first
            {
                octets.removeLast(3)
                octets.append(value)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// Without the marks of a sentence at either end, and without an escape that was cut in two.
    private static func trimmed(_ text: String) -> String {
        var rest = text.unicodeScalars.drop(while: isTrimmable)
        while let last = rest.last {
            if isTrimmable(last) || last == "%" {
                rest.removeLast()
            } else if last.properties.isASCIIHexDigit, rest.dropLast().last == "%" {
                rest.removeLast(2)
            } else {
                break
            }
        }
        return String(rest)
    }

    private static func isTrimmable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .nonspacingMark: true
        default: scalar.properties.isWhitespace || punctuation.contains(scalar)
        }
    }

    private static let punctuation = Set(".,;:!?\"'`<>|*\\\u{3002}\u{3001}\u{060C}\u{061B}\u{061F}\u{0964}".unicodeScalars)

    private static func isTracking(_ field: Substring) -> Bool {
        let name = field.prefix { $0 != "=" }.lowercased()
        return name.hasPrefix("utm_") || tracking.contains(name)
    }

    private static let tracking: Set = [
        "fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "yclid", "twclid", "ttclid", "igsh", "igshid", "mc_cid", "mc_eid",
        "_hsenc",
        "_hsmi", "mkt_tok",
    ]
}

extension TokenKind {
    /// Characters behind the prefix: 256 bits in base64url.
    static let length = 43

    /// The token of this kind in a text, which may be a whole link; nil without one, or with a part of one.
    public func token(in text: String) -> Secret? {
        // A mail may break it over two lines; Markdown escapes its underscores.
        let text = PastedText.normalized(text).filter { !$0.isWhitespace && $0 != "\\" }
        guard let start = text.firstRange(of: rawValue) else { return nil }
        let token = text[start.upperBound...].prefix(Self.length)
        guard token.count == Self.length, token.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || "-_".contains($0) }) else {
            return nil
        }
        return Secret(rawValue + token)
    }
}
