import Foundation

/// A source file of the mind or of the automations, parsed for sentences.
struct MindSourceFile {
    /// The string literals: on one line or several, and inside interpolations.
    let literals: [Literal]
    /// Everything else: names, signs and line ends.
    private let tokens: [String]

    struct Literal {
        /// Without interpolations, and in one line.
        let text: String
        /// The function that receives the literal, with its owner: `logger.error`. Empty if there is none.
        let call: String
        /// The argument's label.
        let label: String

        /// Functions whose texts are for operators or for API clients, never for people who talk to the house.
        private static let calls: Set = [
            "fieldError", "WhatIfFieldError", "AutomationError", "field", "preconditionFailure", "recordViolation", "reportViolation",
            "MindLoop",
        ]
        /// Labels of validation errors, and of units in the API.
        private static let labels: Set = ["debugDescription", "unit"]
        private static let sql: Set = [
            "SELECT", "FROM", "WHERE", "INSERT", "UPDATE", "DELETE", "AND", "OR", "IN", "IS", "LIKE", "GLOB", "DESC",
        ]

        /// True if the text is not for people who talk to the house: for the log, the database, or API clients.
        var isInternal: Bool {
            let name = call.split(separator: ".").last.map { String($0) } ?? ""
            return call.hasPrefix("logger.") || Self.calls.contains(name) || Self.labels.contains(label)
                || text.split(separator: " ").contains { Self.sql.contains(String($0)) }
        }

        /// True if it contains two adjacent words.
        var isSentence: Bool {
            let words = text.split(separator: " ", omittingEmptySubsequences: false).map(Self.isWord)
            return zip(words, words.dropFirst()).contains { $0 && $1 }
        }

        private static func isWord(_ text: Substring) -> Bool {
            text.count(where: \.isLetter) > 1 && text.allSatisfy { $0.isLetter || ".?!'’“”".contains($0) }
        }
    }

    init(_ text: String) {
        var reader = SourceLexer(text)
        reader.read()
        (literals, tokens) = (reader.literals, reader.tokens)
    }

    /// All source files except the sentence lists, and the errors about a duration in a body.
    static func read() throws -> [MindSourceFile] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let left = ["AnswerSentence.swift", "StateSentence.swift", "InterviewSentence.swift", "WhatIfDuration.swift"]
        let files = ["CardeaMind", "CardeaAutomations"].flatMap { target in
            let walk = FileManager.default.enumerator(at: root.appending(path: "Sources/\(target)"), includingPropertiesForKeys: nil)
            return walk?.compactMap { $0 as? URL } ?? []
        }
        return try files.filter { $0.pathExtension == "swift" && !left.contains($0.lastPathComponent) }
            .map { MindSourceFile(try String(contentsOf: $0, encoding: .utf8)) }
    }

    // MARK: Requested uses

    /// The used cases of `type`: in arguments to functions that take one, and in declarations with that type.
    ///
    /// - Parameter others: functions that take one, besides those that the code declares.
    static func uses(of type: String, in code: [MindSourceFile], takenBy others: Set<String> = []) -> Set<String> {
        let takers = code.reduce(into: others) { $0.formUnion($1.functions(of: type)) }
        return code.reduce(into: Set<String>()) { $0.formUnion($1.uses(of: type, by: takers)) }
    }

    private func functions(of type: String) -> Set<String> {
        var found: Set<String> = []
        for (place, token) in tokens.enumerated() where token == "func" && place + 1 < tokens.count {
            guard let start = tokens[(place + 1)...].dropFirst().firstIndex(of: "(") else { continue }
            if tokens[start..<closing(start)].contains(type) { found.insert(tokens[place + 1]) }
        }
        return found
    }

    private func uses(of type: String, by takers: Set<String>) -> Set<String> {
        var found: Set<String> = []
        for (place, token) in tokens.enumerated() {
            if token == type {
                found.formUnion(members(place..<endOfDeclaration(after: place + 1)))
            } else if place + 1 < tokens.count, tokens[place + 1] == "(", takers.contains(token) {
                found.formUnion(members(place..<closing(place + 1)))
            }
        }
        return found
    }

    /// The names after a dot.
    private func members(_ range: Range<Int>) -> Set<String> {
        Set(range.filter { tokens[$0] == "." && $0 + 1 < range.upperBound }.map { tokens[$0 + 1] })
    }

    /// The index of the bracket that closes the one opened at `start`.
    private func closing(_ start: Int) -> Int {
        var depth = 0
        for place in start..<tokens.count {
            switch tokens[place] {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            default: break
            }
            if depth == 0 { return place }
        }
        return tokens.count
    }

    /// The end of a declaration whose type was just named: the end of its line, or of the body that it opens.
    private func endOfDeclaration(after start: Int) -> Int {
        var (place, depth) = (start, 0)
        while place < tokens.count {
            switch tokens[place] {
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                guard depth < 0 else { break }
                // Of several that are returned together, or of a list.
                guard place + 1 < tokens.count, [")", "]", "{"].contains(tokens[place + 1]) else { return place }
                depth = 0
            case "\n" where depth == 0:
                let next = tokens[place...].first { $0 != "\n" } ?? ""
                guard ["=", ",", "?", ":"].contains(tokens[place - 1]) || ["?", ":"].contains(next) else { return place }
            default: break
            }
            place += 1
        }
        return place
    }
}

