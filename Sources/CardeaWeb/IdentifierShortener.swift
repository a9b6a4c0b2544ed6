/// Gives one or two letters to the names that a script uses for itself alone: its parameters, variables and functions.
///
/// A name is changed everywhere in the script, in all its scopes at once, to one that occurs nowhere in it. So scopes need not be known, as
/// long as each kind of place is recognised: a property, a key and a method keep their names, and a name that is imported, exported,
/// written as a shorthand (`{ name }`) or as a label anywhere in the script stays as it is everywhere. In doubt a name stays.
struct IdentifierShortener {
    private let source: [UInt8]
    private let tokens: [ScriptToken]
    private let words: [String?]
    /// The bracket that is open around each token, and the other half of each bracket.
    private var around: [Int?]
    private var other: [Int: Int] = [:]
    /// The braces that open a class.
    private var classes: Set<Int> = []

    private var places: [String: [Int]] = [:]
    private var declared: Set<String> = []
    private var kept: Set<String> = []

    /// The script as `ScriptMinifier` made it, with short names.
    static func shorten(_ script: String) -> String {
        var names = IdentifierShortener(script)
        names.pair()
        names.read()
        return names.written()
    }

    private init(_ script: String) {
        let source = Array(script.utf8)
        let tokens = ScriptScanner.tokens(of: source)
        self.source = source
        self.tokens = tokens
        words = tokens.map { $0.kind == .word ? String(decoding: source[$0.range], as: UTF8.self) : nil }
        around = Array(repeating: nil, count: tokens.count)
    }

    // MARK: Tokens and their neighbours

    private func word(_ index: Int) -> String? { words.indices.contains(index) ? words[index] : nil }

    private func isMark(_ index: Int, _ marks: String) -> Bool {
        guard tokens.indices.contains(index), tokens[index].kind == .mark else { return false }
        return marks.utf8.contains(source[tokens[index].range.lowerBound])
    }

    private func isArrow(_ index: Int) -> Bool { isMark(index, "=") && isMark(index + 1, ">") }

    private func isSpread(_ index: Int) -> Bool { isMark(index, ".") && isMark(index - 1, ".") }

    private func isProperty(_ index: Int) -> Bool { isMark(index - 1, ".") && !isSpread(index - 1) }

    private func isFunctionName(_ index: Int) -> Bool {
        word(index - 1) == "function" || isMark(index - 1, "*") && word(index - 2) == "function"
    }

    /// Finds the bracket around each token.
    private mutating func pair() {
        var open: [Int] = []
        var beginsClass = false
        for (index, token) in tokens.enumerated() {
            let closes: Bool
            let opens: Bool
            switch token.kind {
            case .template(let endsCode, let beginsCode): (closes, opens) = (endsCode, beginsCode)
            default: (closes, opens) = (isMark(index, ")]}"), isMark(index, "([{"))
            }
            if closes, let begin = open.popLast() { (other[begin], other[index]) = (index, begin) }
            around[index] = open.last
            if opens { open.append(index) }
            if words[index] == "class", !isProperty(index), word(index + 1) != nil || isMark(index + 1, "{") { beginsClass = true }
            if beginsClass, isMark(index, "{") {
                classes.insert(index)
                beginsClass = false
            }
        }
    }

    // MARK: Names

    private mutating func read() {
        for index in tokens.indices {
            if isMark(index, "(") { readParameters(index) }
            if isMark(index, "["), word(index - 1).map(Self.binds) == true { declare(in: index) }
            guard let word = words[index], !isProperty(index) else { continue }
            if word == "import", !isMark(index + 1, "(.") { keepImported(from: index) }
            if word == "export" { keepExported(from: index) }
            if Self.isCandidate(word) { note(word, index) }
        }
    }

    private mutating func note(_ word: String, _ index: Int) {
        let isInBraces = around[index].map { isMark($0, "{") } ?? false
        let isListed = isInBraces && isMark(index - 1, "{,")
        if isListed, isMark(index + 1, ":") { return }
        places[word, default: []].append(index)

        let isShorthand = isListed && isMark(index + 1, ",}=")
        let isMethod =
            isInBraces && isMark(index + 1, "(") && !isFunctionName(index) && other[index + 1].map { isMark($0 + 1, "{") } == true
        let isMember = around[index].map(classes.contains) ?? false
        let isLabel =
            isMark(index + 1, ":") && (tokens[index].startsLine || isMark(index - 1, "};)"))
            || ["break", "continue"].contains(self.word(index - 1))
        if isShorthand || isMethod || isMember || isLabel { kept.insert(word) }

        let isDeclared = self.word(index - 1).map { Self.binds($0) || $0 == "class" } ?? false
        if isDeclared || isFunctionName(index) || isArrow(index + 1) { declared.insert(word) }
    }

