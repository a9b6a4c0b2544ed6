import Foundation

/// The operator `%` on a text.
enum PrintfFormat {
    static func text(_ format: String, _ value: Value) throws(TemplateError) -> String {
        var arguments: [Value] = [value]
        var isTuple = false
        if case .sequence(let items) = value, items.kind == .tuple {
            arguments = items.values
            isTuple = true
        }
        return try text(format, arguments, named: value, isTuple: isTuple)
    }

    static func text(_ format: String, _ arguments: [Value], named: Value, isTuple: Bool) throws(TemplateError) -> String {
        var result = ""
        var next = 0
        var usesNames = false
        var rest = format.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%" else {
                result.unicodeScalars.append(scalar)
                continue
            }
            var name: String?
            if rest.first == "(" {
                guard let end = rest.firstIndex(of: ")") else { throw .value("a format has no end") }
                name = String(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
                usesNames = true
            }
            var format = NumberFormat()
            format.parseFlags(&rest)
            format.width = try NumberFormat.number(&rest)
            if rest.first == "." {
                rest.removeFirst()
                format.precision = try NumberFormat.number(&rest) ?? 0
            }
            while let length = rest.first, "hlL".unicodeScalars.contains(length) { rest.removeFirst() }
            guard let type = rest.popFirst() else { throw .value("a format has no end") }
            if type == "%" {
                result += "%"
                continue
            }
            let argument: Value
            if let name {
                guard case .mapping(let mapping) = named else { throw .type("the format needs a dictionary") }
                guard let member = mapping[name] else { throw .value("the format's \(name) is missing") }
                argument = member
            } else {
                guard next < arguments.count else { throw .type("the format has more places than values") }
                argument = arguments[next]
                next += 1
            }
            result += try format.text(of: argument, printf: type)
            guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
        }
        // Python treats any value with members as a dictionary, and the format need not use all of them.
        let isDictionary =
            switch named {
            case .mapping, .sequence, .undefined: !isTuple
            default: false
            }
        guard next == arguments.count || usesNames || isDictionary else { throw .type("the format has fewer places than values") }
        return result
    }
}

extension Value {
    /// The number of a number, where a text is none.
    func asFloatOfNumber() throws(TemplateError) -> Double? {
        try defined().number
    }
}
