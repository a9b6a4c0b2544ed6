/// Shortens a script for browsers: it removes spaces that separate nothing, line ends and semicolons that end nothing, and brackets around
/// a function's only parameter, and writes `let` for `const`.
///
/// A semicolon before a closing brace goes, so no statement may be empty: `while (waits());` would take the brace for its own. It tells
/// texts, templates, regular expressions and code apart (ECMA-262, section 12) and changes code alone. A line's end stays wherever a
/// statement might end by it. Comments were removed before.
enum ScriptMinifier {
    static func minify(_ script: String) -> String {
        let source = Array(script.utf8)
        return source.withUnsafeBufferPointer { source in
            String(
                unsafeUninitializedCapacity: source.count,
                initializingUTF8With: { out in
                    var writer = Writer(source: source, out: out)
                    writer.run()
                    return writer.count
                })
        }
    }

    private struct Writer {
        let source: UnsafeBufferPointer<UInt8>
        let out: UnsafeMutableBufferPointer<UInt8>
        var count = 0
        private var at = 0
        /// The start of the last word in `out`; nil if something else follows it.
        private var word: Int?
        /// The number of open braces in the code of each open template.
        private var templates: [Int] = []
        private var braces = 0

        init(source: UnsafeBufferPointer<UInt8>, out: UnsafeMutableBufferPointer<UInt8>) {
            (self.source, self.out) = (source, out)
        }

        mutating func run() {
            while at < source.count {
                let byte = source[at]
                switch byte {
                case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"): space()
                case UInt8(ascii: "\""), UInt8(ascii: "'"): text(byte)
                case UInt8(ascii: "`"): template()
                case UInt8(ascii: "/") where beginsExpression: expression()
                case UInt8(ascii: "}") where braces == 0 && !templates.isEmpty:
                    braces = templates.removeLast()
                    template()
                default:
                    if byte == UInt8(ascii: "{") { braces += 1 }
                    if byte == UInt8(ascii: "}") {
                        braces -= 1
                        if count > 0, out[count - 1] == UInt8(ascii: ";") { count -= 1 }
                    }
                    if byte == UInt8(ascii: "=") { bareName() }
                    if !isPartOfWord(byte) { word = nil } else if word == nil { word = count }
                    copyByte()
                }
            }
        }

        /// `let` is shorter than `const`, and the same to code that only reads the name.
        private mutating func shorten() {
            guard let word, word == 0 || out[word - 1] != UInt8(ascii: "."), wordText(from: word) == "const" else { return }
            for (index, byte) in "let".utf8.enumerated() { out[word + index] = byte }
            count = word + 3
        }

        private func wordText(from word: Int) -> String { String(decoding: out[word..<count], as: UTF8.self) }

        /// Writes the white space between two tokens, or nothing if they are distinct without it.
        private mutating func space() {
            shorten()
            var endsLine = false
            while at < source.count, [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n")].contains(source[at]) {
                endsLine = endsLine || source[at] == UInt8(ascii: "\n")
                at += 1
            }
            guard at < source.count, count > 0 else { return }
            let (before, after) = (out[count - 1], source[at])
            let isDoubled = (before == UInt8(ascii: "+") || before == UInt8(ascii: "-")) && before == after
            if endsLine, !continues(after: before), !continues(before: after) {
                write(UInt8(ascii: "\n"))
            } else if isDoubled || isPartOfWord(before) && isPartOfWord(after) {
                write(UInt8(ascii: " "))
            }
            // The last output byte decides how a slash is read; a finished word is not continued.
            if word != nil, at < source.count, isPartOfWord(source[at]) { word = nil }
        }

        /// Before an arrow: `(one)` becomes `one`, unless a word precedes it, such as `async`.
        private mutating func bareName() {
            guard at + 1 < source.count, source[at + 1] == UInt8(ascii: ">"), count > 2, out[count - 1] == UInt8(ascii: ")") else { return }
            var open = count - 2
            while open > 0, isPartOfWord(out[open]) { open -= 1 }
            guard open < count - 2, out[open] == UInt8(ascii: "("), open == 0 || !isPartOfWord(out[open - 1]) else { return }
            for index in open..<count - 2 { out[index] = out[index + 1] }
            count -= 2
        }

        /// A text from one quote to the next.
        private mutating func text(_ quote: UInt8) {
            word = nil
            copyByte()
            while at < source.count, source[at] != quote {
                if source[at] == UInt8(ascii: "\\") { copyByte() }
                copyByte()
            }
            copyByte()
        }

        /// The part of a template up to its end or to the code in it.
        private mutating func template() {
            word = nil
            copyByte()
            while at < source.count {
                switch source[at] {
                case UInt8(ascii: "\\"):
                    copyByte()
                    copyByte()
                case UInt8(ascii: "`"): return copyByte()
                case UInt8(ascii: "$") where at + 1 < source.count && source[at + 1] == UInt8(ascii: "{"):
                    copyByte()
                    copyByte()
                    templates.append(braces)
                    braces = 0
                    return
                default: copyByte()
                }
            }
        }

        private mutating func expression() {
            word = nil
            var isInClass = false
            copyByte()
            while at < source.count {
                switch source[at] {
                case UInt8(ascii: "\\"): copyByte()
                case UInt8(ascii: "["): isInClass = true
                case UInt8(ascii: "]"): isInClass = false
                case UInt8(ascii: "/") where !isInClass: return copyByte()
                default: break
                }
                copyByte()
            }
        }

        /// True if a slash here begins a regular expression, and does not divide.
        private var beginsExpression: Bool {
            guard count > 0 else { return true }
            if let word {
                return ["return", "typeof", "case", "in", "of", "await"].contains(wordText(from: word))
            }
            return !isPartOfWord(out[count - 1]) && !")]`\"'".utf8.contains(out[count - 1])
        }

        /// Returns whether a statement cannot end after this byte.
        private func continues(after byte: UInt8) -> Bool { "{(,;[=*<>&|?:".utf8.contains(byte) }

        /// Returns whether a statement cannot begin with this byte.
        private func continues(before byte: UInt8) -> Bool { ")]}.?:&|,;=".utf8.contains(byte) }

        private func isPartOfWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "#"), 128...:
                true
            default: false
            }
        }

        private mutating func copyByte() {
            guard at < source.count else { return }
            write(source[at])
            at += 1
        }

        private mutating func write(_ byte: UInt8) {
            out[count] = byte
            count += 1
        }
    }
}
