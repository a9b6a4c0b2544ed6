/// The methods of texts.
enum StringMethods {
    static func call(
        _ name: String, _ text: String, _ positional: [Value], _ keywords: [(name: String, value: Value)], _ renderer: inout Renderer
    ) throws(TemplateError) -> Value {
        switch name {
        case "lower", "casefold": return .string(text.lowercased())
        case "upper": return .string(text.uppercased())
        case "title": return .string(PythonText.titled(text))
        case "capitalize": return .string(PythonText.capitalized(text))
        case "swapcase": return .string(PythonText.swappedCase(text))
        case "strip", "lstrip", "rstrip":
            return .string(
                PythonText.stripped(text, of: try optionalText(positional.first), left: name != "rstrip", right: name != "lstrip"))
        case "split", "rsplit": return try split(text, positional, keywords, fromRight: name == "rsplit")
        case "splitlines": return try .list(PythonText.lines(of: text).map(Value.string))
        case "partition", "rpartition": return try partition(text, try self.text(positional, 0), fromRight: name == "rpartition")
        case "replace":
            let count = try integer(positional, 2) ?? keywords.first { $0.name == "count" }?.value.index ?? -1
            return .string(try PythonText.replaced(text, try self.text(positional, 0), by: try self.text(positional, 1), count: count))
        case "removeprefix":
            let prefix = try self.text(positional, 0)
            return .string(text.utf8.starts(with: prefix.utf8) ? String(text.utf8.dropFirst(prefix.utf8.count)) ?? text : text)
        case "removesuffix":
            let suffix = try self.text(positional, 0)
            guard !suffix.isEmpty, text.utf8.reversed().starts(with: suffix.utf8.reversed()) else { return .string(text) }
            return .string(String(text.utf8.dropLast(suffix.utf8.count)) ?? text)
        case "startswith", "endswith": return .bool(try has(text, positional, atEnd: name == "endswith"))
        case "find", "rfind", "index", "rindex", "count": return try search(name, text, positional)
        case "join":
            guard positional.count == 1 else { throw .type("join takes a list") }
            return .string(try joined(try renderer.elements(of: positional[0]), by: text))
        case "format":
            let inner = renderer
            return .string(
                try StringFormatMethod.text(text, positional, keywords) { (value, name, isItem) throws(TemplateError) in
                    guard isItem else { return try inner.attribute(name, of: value) }
                    var inner = inner
                    return try inner.item(Int(name).map(Value.integer) ?? .string(name), of: value)
                })
        case "zfill", "ljust", "rjust", "center", "expandtabs": return try padded(name, text, positional)
        default: return .bool(try holds(name, text))
        }
    }

    private static func text(_ values: [Value], _ place: Int) throws(TemplateError) -> String {
        guard place < values.count else { throw .type("a text is missing") }
        guard case .string(let text) = values[place] else { throw .type("a text is needed, and not a \(values[place].typeName)") }
        return text
    }

    private static func optionalText(_ value: Value?) throws(TemplateError) -> String? {
        switch value {
        case nil, .null?: return nil
        case .string(let text)?: return text
        case let value?: throw .type("a text is needed, and not a \(value.typeName)")
        }
    }

    private static func integer(_ values: [Value], _ place: Int) throws(TemplateError) -> Int? {
        guard place < values.count else { return nil }
        if case .null = values[place] { return nil }
        guard let number = values[place].index else { throw .type("an integer is needed, and not a \(values[place].typeName)") }
        return number
    }

    private static func split(
        _ text: String, _ positional: [Value], _ keywords: [(name: String, value: Value)], fromRight: Bool
    ) throws(TemplateError) -> Value {
        var separator = try optionalText(positional.first)
        var limit = try integer(positional, 1) ?? -1
        for (name, value) in keywords {
            switch name {
            case "sep": separator = try optionalText(value)
            case "maxsplit": limit = try integer([value], 0) ?? -1
            default: throw .type("split does not take \(name)")
            }
        }
        return try .list(try PythonText.split(text, by: separator, upTo: limit, fromRight: fromRight).map(Value.string))
    }

    private static func partition(_ text: String, _ separator: String, fromRight: Bool) throws(TemplateError) -> Value {
        let parts = try PythonText.split(text, by: separator, upTo: 1, fromRight: fromRight).map(Value.string)
        if parts.count == 2 { return try .tuple([parts[0], .string(separator), parts[1]]) }
        return try .tuple(fromRight ? [.string(""), .string(""), .string(text)] : [.string(text), .string(""), .string("")])
    }

    private static func has(_ text: String, _ positional: [Value], atEnd: Bool) throws(TemplateError) -> Bool {
        guard let first = positional.first else { throw .type("a text is missing") }
        let range = try range(of: text, positional)
        guard let range else { return false }
        let content = Array(Array(text.unicodeScalars)[range])
        var options = [first]
        if case .sequence(let items) = first, items.kind == .tuple { options = items.values }
        for option in options {
            let part = Array(try self.text([option], 0).unicodeScalars)
            if atEnd ? content.reversed().starts(with: part.reversed()) : content.starts(with: part) { return true }
        }
        return false
    }

