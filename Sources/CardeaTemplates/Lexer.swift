/// Splits a template into tokens, by the rules of Jinja's lexer in Home Assistant's settings.
struct Lexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [Token] = []

    static func tokens(of source: String) throws(TemplateError) -> [Token] {
        var lexer = Lexer(bytes: normalized(source))
        try lexer.run()
        return lexer.tokens
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Every line break becomes one line feed.
    private static func normalized(_ source: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.utf8.count)
        var wasReturn = false
        for byte in source.utf8 {
            if byte == 0x0D {
                bytes.append(0x0A)
            } else if !(byte == 0x0A && wasReturn) {
                bytes.append(byte)
            }
            wasReturn = byte == 0x0D
        }
        return bytes
    }

    private mutating func add(_ kind: Token.Kind) {
        tokens.append(Token(kind: kind, line: line))
    }

    private func has(_ text: StaticString, at place: Int) -> Bool {
        let end = place + text.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        return text.withUTF8Buffer { buffer in bytes[place..<end].elementsEqual(buffer) }
    }

    private mutating func advance(to place: Int) {
        for byte in bytes[position..<place] where byte == 0x0A { line += 1 }
        position = place
    }

    /// The first place at or behind `place` that is not white space.
    private func spaceEnd(from place: Int) -> Int {
        var place = place
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        return place
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) || (0x1C...0x1F).contains(byte)
    }

    private mutating func run() throws(TemplateError) {
        while position < bytes.count {
            var begin = position
            while begin < bytes.count, !(has("{{", at: begin) || has("{%", at: begin) || has("{#", at: begin)) { begin += 1 }
            guard begin < bytes.count else {
                addData(upTo: begin, trimmed: false)
                break
            }
            let sign = begin + 2 < bytes.count ? bytes[begin + 2] : 0
            let isSigned = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
            addData(upTo: begin, trimmed: sign == UInt8(ascii: "-"))
            let inside = begin + (isSigned ? 3 : 2)
            switch bytes[begin + 1] {
            case UInt8(ascii: "#"): try skipComment(from: inside)
            case UInt8(ascii: "%"):
                if let body = rawBody(from: inside) {
                    try scanRaw(from: body)
                } else {
                    add(.blockBegin)
                    advance(to: inside)
                    try scanTag(isBlock: true)
                }
            default:
                add(.variableBegin)
                advance(to: inside)
                try scanTag(isBlock: false)
            }
        }
        add(.end)
    }

    private mutating func addData(upTo end: Int, trimmed: Bool) {
        var last = end
        if trimmed { while last > position, Self.isSpace(bytes[last - 1]) { last -= 1 } }
        if last > position { add(.data(String(decoding: bytes[position..<last], as: UTF8.self))) }
        advance(to: end)
    }

    private mutating func skipComment(from start: Int) throws(TemplateError) {
        var end = start
        while end < bytes.count, !has("#}", at: end) { end += 1 }
        guard end < bytes.count else { throw .syntax("a comment has no end", line: line) }
        let trims = end > start && bytes[end - 1] == UInt8(ascii: "-")
        advance(to: trims ? spaceEnd(from: end + 2) : end + 2)
    }

    /// The position after `raw %}`; nil if another statement follows.
    private func rawBody(from start: Int) -> Int? {
        let word = spaceEnd(from: start)
        guard has("raw", at: word) else { return nil }
        let end = spaceEnd(from: word + 3)
        if has("%}", at: end) { return end + 2 }
        return has("-%}", at: end) ? spaceEnd(from: end + 3) : nil
    }

    private mutating func scanRaw(from start: Int) throws(TemplateError) {
        let first = line
        advance(to: start)
        var place = start
        while place < bytes.count {
            if has("{%", at: place) {
                var inside = place + 2
                let trimsBefore = has("-", at: inside)
                if trimsBefore || has("+", at: inside) { inside += 1 }
                let word = spaceEnd(from: inside)
                if has("endraw", at: word) {
                    let end = spaceEnd(from: word + 6)
                    let trims = has("-%}", at: end)
                    let isSigned = trims || has("+%}", at: end)
                    if isSigned || has("%}", at: end) {
                        addData(upTo: place, trimmed: trimsBefore)
                        let behind = end + (isSigned ? 3 : 2)
                        advance(to: trims ? spaceEnd(from: behind) : behind)
                        return
                    }
                }
            }
            place += 1
        }
        throw .syntax("a raw block has no end", line: first)
    }

    /// The tokens of one `{{ }}` or `{% %}`, and its end.
    private mutating func scanTag(isBlock: Bool) throws(TemplateError) {
        var open: [UInt8] = []
        while true {
            advance(to: spaceEnd(from: position))
            guard position < bytes.count else { throw .syntax("the end of the template comes too early", line: line) }
            if open.isEmpty, scanEnd(isBlock: isBlock) { return }
            let byte = bytes[position]
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                try scanString(quote: byte)
            } else if Self.isDigit(byte) {
                try scanNumber()
            } else if Self.isNameByte(byte) {
                try scanName()
            } else {
                try scanSymbol(open: &open)
            }
        }
    }

    private mutating func scanEnd(isBlock: Bool) -> Bool {
        var end = position
        let trims = has("-", at: end)
        if trims || (isBlock && has("+", at: end)) { end += 1 }
        guard isBlock ? has("%}", at: end) : has("}}", at: end) else { return false }
        add(isBlock ? .blockEnd : .variableEnd)
        advance(to: trims ? spaceEnd(from: end + 2) : end + 2)
        return true
    }

    private mutating func scanSymbol(open: inout [UInt8]) throws(TemplateError) {
        for symbol in ["**", "//", "==", "!=", ">=", "<="] {
            guard bytes[position...].starts(with: symbol.utf8) else { continue }
            add(.symbol(symbol))
            position += 2
            return
        }
        let byte = bytes[position]
        guard "+-/*%~[](){}><=.:|,;".utf8.contains(byte) else {
            throw .syntax("unexpected character", line: line)
        }
        switch byte {
        case UInt8(ascii: "("): open.append(UInt8(ascii: ")"))
        case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
        case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            guard open.popLast() == byte else {
                throw .syntax("unexpected \(Character(Unicode.Scalar(byte)))", line: line)
            }
        default: break
        }
        add(.symbol(String(Character(Unicode.Scalar(byte)))))
        position += 1
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private mutating func scanName() throws(TemplateError) {
        var end = position
        while end < bytes.count, Self.isNameByte(bytes[end]) { end += 1 }
        let name = String(decoding: bytes[position..<end], as: UTF8.self)
        guard name.unicodeScalars.allSatisfy({ $0.isASCII || $0.properties.isXIDContinue }) else {
            throw .syntax("unexpected character in a name", line: line)
        }
        add(.name(name))
        position = end
    }

    /// Digits, with single underscores between them; the place behind them.
    private func digitsEnd(from start: Int, _ isDigit: (UInt8) -> Bool) -> Int {
        var place = start
        while place < bytes.count {
            if isDigit(bytes[place]) {
                place += 1
            } else if place > start, bytes[place] == UInt8(ascii: "_"), place + 1 < bytes.count, isDigit(bytes[place + 1]) {
                place += 2
            } else {
                break
            }
        }
        return place
    }

    private mutating func scanNumber() throws(TemplateError) {
        let start = position
        if bytes[start] == UInt8(ascii: "0"), start + 1 < bytes.count {
            let radix: Int? =
                switch bytes[start + 1] | 0x20 {
                case UInt8(ascii: "x"): 16
                case UInt8(ascii: "o"): 8
                case UInt8(ascii: "b"): 2
                default: nil
                }
            if let radix {
                let end = digitsEnd(from: start + 2) { Character(Unicode.Scalar($0)).hexDigitValue.map { $0 < radix } ?? false }
                if end > start + 2 {
                    return try addInteger(bytes[(start + 2)..<end], radix: radix, end: end)
                }
            }
        }
        let whole = digitsEnd(from: start, Self.isDigit)
        var end = whole
        let isMember = start > 0 && bytes[start - 1] == UInt8(ascii: ".")
        if !isMember {
            if end + 1 < bytes.count, bytes[end] == UInt8(ascii: "."), Self.isDigit(bytes[end + 1]) {
                end = digitsEnd(from: end + 1, Self.isDigit)
            }
            if end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") {
                var exponent = end + 1
                if exponent < bytes.count, bytes[exponent] == UInt8(ascii: "+") || bytes[exponent] == UInt8(ascii: "-") { exponent += 1 }
                if exponent < bytes.count, Self.isDigit(bytes[exponent]) { end = digitsEnd(from: exponent, Self.isDigit) }
            }
            if end > whole {
                let text = String(decoding: bytes[start..<end].filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
                guard let number = Double(text) else { throw .syntax("not a number: \(text)", line: line) }
                add(.float(number))
                position = end
                return
            }
        }
        // An integer with a leading zero is read as zero, followed by another number.
        if bytes[start] == UInt8(ascii: "0") {
            end = digitsEnd(from: start) { $0 == UInt8(ascii: "0") }
        }
        try addInteger(bytes[start..<end], radix: 10, end: end)
    }

    private mutating func addInteger(_ digits: ArraySlice<UInt8>, radix: Int, end: Int) throws(TemplateError) {
        guard let number = Int(String(decoding: digits.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self), radix: radix) else {
            throw .limit(.number)
        }
        add(.integer(number))
        position = end
    }

    private mutating func scanString(quote: UInt8) throws(TemplateError) {
        let first = line
        var end = position + 1
        while end < bytes.count, bytes[end] != quote { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        guard end < bytes.count else { throw .syntax("a string has no end", line: first) }
        let content = bytes[(position + 1)..<end]
        guard content.contains(UInt8(ascii: "\\")) else {
            add(.string(String(decoding: content, as: UTF8.self)))
            return advance(to: end + 1)
        }
        guard let text = StringLiteralDecoder.text(of: content) else { throw .syntax("an escape in a string is wrong", line: first) }
        add(.string(text))
        advance(to: end + 1)
    }
}
