/// Reads JSON (RFC 8259) on the path of every door command, where a decoder's detours take ten times as long.
///
/// What it cannot read is not for that reason wrong, such as an object that names a member twice: then a decoder looks at it.
struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    /// The value that the whole of `bytes` says; nil where it is none, or cannot be read here.
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(bytes: bytes)
        guard let value = reader.value(depth: 0), reader.next() == nil else { return nil }
        return value
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte that is no white space, which stays to be taken; nil at the end.
    private mutating func next() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next() == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth <= JSONValue.depthLimit else { return nil }
        switch next() {
        case UInt8(ascii: "\""): return text().map(JSONValue.string)
        case UInt8(ascii: "{"): return object(depth: depth + 1)
        case UInt8(ascii: "["): return array(depth: depth + 1)
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return number()
        default: return nil
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        guard depth <= JSONValue.depthLimit, take("{") else { return nil }
        var members: [String: JSONValue] = [:]
        if take("}") { return .object(members) }
        repeat {
            guard next() == UInt8(ascii: "\""), let name = text(), take(":"), let value = value(depth: depth) else { return nil }
            // Which of two counts is not settled here.
            guard members.updateValue(value, forKey: name) == nil else { return nil }
        } while take(",")
        return take("}") ? .object(members) : nil
    }

    private mutating func array(depth: Int) -> JSONValue? {
        guard depth <= JSONValue.depthLimit, take("[") else { return nil }
        var elements: [JSONValue] = []
        if take("]") { return .array(elements) }
        repeat {
            guard let value = value(depth: depth) else { return nil }
            elements.append(value)
        } while take(",")
        return take("]") ? .array(elements) : nil
    }

    private mutating func text() -> String? {
        let start = position + 1
        guard let end = bytes[start...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }) else {
            return nil
        }
        position = end
        if bytes[end] == UInt8(ascii: "\"") {
            position += 1
            return String(validating: bytes[start..<end], as: UTF8.self)
        }
        return escapedText(from: Array(bytes[start..<end]))
    }

    /// The rest of a text in which something is escaped.
    private mutating func escapedText(from start: [UInt8]) -> String? {
        var text = start
        while position < bytes.count, bytes[position] >= 0x20 {
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let scalar = escape() else { return nil }
            text += Array(Character(scalar).utf8)
        }
        return nil
    }

    /// What stands behind a reverse solidus.
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

    /// Four hexadecimal digits.
    private mutating func unit() -> UInt16? {
        let end = position + 4
        guard end <= bytes.count, bytes[position..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        defer { position = end }
        return UInt16(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
    }

    private mutating func number() -> JSONValue? {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        guard let whole = digits(), whole.count == 1 || bytes[position - whole.count] != UInt8(ascii: "0") else { return nil }
        var isPlain = whole.count <= 15
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isPlain = false
            position += 1
            guard digits() != nil else { return nil }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isPlain = false
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
            guard digits() != nil else { return nil }
        }
        // Fifteen digits are all that a `Double` holds whatever they are.
        if isPlain { return .number(bytes[start] == UInt8(ascii: "-") ? -Double(whole.number) : Double(whole.number)) }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else { return nil }
        return .number(number)
    }

    /// How many digits stand here, and the number that they say where it has no more than fifteen; nil where there is none.
    private mutating func digits() -> (number: Int, count: Int)? {
        let start = position
        var number = 0
        while position < bytes.count, case let byte = bytes[position], (0x30...0x39).contains(byte) {
            if position - start < 15 { number = number * 10 + Int(byte - 0x30) }
            position += 1
        }
        return position > start ? (number, position - start) : nil
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) -> JSONValue? {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) }) else { return nil }
        position = end
        return value
    }
}
