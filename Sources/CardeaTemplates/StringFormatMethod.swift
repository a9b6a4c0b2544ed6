/// The method `format` of a text.
struct StringFormatMethod {
    private let positional: [Value]
    private let keywords: [(name: String, value: Value)]
    private var next = 0
    private let member: (Value, String, Bool) throws(TemplateError) -> Value

    /// `member` reads an attribute or, with true, an item of a value.
    static func text(
        _ format: String, _ positional: [Value], _ keywords: [(name: String, value: Value)],
        member: @escaping (Value, String, Bool) throws(TemplateError) -> Value
    ) throws(TemplateError) -> String {
        var formatter = StringFormatMethod(positional: positional, keywords: keywords, member: member)
        return try formatter.text(format, depth: 0)
    }

    private mutating func text(_ format: String, depth: Int) throws(TemplateError) -> String {
        guard depth < 3 else { throw .value("a format is nested too deeply") }
        var result = ""
        var rest = format.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "{":
                if rest.first == "{" {
                    rest.removeFirst()
                    result += "{"
                } else {
                    result += try field(&rest, depth: depth)
                }
            case "}":
                guard rest.popFirst() == "}" else { throw .value("a format has a brace too many") }
                result += "}"
            default: result.unicodeScalars.append(scalar)
            }
            guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
        }
        return result
    }

    private mutating func field(_ rest: inout Substring.UnicodeScalarView, depth: Int) throws(TemplateError) -> String {
        var inside = String.UnicodeScalarView()
        var open = 1
        while let scalar = rest.popFirst() {
            if scalar == "{" { open += 1 }
            if scalar == "}" { open -= 1 }
            if open == 0 { break }
            inside.append(scalar)
        }
        guard open == 0 else { throw .value("a format has no end") }
        let end = inside.firstIndex { $0 == ":" || $0 == "!" } ?? inside.endIndex
        var value = try value(String(String.UnicodeScalarView(inside[..<end])))
        var tail = inside[end...]
        if tail.first == "!" {
            tail.removeFirst()
            guard let conversion = tail.popFirst() else { throw .value("a format has no conversion") }
            value = .string(conversion == "s" ? value.text : value.repr)
        }
        if tail.first == ":" { tail.removeFirst() }
        let specification = try text(String(String.UnicodeScalarView(tail)), depth: depth + 1)
        return try Self.text(of: value, specification)
    }

    private mutating func value(_ field: String) throws(TemplateError) -> Value {
        let end = field.firstIndex { $0 == "." || $0 == "[" } ?? field.endIndex
        let name = String(field[..<end])
        var value: Value
        if name.isEmpty {
            guard next < positional.count else { throw .value("the format has more places than values") }
            value = positional[next]
            next += 1
        } else if let place = Int(name) {
            guard positional.indices.contains(place) else { throw .value("the format has more places than values") }
            value = positional[place]
        } else {
            guard let named = keywords.last(where: { $0.name == name }) else { throw .value("the format's \(name) is missing") }
            value = named.value
        }
        var rest = field[end...]
        while let first = rest.first {
            rest.removeFirst()
            if first == "." {
                let part = rest.prefix { $0 != "." && $0 != "[" }
                value = try member(value, String(part), false)
                rest = rest.dropFirst(part.count)
            } else {
                let part = rest.prefix { $0 != "]" }
                value = try member(value, String(part), true)
                rest = rest.dropFirst(part.count + 1)
            }
        }
        return value
    }

    /// A value by a specification such as `>8.2f`.
    static func text(of value: Value, _ specification: String) throws(TemplateError) -> String {
        if case .undefined = value, !specification.isEmpty { throw .type("a format does not take an undefined value") }
        guard !specification.isEmpty else { return value.text }
        if case .moment(let moment) = value { return try moment.text(format: specification) }
        var format = NumberFormat()
        var rest = specification[...].unicodeScalars
        let second = rest.dropFirst().first
        if let second, "<>=^".unicodeScalars.contains(second), let fill = rest.first {
            format.fill = fill
            format.alignment = second
            rest.removeFirst(2)
        } else if let first = rest.first, "<>=^".unicodeScalars.contains(first) {
            format.alignment = first
            rest.removeFirst()
        }
        if let sign = rest.first, "+- ".unicodeScalars.contains(sign) {
            format.sign = sign
            rest.removeFirst()
        }
        if rest.first == "#" {
            format.isAlternate = true
            rest.removeFirst()
        }
        if rest.first == "0" {
            rest.removeFirst()
            if format.alignment == nil {
                format.fill = "0"
                format.alignment = "="
            }
        }
        format.width = try NumberFormat.number(&rest)
        if let grouping = rest.first, grouping == "," || grouping == "_" {
            format.grouping = grouping
            rest.removeFirst()
        }
        if rest.first == "." {
            rest.removeFirst()
            format.precision = try NumberFormat.number(&rest)
            guard format.precision != nil else { throw .value("a format has no precision") }
        }
        let type = rest.popFirst()
        guard rest.isEmpty else { throw .value("unknown format \(specification)") }
        return try format.text(of: value, type)
    }
}

extension NumberFormat {
    fileprivate func text(of value: Value, _ type: Unicode.Scalar?) throws(TemplateError) -> String {
        switch (value, type) {
        case (.string(let text), nil), (.string(let text), "s"):
            guard alignment != "=" || fill == "0" else { throw .value("a text has no sign") }
            var format = self
            if format.alignment == "=" { format.alignment = "<" }
            return try format.aligned(cut(text), standard: "<")
        case (.bool(let bool), nil): return try aligned(bool ? "True" : "False", standard: "<")
        case (.bool, let type?), (.integer, let type?):
            guard let number = value.index else { break }
            switch type {
            case "d", "n", "x", "X", "o", "b":
                guard precision == nil else { throw .value("an integer has no precision") }
                return try integer(number, type == "n" ? "d" : type)
            case "c":
                guard let code = UInt32(exactly: number), let scalar = Unicode.Scalar(code) else { throw .limit(.number) }
                return try aligned(String(scalar), standard: "<")
            default: return try self.number(Double(number), type)
            }
        case (.integer(let number), nil): return try integer(number, "d")
        case (.float(let number), nil): return try plain(number)
        case (.float(let number), let type?): return try self.number(number, type)
        default: break
        }
        throw .type("a format does not take a \(value.typeName)")
    }

    private func number(_ number: Double, _ type: Unicode.Scalar) throws(TemplateError) -> String {
        switch type {
        case "e", "E", "f", "F", "g", "G": return try float(number, type)
        case "n": return try float(number, "g")
        case "%":
            var format = self
            format.width = nil
            format.alignment = nil
            let text = try format.float((number * 100).magnitude, "f") + "%"
            return try signed(number.sign == .minus, "", text.hasPrefix("+") ? String(text.dropFirst()) : text)
        default: throw .value("unknown format \(Character(type)) of a number")
        }
    }

    /// A float without a type: as `str` writes it, or by `g` with a point.
    private func plain(_ number: Double) throws(TemplateError) -> String {
        guard precision == nil else {
            let text = try NumberFormat(precision: precision).float(number.magnitude, "g")
            return try signed(number.sign == .minus, "", text.contains { $0 == "." || $0 == "e" } ? text : text + ".0")
        }
        let text = NumberText.text(of: number.magnitude)
        let end = text.firstIndex { $0 == "." || $0 == "e" } ?? text.endIndex
        return try signed(number.sign == .minus, "", grouped(String(text[..<end]), size: 3) + text[end...])
    }
}
