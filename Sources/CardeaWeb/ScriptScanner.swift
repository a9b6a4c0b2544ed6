/// A token of a script (ECMA-262, section 12): as much of it as tells names from everything else.
struct ScriptToken {
    enum Kind: Equatable {
        /// A name, a keyword or a number.
        case word
        /// One byte of punctuation.
        case mark
        /// A text or a regular expression.
        case literal
        /// A part of a template, which ends code, begins code, or both.
        case template(endsCode: Bool, beginsCode: Bool)
    }

    let kind: Kind
    /// Its bytes in the script.
    let range: Range<Int>
    /// True if a line break precedes it.
    let startsLine: Bool
}

/// Reads the tokens of a script that `ScriptMinifier` made: it has no comments.
struct ScriptScanner {
    private let source: [UInt8]
    private var at = 0
    private var tokens: [ScriptToken] = []
    /// The number of open braces in the code of each open template.
    private var templates: [Int] = []
    private var braces = 0
    private var startsLine = true

    static func tokens(of source: [UInt8]) -> [ScriptToken] {
        var scanner = ScriptScanner(source: source)
        while scanner.at < source.count { scanner.step() }
        return scanner.tokens
    }

    private init(source: [UInt8]) { self.source = source }

    private mutating func step() {
        switch source[at] {
        case UInt8(ascii: " "), UInt8(ascii: "\n"):
            startsLine = startsLine || source[at] == UInt8(ascii: "\n")
            at += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"): add(.literal, to: endOfText)
        case UInt8(ascii: "`"): template(endsCode: false)
        case UInt8(ascii: "}") where braces == 0 && !templates.isEmpty:
            braces = templates.removeLast()
            template(endsCode: true)
        case UInt8(ascii: "/") where beginsExpression: add(.literal, to: endOfExpression)
        case let byte where Self.isPartOfWord(byte):
            add(.word, to: source[at...].firstIndex { !Self.isPartOfWord($0) } ?? source.count)
        case let byte:
            if byte == UInt8(ascii: "{") { braces += 1 }
            if byte == UInt8(ascii: "}") { braces -= 1 }
            add(.mark, to: at + 1)
        }
    }

    private mutating func add(_ kind: ScriptToken.Kind, to end: Int) {
        let end = min(end, source.count)
        tokens.append(ScriptToken(kind: kind, range: at..<end, startsLine: startsLine))
        startsLine = false
        at = end
    }

    private var endOfText: Int {
        var end = at + 1
        while end < source.count, source[end] != source[at] { end += source[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end + 1
    }

    private var endOfExpression: Int {
        var (end, isInClass) = (at + 1, false)
        while end < source.count, isInClass || source[end] != UInt8(ascii: "/") {
            switch source[end] {
            case UInt8(ascii: "\\"): end += 1
            case UInt8(ascii: "["): isInClass = true
            case UInt8(ascii: "]"): isInClass = false
            default: break
            }
            end += 1
        }
        return end + 1
    }

    /// The part of a template up to its end or to the code in it.
    private mutating func template(endsCode: Bool) {
        var end = at + 1
        while end < source.count {
            if source[end] == UInt8(ascii: "`") { break }
            if source[end] == UInt8(ascii: "$"), end + 1 < source.count, source[end + 1] == UInt8(ascii: "{") {
                templates.append(braces)
                braces = 0
                return add(.template(endsCode: endsCode, beginsCode: true), to: end + 2)
            }
            end += source[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        add(.template(endsCode: endsCode, beginsCode: false), to: end + 1)
    }

    /// True if a slash here begins a regular expression, and does not divide.
    private var beginsExpression: Bool {
        guard !startsLine, let last = tokens.last else { return true }
        switch last.kind {
        case .word: return ["return", "typeof", "case", "in", "of", "await"].contains(String(decoding: source[last.range], as: UTF8.self))
        case .mark: return !")]".utf8.contains(source[last.range.lowerBound])
        case .literal: return false
        case .template(_, let beginsCode): return beginsCode
        }
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "#"), 128...:
            true
        default: false
        }
    }
}
