extension Renderer {
    /// The answer of a test behind `is`.
    mutating func holds(_ test: BuiltinTest, _ value: Value, _ arguments: [Value]) throws(TemplateError) -> Bool {
        try charge()
        guard test.argumentCount.contains(arguments.count) else { throw .type("the test \(test.rawValue) has the wrong arguments") }
        switch test {
        case .defined: return !value.isUndefined
        case .undefined: return value.isUndefined
        case .isNone: return value.isNull
        case .boolean, .isTrue, .isFalse:
            guard case .bool(let bool) = value else { return false }
            return test == .boolean || bool == (test == .isTrue)
        case .integer: if case .integer = value { return true }
        case .float: if case .float = value { return true }
        case .number: return value.number != nil
        case .string, .stringLike: if case .string = value { return true }
        case .mapping: if case .mapping = value { return true }
        case .list, .tuple:
            if case .sequence(let items) = value { return items.kind == (test == .list ? .list : .tuple) }
        case .datetime: if case .moment = value { return true }
        case .callable:
            switch value {
            case .method, .function: return true
            // An undefined value can be called.
            case .undefined: return true
            default: return false
            }
        case .sequence:
            switch value {
            case .string, .mapping, .undefined: return true
            case .sequence(let items): return items.kind == .list || items.kind == .tuple || items.kind == .range
            default: return false
            }
        case .iterable:
            switch value {
            case .string, .mapping, .sequence, .undefined, .loop: return true
            default: return false
            }
        case .odd, .even: return try Self.remainder(value, .integer(2)) == (test == .odd ? 1 : 0)
        case .divisibleby: return try Self.remainder(value, arguments[0]) == 0
        case .lower: return Self.isCased(value.text, isUpper: false)
        case .upper: return Self.isCased(value.text, isUpper: true)
        case .isNumber: return try value.asFloat().map(\.isFinite) ?? false
        case .contains: return try PythonComparison.contains(value, arguments[0])
        case .contained: return try PythonComparison.contains(arguments[0], value)
        case .match, .search: return try matches(value, arguments, isAnchored: test == .match)
        case .filter: return Builtin.filters[value.text] != nil
        case .test: return BuiltinTest.named(value.text) != nil
        case .sameas: return value.typeName == arguments[0].typeName ? try PythonComparison.areEqual(value, arguments[0]) : false
        case .equal: return try PythonComparison.areEqual(value, arguments[0])
        case .notEqual: return try !PythonComparison.areEqual(value, arguments[0])
        case .less: return try PythonComparison.holds(.less, value, arguments[0])
        case .lessOrEqual: return try PythonComparison.holds(.lessOrEqual, value, arguments[0])
        case .greater: return try PythonComparison.holds(.greater, value, arguments[0])
        case .greaterOrEqual: return try PythonComparison.holds(.greaterOrEqual, value, arguments[0])
        }
        return false
    }

    private static func remainder(_ value: Value, _ divisor: Value) throws(TemplateError) -> Double? {
        guard let rest = try Arithmetic.apply(.remainder, value, divisor).number else { throw .type("the test needs a number") }
        return rest
    }

    private static func isCased(_ text: String, isUpper: Bool) -> Bool {
        let scalars = text.unicodeScalars
        return scalars.contains { isUpper ? $0.properties.isUppercase : $0.properties.isLowercase }
            && !scalars.contains { isUpper ? $0.properties.isLowercase : $0.properties.isUppercase }
    }
}
