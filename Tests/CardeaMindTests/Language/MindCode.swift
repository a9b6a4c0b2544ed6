import Foundation

/// A file of the mind's code, as far as it is looked at for sentences.
struct MindCode {
    let lines: [Line]
    /// What is named behind a dot: the cases that are asked for.
    let members: Set<String>

    struct Line {
        let text: String

        /// Whether it is for whoever runs the house or writes to its interface, and for nobody who talks to it: the record, the database, what is wrong with
        /// a body, and the units that go over the wire.
        var isForNobody: Bool {
            [
                "logger.", "sql", "SQL", "SELECT", "INSERT", "literal:", "ault(", "Problem(", ".field(", "debugDescription",
                "preconditionFailure(",
                "viola", "conditions.append", "ways.append", "last(\"value\"", "unit: \"", "Loop(id:",
                // What is read, and not said.
                ".contains(words)",
            ].contains { text.contains($0) }
        }

        /// Whether two words stand side by side between its quotes.
        var isSaid: Bool {
            literals.contains { literal in
                let words = literal.split(separator: " ", omittingEmptySubsequences: false).map(Self.isWord)
                return zip(words, words.dropFirst()).contains { $0 && $1 }
            }
        }

        private static func isWord(_ text: Substring) -> Bool {
            text.count(where: \.isLetter) > 1 && text.allSatisfy { $0.isLetter || ".?!'’“”".contains($0) }
        }

        /// What stands between quotes, without what is put in; nothing of a comment.
        private var literals: [String] {
            var (found, inside, depth) = ([String](), false, 0)
            var literal = ""
            var letters = text[...]
            while let letter = letters.popFirst() {
                if depth > 0 {
                    depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
                } else if letter == "\"" {
                    if inside { found.append(literal) }
                    (inside, literal) = (!inside, "")
                } else if !inside {
                    if letter == "/", letters.first == "/" { break }
                } else if letter == "\\" {
                    if letters.popFirst() == "(" { depth = 1 }
                } else {
                    literal.append(letter)
                }
            }
            return found
        }
    }

    private init(_ text: String) {
        lines = text.split(separator: "\n").filter { $0.contains("\"") }.map { Line(text: $0.trimmingCharacters(in: .whitespaces)) }
        members = Set(text.split(separator: ".").dropFirst().map { String($0.prefix { $0.isLetter || $0.isNumber }) })
    }

    /// All of it, but for the lists of what can be said, and for what is wrong with a length of time in a body.
    static func read() throws -> [MindCode] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let left = ["Phrase.swift", "Thought.swift", "Sentences.swift", "WhatIfSpan.swift"]
        guard let walk = FileManager.default.enumerator(at: root.appending(path: "Sources/CardeaMind"), includingPropertiesForKeys: nil)
        else {
            return []
        }
        return try walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" && !left.contains($0.lastPathComponent) }
            .map { MindCode(try String(contentsOf: $0, encoding: .utf8)) }
    }
}
