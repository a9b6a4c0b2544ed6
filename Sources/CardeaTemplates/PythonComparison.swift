/// Python's comparisons.
enum PythonComparison {
    static func holds(_ comparison: Expression.Comparison, _ left: Value, _ right: Value) throws(TemplateError) -> Bool {
        switch comparison {
        case .equal: try areEqual(left, right)
        case .notEqual: try !areEqual(left, right)
        case .less: try isLess(left, right, orEqual: false)
        case .lessOrEqual: try isLess(left, right, orEqual: true)
        case .greater: try isLess(right, left, orEqual: false)
        case .greaterOrEqual: try isLess(right, left, orEqual: true)
        case .contained: try contains(right, left)
        case .notContained: try !contains(right, left)
        }
    }

    static func areEqual(_ left: Value, _ right: Value) throws(TemplateError) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
        case (.integer(let left), .integer(let right)): return left == right
        case (.float(let left), .float(let right)): return left == right
        case (.undefined, .undefined), (.null, .null): return true
        case (.sequence(let left), .sequence(let right)): return try areEqual(left, right)
        case (.mapping(let left), .mapping(let right)):
            guard left.count == right.count else { return false }
            for (place, key) in left.keys.enumerated() {
                guard let other = try right.value(of: key), try areEqual(left.values[place], other) else { return false }
            }
            return true
        case (.moment(let left), .moment(let right)): return left.isEqual(to: right)
        case (.interval(let left), .interval(let right)): return left.microseconds == right.microseconds
        case (.namespace(let left), .namespace(let right)): return left == right
        case (.function(let left), .function(let right)): return left == right
        default:
            if let left = left.index, let right = right.index { return left == right }
            guard left.number != nil, right.number != nil else { return false }
            return compare(left, right) == 0
        }
    }

    private static func areEqual(_ left: Value.Items, _ right: Value.Items) throws(TemplateError) -> Bool {
        guard left.kind == right.kind, left.kind != .generator, left.values.count == right.values.count else { return false }
        for (left, right) in zip(left.values, right.values) where try !areEqual(left, right) { return false }
        return true
    }

    /// Less than zero, zero or more, exactly; nil for values that are no numbers or not ordered.
    private static func compare(_ left: Value, _ right: Value) -> Int? {
        if let left = left.index, let right = right.index { return left < right ? -1 : left == right ? 0 : 1 }
        if let integer = left.index, let float = right.number { return compare(integer, float) }
        if let float = left.number, let integer = right.index { return compare(integer, float).map { -$0 } }
        guard let left = left.number, let right = right.number, !left.isNaN, !right.isNaN else { return nil }
        return left < right ? -1 : left == right ? 0 : 1
    }

    private static func compare(_ integer: Int, _ float: Double) -> Int? {
        guard !float.isNaN else { return nil }
        if let exact = Double(exactly: integer) { return exact < float ? -1 : exact == float ? 0 : 1 }
        guard let whole = Int(exactly: float.rounded(.down)) else { return float > 0 ? -1 : 1 }
        return integer < whole ? -1 : integer > whole ? 1 : float > float.rounded(.down) ? -1 : 0
    }

    static func isLess(_ left: Value, _ right: Value, orEqual: Bool) throws(TemplateError) -> Bool {
        _ = try left.defined()
        _ = try right.defined()
        switch (left, right) {
        case (.string(let left), .string(let right)):
            if left.utf8.elementsEqual(right.utf8) { return orEqual }
            return left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.sequence(let left), .sequence(let right)) where left.kind == right.kind && (left.kind == .list || left.kind == .tuple):
            for (left, right) in zip(left.values, right.values) where try !areEqual(left, right) {
                return try isLess(left, right, orEqual: orEqual)
            }
            return left.values.count < right.values.count || (orEqual && left.values.count == right.values.count)
        case (.moment(let left), .moment(let right)):
            guard left.isAware == right.isAware else { throw .type("a time with a zone and one without cannot be compared") }
            return orEqual ? left.instant <= right.instant : left.instant < right.instant
        case (.interval(let left), .interval(let right)):
            return orEqual ? left.microseconds <= right.microseconds : left.microseconds < right.microseconds
        default:
            guard left.number != nil, right.number != nil else {
                throw .type("\(left.typeName) and \(right.typeName) have no order")
            }
            guard let order = compare(left, right) else { return false }
            return orEqual ? order <= 0 : order < 0
        }
    }

    static func contains(_ container: Value, _ value: Value) throws(TemplateError) -> Bool {
        switch container {
        case .undefined: return false
        case .string(let text):
            guard case .string(let part) = value else { throw .type("only a text is in a text, and this is \(value.typeName)") }
            return PythonText.find(part, in: text) != nil
        case .mapping(let mapping): return try mapping.value(of: value) != nil
        case .sequence(let items):
            for item in items.values where try areEqual(item, value) { return true }
            return false
        default: throw .type("nothing is in a \(container.typeName)")
        }
    }

    /// A stable sort. Throws for values without an order.
    static func sorted(_ entries: [(key: Value, value: Value)], isReversed: Bool) throws(TemplateError) -> [Value] {
        var entries = isReversed ? entries.reversed() : entries
        var spare = entries
        var width = 1
        while width < entries.count {
            var start = 0
            while start < entries.count {
                let middle = min(start + width, entries.count)
                let end = min(start + 2 * width, entries.count)
                var (left, right, place) = (start, middle, start)
                while left < middle || right < end {
                    let takesLeft: Bool
                    if left < middle, right < end {
                        takesLeft = try !isLess(entries[right].key, entries[left].key, orEqual: false)
                    } else {
                        takesLeft = left < middle
                    }
                    spare[place] = entries[takesLeft ? left : right]
                    if takesLeft { left += 1 } else { right += 1 }
                    place += 1
                }
                start = end
            }
            swap(&entries, &spare)
            width *= 2
        }
        return isReversed ? entries.reversed().map(\.value) : entries.map(\.value)
    }
}
