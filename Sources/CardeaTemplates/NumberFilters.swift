import Foundation

/// Filters and functions of numbers.
enum NumberFilters {
    static func call(_ builtin: Builtin, _ arguments: BoundArguments) throws(TemplateError) -> Value {
        let value = arguments.value
        switch builtin {
        case .abs: return try Arithmetic.magnitude(value)
        case .float:
            guard let number = try value.asFloat() else { return try fallback(arguments[1], "float", value) }
            return .float(number)
        case .int: return try int(arguments)
        case .bool: return try bool(arguments)
        case .isNumber: return .bool(try value.asFloat().map(\.isFinite) ?? false)
        case .round: return try round(arguments)
        case .add, .multiply:
            guard let number = try value.asFloat() else { return try fallback(arguments[2], builtin.rawValue, value) }
            let operand = arguments[1] ?? .null
            if operand.number == nil {
                _ = try operand.defined()
                return try fallback(arguments[2], builtin.rawValue, value)
            }
            return try Arithmetic.apply(builtin == .add ? .add : .multiply, .float(number), operand)
        case .sqrt, .sin, .cos, .tan, .asin, .acos, .atan: return try function(builtin, arguments)
        case .log: return try logarithm(arguments)
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor: return try bits(builtin, value, arguments[1] ?? .null)
        case .ord:
            guard case .string(let text) = value, text.unicodeScalars.count == 1, let scalar = text.unicodeScalars.first else {
                throw .type("ord takes one character")
            }
            return .integer(Int(scalar.value))
        default: return .string(try ordinal(value))
        }
    }

    private static func fallback(_ standard: Value?, _ name: String, _ value: Value) throws(TemplateError) -> Value {
        guard let standard else { throw .value("\(name) got no number and has no default: \(String(value.text.prefix(40)))") }
        return standard
    }

    private static func truncated(_ number: Double) throws(TemplateError) -> Int {
        guard number.isFinite else { throw .value("an infinite number is no integer") }
        guard let integer = Int(exactly: number.rounded(.towardZero)) else { throw .limit(.number) }
        return integer
    }

    private static func int(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        let value = arguments.value
        switch value {
        case .string(let text):
            let base = arguments[2]?.index ?? 10
            if let number = try NumberText.integer(text, radix: base) { return .integer(number) }
            guard let number = NumberText.float(text), number.isFinite else { return try fallback(arguments[1], "int", value) }
            return .integer(try truncated(number))
        case .float(let number):
            if number.isNaN { return try fallback(arguments[1], "int", value) }
            return .integer(try truncated(number))
        default:
            guard let number = try value.defined().index else { return try fallback(arguments[1], "int", value) }
            return .integer(number)
        }
    }

    private static func bool(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        switch arguments.value {
        case .bool(let bool): return .bool(bool)
        case .integer(let number): return .bool(number != 0)
        case .float(let number): return .bool(number != 0)
        case .string(let text):
            switch PythonText.stripped(text.lowercased()) {
            case "1", "true", "yes", "on", "enable": return .bool(true)
            case "0", "false", "no", "off", "disable": return .bool(false)
            default: return try fallback(arguments[1], "bool", arguments.value)
            }
        default: return try fallback(arguments[1], "bool", arguments.value)
        }
    }

