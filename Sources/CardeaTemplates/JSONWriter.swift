/// Writes values as JSON, as Home Assistant's library does.
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
        guard text.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
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

    private mutating func write(_ mapping: OrderedMapping, depth: Int) throws(TemplateError) {
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
            order = try PythonComparison.sorted(entries, isReversed: false).compactMap(\.index)
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