    /// The part of a text, in scalars, that the second and third argument name; nil when it is behind the end.
    private static func range(of text: String, _ positional: [Value]) throws(TemplateError) -> Range<Int>? {
        let count = text.unicodeScalars.count
        func place(_ index: Int) -> Int { index < 0 ? max(0, max(index, -count - 1) + count) : index }
        let start = place(try integer(positional, 1) ?? 0)
        let end = min(place(try integer(positional, 2) ?? count), count)
        return start <= end ? start..<end : nil
    }

    private static func search(_ name: String, _ text: String, _ positional: [Value]) throws(TemplateError) -> Value {
        let part = try self.text(positional, 0)
        var place: Int?
        var count = 0
        if let range = try range(of: text, positional) {
            let content = String(String.UnicodeScalarView(Array(text.unicodeScalars)[range]))
            if name == "count" {
                count = part.isEmpty ? range.count + 1 : PythonText.places(of: part, in: Array(content.utf8)).count
            } else {
                let isLast = name.hasPrefix("r")
                let offset = isLast ? PythonText.lastPlace(of: part, in: content) : PythonText.find(part, in: content)
                place = offset.map { range.lowerBound + PythonText.scalars(in: content, upToByte: $0) }
            }
        }
        if name == "count" { return .integer(count) }
        guard let place else {
            guard name.hasSuffix("find") else { throw .value("the text is not found") }
            return .integer(-1)
        }
        return .integer(place)
    }

    static func joined(_ values: [Value], by separator: String) throws(TemplateError) -> String {
        var result = ""
        for (place, value) in values.enumerated() {
            guard case .string(let text) = value else { throw .type("only texts are joined, and this is a \(value.typeName)") }
            if place > 0 { result += separator }
            result += text
            guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
        }
        return result
    }

    private static func padded(_ name: String, _ text: String, _ positional: [Value]) throws(TemplateError) -> Value {
        if name == "expandtabs" { return .string(try PythonText.replaced(text, "\t", by: "        ", count: -1)) }
        guard let width = try integer(positional, 0) else { throw .type("a width is missing") }
        guard width <= TemplateLimits.text else { throw .limit(.text) }
        let fill = try optionalText(positional.count > 1 ? positional[1] : nil) ?? " "
        guard fill.unicodeScalars.count == 1 else { throw .type("one character fills") }
        let count = text.unicodeScalars.count
        let missing = max(0, width - count)
        func fills(_ count: Int) -> String { String(repeating: fill, count: count) }
        switch name {
        case "zfill":
            let isSigned = text.hasPrefix("-") || text.hasPrefix("+")
            let zeros = String(repeating: "0", count: missing)
            return .string(isSigned ? text.prefix(1) + zeros + text.dropFirst() : zeros + text)
        case "ljust": return .string(text + fills(missing))
        case "rjust": return .string(fills(missing) + text)
        default:
            let left = missing / 2 + (missing & width & 1)
            return .string(fills(left) + text + fills(missing - left))
        }
    }

    private static func holds(_ name: String, _ text: String) throws(TemplateError) -> Bool {
        let scalars = text.unicodeScalars
        func all(_ test: (Unicode.Scalar) -> Bool) -> Bool { !scalars.isEmpty && scalars.allSatisfy(test) }
        switch name {
        case "isdigit": return all { $0.properties.numericType == .decimal || $0.properties.numericType == .digit }
        case "isdecimal": return all { $0.properties.numericType == .decimal }
        case "isnumeric": return all { $0.properties.numericType != nil }
        case "isalpha": return all { $0.isLetter }
        case "isalnum": return all { $0.isLetter || $0.properties.numericType != nil }
        case "isspace": return all(PythonText.isSpace)
        case "isascii": return scalars.allSatisfy(\.isASCII)
        case "islower": return scalars.contains { $0.properties.isLowercase } && !scalars.contains { $0.properties.isUppercase }
        case "isupper": return scalars.contains { $0.properties.isUppercase } && !scalars.contains { $0.properties.isLowercase }
        case "istitle": return scalars.contains { $0.properties.isCased } && PythonText.titled(text) == text
        default: throw .unknown(.method, name)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }
}

extension PythonText {
    /// Scalars before a byte.
    static func scalars(in text: String, upToByte place: Int) -> Int {
        text.utf8.prefix(place).count { $0 & 0xC0 != 0x80 }
    }

    /// The byte offset of the last occurrence, also of an overlapping one.
    static func lastPlace(of part: String, in text: String) -> Int? {
        guard !part.isEmpty else { return text.utf8.count }
        return places(of: Array(part.utf8.reversed()), in: Array(text.utf8.reversed()), upTo: 1).first
            .map { text.utf8.count - $0 - part.utf8.count }
    }
}
