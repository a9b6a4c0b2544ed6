/// Numbers as Python reads and writes them.
enum NumberText {
    /// The shortest text that reads back as the same number.
    static func text(of number: Double) -> String {
        if number.isNaN { return "nan" }
        if number.isInfinite { return number < 0 ? "-inf" : "inf" }
        let plain = String(describing: number)
        let magnitude = number.magnitude
        // Swift formats these like Python.
        if magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e15) || magnitude < 1e-5 || magnitude >= 1e17 { return plain }
        guard let (digits, exponent) = decimal(plain) else { return plain }
        return (number < 0 ? "-" : "") + formatted(digits, exponent)
    }

    /// The digits of a number, and the power of ten of the first; nil when the text is in another form.
    private static func decimal(_ plain: String) -> (digits: [UInt8], exponent: Int)? {
        let parts = plain.utf8.drop { $0 == UInt8(ascii: "-") }.split(separator: UInt8(ascii: "e"))
        guard let mantissa = parts.first else { return nil }
        var exponent = 0
        if parts.count > 1 {
            guard let written = Int(String(decoding: parts[1], as: UTF8.self)) else { return nil }
            exponent = written
        }
        var digits: [UInt8] = []
        var whole: Int?
        for byte in mantissa {
            if byte == UInt8(ascii: ".") { whole = digits.count } else { digits.append(byte) }
        }
        exponent += (whole ?? digits.count) - 1
        while digits.count > 1, digits.first == UInt8(ascii: "0") {
            digits.removeFirst()
            exponent -= 1
        }
        while digits.count > 1, digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return (digits, exponent)
    }

    private static func formatted(_ digits: [UInt8], _ exponent: Int) -> String {
        let text = String(decoding: digits, as: UTF8.self)
        if exponent < -4 || exponent >= 16 {
            let mantissa = digits.count == 1 ? text : text.prefix(1) + "." + text.dropFirst()
            let power = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
            return "\(mantissa)e\(exponent < 0 ? "-" : "+")\(power)"
        }
        if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + text }
        if digits.count <= exponent + 1 { return text + String(repeating: "0", count: exponent + 1 - digits.count) + ".0" }
        return text.prefix(exponent + 1) + "." + text.dropFirst(exponent + 1)
    }

    /// The number in a text, with white space around it; nil when there is none.
    static func float(_ text: String) -> Double? {
        let trimmed = PythonText.stripped(text)
        // No number needs that many characters.
        guard !trimmed.isEmpty, trimmed.utf8.count <= 400 else { return nil }
        var digits: [UInt8] = []
        var last: UInt8 = 0
        var isWord = false
        for byte in trimmed.utf8 {
            switch byte {
            case 0x30...0x39:
                digits.append(byte)
            case UInt8(ascii: "_"):
                guard (0x30...0x39).contains(last) else { return nil }
            case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"):
                guard last != UInt8(ascii: "_") else { return nil }
                digits.append(byte)
            default:
                isWord = true
            }
            if isWord { break }
            last = byte
        }
        if isWord { return word(trimmed.lowercased()) }
        guard last != UInt8(ascii: "_"), digits.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
        // Python allows `5.` and `.5`, and so does `strtod`; Swift requires digits before the point.
        return Double(String(decoding: digits, as: UTF8.self)) ?? completed(digits)
    }

    private static func completed(_ digits: [UInt8]) -> Double? {
        guard let point = digits.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        var text = digits
        if point + 1 == text.count || !(0x30...0x39).contains(text[point + 1]) { text.insert(0x30, at: point + 1) }
        if point == 0 || !(0x30...0x39).contains(text[point - 1]) { text.insert(0x30, at: point) }
        return Double(String(decoding: text, as: UTF8.self))
    }

    private static func word(_ text: String) -> Double? {
        let isNegative = text.hasPrefix("-")
        let name = isNegative || text.hasPrefix("+") ? String(text.dropFirst()) : text
        switch name {
        case "inf", "infinity": return isNegative ? -.infinity : .infinity
        case "nan": return .nan
        default: return nil
        }
    }

    /// The integer in a text; nil when there is none. Throws when it is too large.
    static func integer(_ text: String, radix: Int = 10) throws(TemplateError) -> Int? {
        var rest = PythonText.stripped(text).utf8[...]
        var isNegative = false
        if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            rest.removeFirst()
        }
        var radix = radix
        if rest.first == UInt8(ascii: "0"), let letter = rest.dropFirst().first {
            let prefix: Int? =
                switch letter | 0x20 {
                case UInt8(ascii: "x"): 16
                case UInt8(ascii: "o"): 8
                case UInt8(ascii: "b"): 2
                default: nil
                }
            if let prefix, radix == 0 || radix == prefix {
                radix = prefix
                rest.removeFirst(2)
                if rest.first == UInt8(ascii: "_") { rest.removeFirst() }
            }
        }
        if radix == 0 {
            radix = 10
            if rest.first == UInt8(ascii: "0"), rest.contains(where: { $0 != UInt8(ascii: "0") && $0 != UInt8(ascii: "_") }) { return nil }
        }
        guard (2...36).contains(radix) else { throw .value("the base of an integer is from 2 to 36") }
        var digits: [UInt8] = []
        var last = UInt8(ascii: "_")
        for byte in rest {
            if byte == UInt8(ascii: "_") {
                guard last != byte else { return nil }
            } else {
                guard let digit = digit(byte), digit < radix else { return nil }
                digits.append(byte)
            }
            last = byte
        }
        guard last != UInt8(ascii: "_") else { return nil }
        guard let number = Int((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self), radix: radix) else {
            throw .limit(.number)
        }
        return number
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x5A: Int(byte) - 0x41 + 10
        case 0x61...0x7A: Int(byte) - 0x61 + 10
        default: nil
        }
    }
}
