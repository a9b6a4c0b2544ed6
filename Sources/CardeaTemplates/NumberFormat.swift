import Foundation

/// One place of a format, with its width, precision and flags.
struct NumberFormat {
    var fill: Unicode.Scalar = " "
    var alignment: Unicode.Scalar?
    var sign: Unicode.Scalar?
    var isAlternate = false
    var width: Int?
    var grouping: Unicode.Scalar?
    var precision: Int?

    /// Digits, bounded because they are a size.
    static func number(_ rest: inout Substring.UnicodeScalarView) throws(TemplateError) -> Int? {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        guard digits.count <= 4, let number = Int(String(digits)), number <= 1_000 else { throw .limit(.text) }
        return number
    }

    mutating func parseFlags(_ rest: inout Substring.UnicodeScalarView) {
        while let flag = rest.first, "-+ 0#".unicodeScalars.contains(flag) {
            rest.removeFirst()
            switch flag {
            case "-": alignment = "<"
            case "+": sign = "+"
            case " ": sign = sign ?? " "
            case "0":
                if alignment == nil {
                    fill = "0"
                    alignment = "="
                }
            default: isAlternate = true
            }
        }
        if alignment == "<" { fill = " " }
    }

    func text(of value: Value, printf type: Unicode.Scalar) throws(TemplateError) -> String {
        switch type {
        case "s", "r", "a":
            var format = self
            if format.alignment == "=" { format.alignment = nil }
            format.fill = " "
            return try format.aligned(cut(type == "s" ? value.text : value.repr), standard: ">")
        case "c":
            if case .string(let text) = value, text.unicodeScalars.count == 1 { return try aligned(text, standard: ">") }
            guard let code = value.index.flatMap(UInt32.init(exactly:)), let scalar = Unicode.Scalar(code) else {
                throw .type("the format needs a character")
            }
            return try aligned(String(scalar), standard: ">")
        case "d", "i", "u":
            guard let number = value.number else { throw .type("the format needs a number, and not a \(value.typeName)") }
            if let integer = value.index { return try self.integer(integer, "d") }
            guard let integer = Int(exactly: number.rounded(.towardZero)) else { throw .limit(.number) }
            return try self.integer(integer, "d")
        case "x", "X", "o":
            guard let number = value.index else { throw .type("the format needs an integer, and not a \(value.typeName)") }
            return try integer(number, type)
        case "e", "E", "f", "F", "g", "G":
            guard let number = try value.asFloatOfNumber() else { throw .type("the format needs a number, and not a \(value.typeName)") }
            return try float(number, type)
        default: throw .value("unknown format %\(Character(type))")
        }
    }

    func cut(_ text: String) -> String {
        guard let precision else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(precision)))
    }

    func integer(_ number: Int, _ type: Unicode.Scalar) throws(TemplateError) -> String {
        let radix = type == "d" ? 10 : type == "o" ? 8 : type == "b" ? 2 : 16
        var digits = String(number.magnitude, radix: radix, uppercase: type == "X")
        if let precision { digits = String(repeating: "0", count: max(0, precision - digits.count)) + digits }
        let prefix = isAlternate && radix != 10 ? "0" + String(Character(type)) : ""
        return try signed(number < 0, prefix, grouped(digits, size: radix == 10 ? 3 : 4))
    }

    func float(_ number: Double, _ type: Unicode.Scalar) throws(TemplateError) -> String {
        let isUpper = type == "F" || type == "E" || type == "G"
        if !number.isFinite {
            let word = number.isNaN ? "nan" : "inf"
            var format = self
            if format.fill == "0" { format.fill = " " }
            return try (fill == "0" ? self : format).signed(number < 0, "", isUpper ? word.uppercased() : word)
        }
        let specifier = "%" + (isAlternate ? "#" : "") + ".*" + String(Character(type))
        let text = String(format: specifier, precision ?? 6, number.magnitude)
        let end = text.firstIndex { $0 == "." || $0 == "e" || $0 == "E" } ?? text.endIndex
        return try signed(number.sign == .minus, "", grouped(String(text[..<end]), size: 3) + text[end...])
    }

    func grouped(_ digits: String, size: Int) -> String {
        guard let grouping else { return digits }
        var result = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % size == 0 { result.unicodeScalars.append(grouping) }
            result.append(digit)
        }
        return result
    }

    func signed(_ isNegative: Bool, _ prefix: String, _ digits: String) throws(TemplateError) -> String {
        let sign = isNegative ? "-" : sign.map { $0 == "-" ? "" : String($0) } ?? ""
        let head = sign + prefix
        if alignment == "=" {
            let missing = (width ?? 0) - head.count - digits.unicodeScalars.count
            return head + String(repeating: String(fill), count: max(0, missing)) + digits
        }
        return try aligned(head + digits, standard: ">")
    }

    func aligned(_ text: String, standard: Unicode.Scalar) throws(TemplateError) -> String {
        let missing = (width ?? 0) - text.unicodeScalars.count
        guard missing > 0 else { return text }
        func fills(_ count: Int) -> String { String(repeating: String(fill), count: count) }
        switch alignment ?? standard {
        case "<": return text + fills(missing)
        case "^": return fills(missing / 2) + text + fills(missing - missing / 2)
        default: return fills(missing) + text
        }
    }
}