    private static func round(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        let value = arguments.value
        let isFloatPrecision = if case .float? = arguments[1] { true } else { false }
        guard let number = try value.asFloat(), let precision = (arguments[1] ?? .integer(0)).number else {
            return try fallback(arguments[3], "round", value)
        }
        guard precision.magnitude <= 300 else { throw .limit(.number) }
        let multiplier = pow(10, precision)
        let method = arguments[2]?.text ?? "common"
        let rounded: Double
        switch method {
        case "ceil", "floor":
            let scaled = number * multiplier
            if scaled.isNaN { return try fallback(arguments[3], "round", value) }
            guard scaled.isFinite else { throw .value("an infinite number cannot be rounded") }
            // Python divides an integer, which has no negative zero.
            rounded = (scaled.rounded(method == "ceil" ? .up : .down) + 0.0) / multiplier
        case "half":
            if number.isNaN { return try fallback(arguments[3], "round", value) }
            guard number.isFinite else { throw .value("an infinite number cannot be rounded") }
            rounded = ((number * 2).rounded(.toNearestOrEven) + 0.0) / 2
        default:
            guard !isFloatPrecision, let places = Int(exactly: precision) else { return try fallback(arguments[3], "round", value) }
            rounded = Self.rounded(number, places)
        }
        guard precision == 0 else { return .float(rounded) }
        if rounded.isNaN { return try fallback(arguments[3], "round", value) }
        return .integer(try truncated(rounded))
    }

    /// Python's `round`: exactly, and a half goes to the even digit.
    static func rounded(_ number: Double, _ places: Int) -> Double {
        guard number.isFinite, number != 0 else { return number }
        if places == 0 { return number.rounded(.toNearestOrEven) }
        guard places > 0 else {
            let scale = pow(10, Double(-places))
            return (number / scale).rounded(.toNearestOrEven) * scale
        }
        guard places <= 22 else { return number }
        // Far from a half, the plain way is exact: the result is the number next to a decimal.
        let scale = pow(10, Double(places))
        let scaled = number * scale
        let whole = scaled.rounded(.toNearestOrEven)
        if scaled.magnitude < 1e9, (scaled - whole).magnitude < 0.499_999 { return whole / scale }
        return Double(String(format: "%.\(places)f", number)) ?? number
    }

    private static func function(_ builtin: Builtin, _ arguments: BoundArguments) throws(TemplateError) -> Value {
        guard let number = try arguments.value.asFloat() else { return try fallback(arguments[1], builtin.rawValue, arguments.value) }
        let result =
            switch builtin {
            case .sqrt: number.squareRoot()
            case .sin: sin(number)
            case .cos: cos(number)
            case .tan: tan(number)
            case .asin: asin(number)
            case .acos: acos(number)
            default: atan(number)
            }
        // Python raises where C returns NaN.
        if result.isNaN, !number.isNaN { return try fallback(arguments[1], builtin.rawValue, arguments.value) }
        return .float(result)
    }

    private static func logarithm(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        guard let base = try (arguments[1] ?? .float(M_E)).asFloat() else {
            return try fallback(arguments[2], "log", arguments[1] ?? .null)
        }
        guard let number = try arguments.value.asFloat(), !(number <= 0), !(base <= 0) else {
            return try fallback(arguments[2], "log", arguments.value)
        }
        let divisor = log(base)
        guard divisor != 0 else { throw .divisionByZero }
        return .float(log(number) / divisor)
    }

    private static func bits(_ builtin: Builtin, _ left: Value, _ right: Value) throws(TemplateError) -> Value {
        if case .bool(let left) = left, case .bool(let right) = right {
            switch builtin {
            case .bitwiseAnd: return .bool(left && right)
            case .bitwiseOr: return .bool(left || right)
            default: return .bool(left != right)
            }
        }
        guard let left = left.index, let right = right.index else {
            throw .type("\(builtin.rawValue) takes integers, and not \(left.typeName) and \(right.typeName)")
        }
        switch builtin {
        case .bitwiseAnd: return .integer(left & right)
        case .bitwiseOr: return .integer(left | right)
        default: return .integer(left ^ right)
        }
    }

    private static func ordinal(_ value: Value) throws(TemplateError) -> String {
        let text = value.text
        guard let last = try NumberText.integer(String(text.suffix(1))), let end = try NumberText.integer(String(text.suffix(2))) else {
            throw .value("ordinal takes an integer")
        }
        let isTeen = (11...13).contains(end.magnitude % 100)
        return text + (isTeen ? "th" : last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th")
    }
}