    private static func binds(_ word: String) -> Bool { word == "let" || word == "const" || word == "var" }

    /// Parameters of an arrow, a function, a method or a `catch`.
    private mutating func readParameters(_ open: Int) {
        guard let close = other[open] else { return }
        let isFunction =
            isMark(close + 1, "{") && !tokens[close + 1].startsLine
            && word(open - 1).map { !["if", "for", "while", "switch", "with", "await"].contains($0) } == true
        guard isFunction || isArrow(close + 1) else { return }
        declare(in: open)
        for index in open..<close where isMark(index, "[") && around[index] == open && isMark(index - 1, "(,") {
            declare(in: index)
        }
    }

    /// Names directly in a list of parameters or in a pattern.
    private mutating func declare(in open: Int) {
        guard let close = other[open] else { return }
        for index in open + 1..<close where around[index] == open && (isMark(index - 1, "([,") || isSpread(index - 1)) {
            if let word = words[index] { declared.insert(word) }
        }
    }

    private mutating func keepImported(from index: Int) {
        for token in index..<tokens.count {
            if tokens[token].kind == .literal { return }
            keep(token)
        }
    }

    private mutating func keepExported(from index: Int) {
        var at = index + 1
        if isMark(at, "{*") {
            while at < tokens.count, tokens[at].kind != .literal, !isMark(at, ";"), !tokens[at].startsLine {
                keep(at)
                at += 1
            }
            return
        }
        var isList = false
        while let word = word(at), word == "async" || word == "function" || word == "class" || word == "default" || Self.binds(word) {
            isList = isList || Self.binds(word)
            at += 1
        }
        if isMark(at, "*") { at += 1 }
        keep(at)
        guard isList else { return }
        if isMark(at, "{["), let close = other[at] { (at...close).forEach { keep($0) } }
        // Further declarations of the same statement follow its commas.
        while at < tokens.count, around[at] != around[index] || !isMark(at, ";") && !tokens[at].startsLine {
            if around[at] == around[index], isMark(at - 1, ",") { keep(at) }
            at += 1
        }
    }

    private mutating func keep(_ index: Int) {
        if let word = word(index) { kept.insert(word) }
    }

    /// A name long enough, no word of the language and not likely to be one of the browser's own.
    private static func isCandidate(_ word: String) -> Bool {
        guard word.count > 2, let first = word.first, first != "#", !first.isNumber else { return false }
        return (!first.isUppercase || word == word.uppercased()) && !ofLanguage.contains(word) && !ofBrowser.contains(word)
    }

    private static let ofLanguage: Set<String> = [
        "arguments", "async", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
        "delete", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "from", "function", "get", "import",
        "instanceof", "let", "new", "null", "return", "set", "static", "super", "switch", "this", "throw", "true", "try",
        "typeof", "undefined", "var", "void", "while", "with", "yield",
    ]

    /// Globals with names that a script might also use for something of its own.
    private static let ofBrowser: Set<String> = [
        "CSS", "JSON", "URL", "alert", "blur", "caches", "close", "closed", "confirm", "console", "crypto", "document",
        "event", "external", "fetch", "find", "focus", "frames", "history", "length", "location", "name", "navigator", "open",
        "opener", "origin", "parent", "performance", "print", "prompt", "screen", "scroll", "self", "status", "stop", "top",
        "window",
    ]

    // MARK: Writing

    private func written() -> String {
        let names = places.filter { declared.contains($0.key) && !kept.contains($0.key) }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        var replaced: [Int: String] = [:]
        for (name, short) in zip(names, shortNames(names.count)) {
            for index in name.value { replaced[index] = short }
        }
        var out: [UInt8] = []
        var end = 0
        for (index, token) in tokens.enumerated() {
            guard let short = replaced[index] else { continue }
            out += source[end..<token.range.lowerBound]
            out += short.utf8
            end = token.range.upperBound
        }
        return String(decoding: out + source[end...], as: UTF8.self)
    }

    /// The first names that occur nowhere in the script, those of one letter before those of two.
    private func shortNames(_ count: Int) -> [String] {
        let letters = "etnisoarlcdpumhfgvbyjwkxqzETNISOARLCDPUMHFGVBYJWKXQZ".map(String.init)
        let used = Set(words.compactMap { $0 }).union(["as", "do", "if", "in", "of"])
        let all = [letters, letters.flatMap { first in letters.prefix(26).map { first + $0 } }].joined()
        return Array(all.lazy.filter { !used.contains($0) }.prefix(count))
    }
}
