/// Reads and writes JSON as Home Assistant's library does, with integers and floats apart and members in order.
struct JSONText {
    private let bytes: [UInt8]
    private var position = 0

    /// Nil when the bytes are no JSON, or nested too deeply.
    static func value(of bytes: some Collection<UInt8>) -> Value? {
        var reader = JSONText(bytes: Array(bytes))
        guard let value = reader.value(depth: 0) else { return nil }
        return reader.next() == nil ? value : nil
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

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

    private mutating func value(depth: Int) -> Value? {
        guard depth <= Limits.depth else { return nil }
        switch next() {
        case UInt8(ascii: "\""): return string().map(Value.string)
        case UInt8(ascii: "{"): return object(depth: depth)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        case UInt8(ascii: "-"), .some(0x30...0x39): return number()
        default: return nil
        }
    }

    private mutating func object(depth: Int) -> Value? {
        guard take("{") else { return nil }
        var mapping = Mapping()
        if take("}") { return .mapping(mapping) }
        repeat {
            guard next() == UInt8(ascii: "\""), let name = string(), take(":"), let value = value(depth: depth + 1) else { return nil }
            do { try mapping.set(value, of: .string(name)) } catch { return nil }
        } while take(",")
        return take("}") ? .mapping(mapping) : nil
    }

    private mutating func array(depth: Int) -> Value? {
        guard take("[") else { return nil }
        var values: [Value] = []
        if !take("]") {
            repeat {
                guard let value = value(depth: depth + 1) else { return nil }
                values.append(value)
            } while take(",")
            guard take("]") else { return nil }
        }
        return try? .list(values)
    }

    private mutating func word(_ word: StaticString, _ value: Value) -> Value? {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) }) else { return nil }
        position = end
        return value
    }

    private mutating func number() -> Value? {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let whole = position
        guard digits(), position == whole + 1 || bytes[whole] != UInt8(ascii: "0") else { return nil }
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard digits() else { return nil }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") { position += 1 }
            guard digits() else { return nil }
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let number = Int(text) { return .integer(number) }
        guard let number = Double(text), number.isFinite else { return nil }
        return .float(number)
    }

    private mutating func digits() -> Bool {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func string() -> String? {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\"), bytes[position] >= 0x20
        {
            position += 1
        }
        var text = Array(bytes[start..<position])
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

    private mutating func unit() -> UInt16? {
        let end = position + 4
        guard end <= bytes.count, bytes[position..<end].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        defer { position = end }
        return UInt16(String(decoding: bytes[position..<end], as: UTF8.self), radix: 16)
    }
}

/// Writes values as JSON.
struct JSONWriter {
    /// Python's `json.dumps` puts spaces between members and writes ASCII alone; orjson does neither.
    var hasSpaces = false
    var isASCII = false
    var sortsKeys = false
    var indent: Int?
    private(set) var text = ""

    init(hasSpaces: Bool = false, isASCII: Bool = false, sortsKeys: Bool = false, indent: Int? = nil) {
        self.hasSpaces = hasSpaces
        self.isASCII = isASCII
        self.sortsKeys = sortsKeys
        self.indent = indent
    }

    mutating func write(_ value: Value, depth: Int = 0) throws(TemplateError) {
        guard text.utf8.count <= Limits.text else { throw .limit(.text) }
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let number): text += String(number)
        case .float(let number): text += self.text(of: number)
        case .string(let string): quote(string)
        case .sequence(let items) where items.kind == .list || items.kind == .tuple:
            guard !items.values.isEmpty else {
                text += "[]"
                return
            }
            text += "["
            for (place, element) in items.values.enumerated() {
                separate(isFirst: place == 0, depth: depth + 1)
                try write(element, depth: depth + 1)
            }
            breakLine(depth: depth)
            text += "]"
        case .mapping(let mapping): try write(mapping, depth: depth)
        default: throw .type("a \(value.typeName) has no form in JSON")
        }
    }

    private mutating func write(_ mapping: Mapping, depth: Int) throws(TemplateError) {
        guard mapping.count > 0 else {
            text += "{}"
            return
        }
        var order = Array(0..<mapping.count)
        if sortsKeys {
            var entries: [(key: Value, value: Value)] = []
            for place in order {
                entries.append((hasSpaces ? mapping.keys[place] : .string(try name(of: mapping.keys[place])), .integer(place)))
            }
            order = try Ordering.sorted(entries, isReversed: false).compactMap(\.index)
        }
        text += "{"
        for (count, place) in order.enumerated() {
            separate(isFirst: count == 0, depth: depth + 1)
            quote(try name(of: mapping.keys[place]))
            text += hasSpaces || indent != nil ? ": " : ":"
            try write(mapping.values[place], depth: depth + 1)
        }
        breakLine(depth: depth)
        text += "}"
    }

    private func name(of key: Value) throws(TemplateError) -> String {
        switch key {
        case .string(let text): text
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .integer(let number): String(number)
        case .float(let number): text(of: number)
        default: throw .type("a \(key.typeName) is no key in JSON")
        }
    }

    private func text(of number: Double) -> String {
        guard number.isFinite else { return hasSpaces ? (number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity") : "null" }
        let text = NumberText.text(of: number)
        // orjson writes exponents without a plus or a leading zero.
        guard !hasSpaces, let exponent = text.firstIndex(of: "e"), let power = Int(text[text.index(after: exponent)...]) else {
            return text
        }
        return text[..<exponent] + "e\(power)"
    }

    private mutating func separate(isFirst: Bool, depth: Int) {
        if !isFirst { text += hasSpaces && indent == nil ? ", " : "," }
        breakLine(depth: depth)
    }

    private mutating func breakLine(depth: Int) {
        guard let indent else { return }
        text += "\n" + String(repeating: " ", count: indent * depth)
    }

    private mutating func quote(_ string: String) {
        var result = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            default:
                if scalar.value < 0x20 || (isASCII && scalar.value > 0x7E) {
                    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                        let digits = String(unit, radix: 16)
                        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        text += result + "\""
    }
}
