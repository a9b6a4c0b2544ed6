/// Reads the parts of JSON that are the same for every builder: white space, punctuation, words, texts and numbers.
@usableFromInline struct JSONScanner {
    @usableFromInline let bytes: [UInt8]
    @usableFromInline var position = 0

    @inlinable init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte that is not white space, without consuming it; nil at the end.
    @inlinable mutating func next() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    @inlinable mutating func consume(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    @usableFromInline mutating func consumeWord(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) }) else { return false }
        position = end
        return true
    }

    // MARK: Texts

    /// The text at the next quotation mark; nil if it does not end, or is not UTF-8.
    @usableFromInline mutating func string() -> String? {
        let start = position + 1
        guard let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }) else {
            return nil
        }
        position = end
        if bytes[end] == UInt8(ascii: "\"") {
            position += 1
            return Self.string(of: bytes[start..<end])
        }
        return escapedString(from: Array(bytes[start..<end]))
    }

    /// The text of UTF-8; nil if it is none. Most texts are ASCII, which needs no check; with one, a text takes six times as long.
    private static func string(of bytes: ArraySlice<UInt8>) -> String? {
        let isASCII = bytes.reduce(0, |) < 0x80
        return isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }

    /// The rest of a text in which something is escaped.
    private mutating func escapedString(from start: [UInt8]) -> String? {
        var text = start
        while position < bytes.count, bytes[position] >= 0x20 {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return Self.string(of: text[...]) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let scalar = escape() else { return nil }
            text += Array(Character(scalar).utf8)
        }
        return nil
    }

    /// The character of an escape, from the byte after its reverse solidus on.
    private mutating func escape() -> Unicode.Scalar? {
        guard position < bytes.count else { return nil }
        position += 1
        switch bytes[position - 1] {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = unit() else { return nil }
            guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
            guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u") else {
                return nil
            }
            position += 2
            guard let trail = self.unit(), UTF16.isTrailSurrogate(trail) else { return nil }
            return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
        default: return nil
        }
    }

    /// The UTF-16 unit of four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        let end = position + 4
        guard end <= bytes.count, bytes[position..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        defer { position = end }
        return UInt16(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
    }

    // MARK: Numbers

    /// The number whose first byte is next.
    @usableFromInline mutating func number() -> JSONNumber? {
        let start = position
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        guard let whole = digits(), whole.count == 1 || bytes[position - whole.count] != UInt8(ascii: "0") else { return nil }
        var isWhole = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            guard digits() != nil else { return nil }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
            guard digits() != nil else { return nil }
        }
        // A `Double` represents any fifteen digits exactly.
        if isWhole, whole.count <= 15 { return .short(whole.number, isNegative: isNegative) }
        return .text(String(decoding: bytes[start..<position], as: UTF8.self), isWhole: isWhole)
    }

    /// The number of the next digits, and the first fifteen of them; nil if there is none.
    private mutating func digits() -> (number: Int, count: Int)? {
        let start = position
        var number = 0
        while position < bytes.count, case let byte = bytes[position], (0x30...0x39).contains(byte) {
            if position - start < 15 { number = number * 10 + Int(byte - 0x30) }
            position += 1
        }
        return position > start ? (number, position - start) : nil
    }
}
