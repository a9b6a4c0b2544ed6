/// The tests behind `is`.
enum BuiltinTest: String, Sendable, CaseIterable {
    case boolean, callable, contains, datetime, defined, divisibleby, even, float, integer, iterable, list, lower, mapping, match
    case number, odd, sameas, search, sequence, string, tuple, undefined, upper
    case filter, test
    case isFalse = "false"
    case isTrue = "true"
    case isNone = "none"
    case isNumber = "is_number"
    case stringLike = "string_like"
    case equal = "eq"
    case notEqual = "ne"
    case less = "lt"
    case lessOrEqual = "le"
    case greater = "gt"
    case greaterOrEqual = "ge"
    case contained = "in"

    static func named(_ name: String) -> BuiltinTest? { names[name] }

    private static let names: [String: BuiltinTest] = {
        var names = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
        let others: [(String, BuiltinTest)] = [
            ("==", .equal), ("equalto", .equal), ("!=", .notEqual), ("<", .less), ("lessthan", .less), ("<=", .lessOrEqual),
            (">", .greater),
            ("greaterthan", .greater), (">=", .greaterOrEqual),
        ]
        for (name, test) in others { names[name] = test }
        return names
    }()

    /// The number of arguments that the test needs.
    var argumentCount: ClosedRange<Int> {
        switch self {
        case .contains, .divisibleby, .sameas, .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .contained: 1...1
        case .match, .search: 0...2
        default: 0...0
        }
    }
}
