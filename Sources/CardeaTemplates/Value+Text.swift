extension Value {
    /// The text that Python's `str` makes of the value.
    var text: String {
        switch self {
        case .undefined: ""
        case .string(let text): text
        case .moment(let moment): moment.text(separator: " ")
        case .interval(let interval): interval.text
        default: repr
        }
    }

    /// The text that Python's `repr` makes of the value.
    var repr: String {
        var text = ""
        writeRepr(in: &text)
        return text
    }

    private func writeRepr(in text: inout String) {
        // A list may contain one long text many times.
        guard text.utf8.count <= TemplateLimits.text else { return }
        switch self {
        case .undefined: text += "Undefined"
        case .null: text += "None"
        case .bool(let bool): text += bool ? "True" : "False"
        case .integer(let number): text += String(number)
        case .float(let number): text += NumberText.text(of: number)
        case .string(let string): text += Self.quoted(string)
        case .sequence(let items): writeRepr(items, in: &text)
        case .mapping(let mapping):
            text += "{"
            for (place, key) in mapping.keys.enumerated() {
                if place > 0 { text += ", " }
                key.writeRepr(in: &text)
                text += ": "
                mapping.values[place].writeRepr(in: &text)
            }
            text += "}"
        case .moment(let moment): text += moment.repr
        case .interval(let interval): text += interval.repr
        case .namespace: text += "<Namespace>"
        case .loop(let loop): text += "<LoopContext \(loop.index + 1)/\(loop.count)>"
        case .method(let method): text += "<built-in method \(method.name)>"
        case .function(let function): text += "<function \(function.rawValue)>"
        }
    }

    private func writeRepr(_ items: Items, in text: inout String) {
        switch items.kind {
        case .generator: text += "<generator object>"
        case .range:
            let first = items.values.first?.index ?? 0
            let step = items.values.count > 1 ? (items.values[1].index ?? 0) - first : 1
            let end = items.values.isEmpty ? 0 : first + step * items.values.count
            text += step == 1 ? "range(\(first), \(end))" : "range(\(first), \(end), \(step))"
        case .list: writeRepr(items.values, in: "[", "]", of: &text)
        case .tuple: writeRepr(items.values, in: "(", items.values.count == 1 ? ",)" : ")", of: &text)
        case .keys, .values, .items: writeRepr(items.values, in: typeName + "([", "])", of: &text)
        }
    }

    private func writeRepr(_ values: [Value], in open: String, _ close: String, of text: inout String) {
        text += open
        for (place, value) in values.enumerated() {
            if place > 0 { text += ", " }
            value.writeRepr(in: &text)
        }
        text += close
    }

    /// A string with quotes and escapes, as Python writes it in a list.
    private static func quoted(_ string: String) -> String {
        let quote: Unicode.Scalar = string.utf8.contains(UInt8(ascii: "'")) && !string.utf8.contains(UInt8(ascii: "\"")) ? "\"" : "'"
        var text = String.UnicodeScalarView()
        text.append(quote)
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\".unicodeScalars
            case "\n": text += "\\n".unicodeScalars
            case "\r": text += "\\r".unicodeScalars
            case "\t": text += "\\t".unicodeScalars
            case quote:
                text.append("\\")
                text.append(scalar)
            default:
                if scalar.isPrintable { text.append(scalar) } else { text += scalar.escape.unicodeScalars }
            }
        }
        text.append(quote)
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Shown as it is by Python's `repr`.
    fileprivate var isPrintable: Bool {
        if isASCII { return value >= 0x20 && value != 0x7F }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator: return false
        default: return true
        }
    }

    fileprivate var escape: String {
        let digits = String(value, radix: 16)
        func padded(_ count: Int) -> String { String(repeating: "0", count: max(0, count - digits.count)) + digits }
        return value <= 0xFF ? "\\x" + padded(2) : value <= 0xFFFF ? "\\u" + padded(4) : "\\U" + padded(8)
    }
}