/// Reads Swift source from beginning to end, and separates string literals from the rest.
private struct SourceLexer {
    private let code: [UInt8]
    private var place = 0
    private(set) var literals: [MindSourceFile.Literal] = []
    private(set) var tokens: [String] = []

    private static let (quote, newline, space, backslash) = (
        UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\\")
    )
    private static let brackets: [UInt8: UInt8] = [
        UInt8(ascii: "("): UInt8(ascii: ")"), UInt8(ascii: "["): UInt8(ascii: "]"), UInt8(ascii: "{"): UInt8(ascii: "}"),
    ]

    init(_ text: String) { code = Array(text.utf8) }

    mutating func read() { read(in: "", until: nil) }

    /// - Parameters:
    ///   - call: the function that receives it all.
    ///   - end: the bracket that closes it; nil for the end of the file.
    private mutating func read(in call: String, until end: UInt8?) {
        while place < code.count {
            let letter = code[place]
            if letter == Self.quote {
                readLiteral(in: call)
            } else if letter == UInt8(ascii: "#"), starts(with: "#\"") {
                readRawLiteral(in: call)
            } else if letter == UInt8(ascii: "/"), starts(with: "//") {
                while place < code.count, code[place] != Self.newline { place += 1 }
            } else if Self.isOfName(letter) {
                let start = place
                while place < code.count, Self.isOfName(code[place]) { place += 1 }
                tokens.append(String(decoding: code[start..<place], as: UTF8.self))
            } else {
                let (name, before) = (callee, literals.count)
                place += 1
                if letter != Self.space { tokens.append(String(UnicodeScalar(letter))) }
                if letter == end { return }
                guard let closing = Self.brackets[letter] else { continue }
                read(in: letter == UInt8(ascii: "(") ? name : letter == UInt8(ascii: "[") ? call : "", until: closing)
                // Input patterns, which are not said.
                if letter == UInt8(ascii: "["), starts(with: ".contains(words)") { literals.removeLast(literals.count - before) }
            }
        }
    }

    private mutating func readLiteral(in call: String) {
        let (mark, label) = (starts(with: "\"\"\"") ? "\"\"\"" : "\"", label)
        var text: [UInt8] = []
        place += mark.utf8.count
        while place < code.count, !(code[place] == Self.quote && starts(with: mark)) {
            let letter = code[place]
            place += 1
            if letter == Self.newline {
                text.append(Self.space)
                skipBlanks()
            } else if letter != Self.backslash {
                text.append(letter)
            } else if starts(with: "(") {
                place += 1
                tokens.append("(")
                read(in: call, until: UInt8(ascii: ")"))
            } else if starts(with: "\n") {
                place += 1
                skipBlanks()
            } else {
                place += 1
            }
        }
        place += mark.utf8.count
        take(text, call, label)
    }

    private mutating func readRawLiteral(in call: String) {
        let label = label
        place += 2
        let start = place
        while place < code.count, !(code[place] == Self.quote && starts(with: "\"#")) { place += 1 }
        let text = Array(code[start..<place])
        place += 2
        take(text, call, label)
    }

    private mutating func take(_ text: [UInt8], _ call: String, _ label: String) {
        let words = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        literals.append(MindSourceFile.Literal(text: words, call: call, label: label))
        tokens.append("\"")
    }

    private mutating func skipBlanks() {
        while place < code.count, code[place] == Self.space { place += 1 }
    }

    /// The preceding name, with its owner.
    private var callee: String {
        guard let name = tokens.last, name.utf8.first.map(Self.isOfName) == true else { return "" }
        guard tokens.count > 2, tokens[tokens.count - 2] == "." else { return name }
        return "\(tokens[tokens.count - 3]).\(name)"
    }

    /// The label before the preceding colon.
    private var label: String {
        let before = tokens.suffix(4).filter { $0 != "\n" }
        return before.last == ":" ? before.dropLast().last ?? "" : ""
    }

    private func starts(with text: String) -> Bool { place <= code.count && code[place...].starts(with: text.utf8) }

    private static func isOfName(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), 128...255:
            true
        default: false
        }
    }
}
