extension Renderer {
    /// Calls a filter or a function; a filter's value is the first argument.
    mutating func call(
        _ builtin: Builtin, _ positional: [Value], _ keywords: [(name: String, value: Value)] = []
    ) throws(TemplateError) -> Value {
        try charge()
        for value in positional { try charge(forSize: value) }
        guard let signature = builtin.signature else { return try callFree(builtin, positional, keywords) }
        let arguments = try BoundArguments(builtin.rawValue, signature, positional, keywords)
        switch builtin {
        case .abs, .add, .multiply, .float, .int, .bool, .round, .isNumber, .sqrt, .sin, .cos, .tan, .asin, .acos, .atan, .log, .bitwiseAnd,
            .bitwiseOr, .bitwiseXor, .ordinal, .ord:
            return try NumberFilters.call(builtin, arguments)
        case .capitalize, .center, .escape, .indent, .lower, .replace, .string, .title, .trim, .truncate, .upper, .wordcount, .base64Decode,
            .base64Encode,
            .fromJSON, .toJSON, .jinjaToJSON, .regexMatch, .regexSearch, .regexReplace, .regexFindAll, .regexFindAllIndex:
            return try callOnText(builtin, arguments)
        case .asDatetime, .asLocal, .asTimedelta, .asTimestamp, .strptime, .timestampCustom, .timestampLocal, .timestampUTC, .todayAt, .now,
            .utcnow, .timedelta:
            return try callOnTime(builtin, arguments)
        case .defaultValue:
            let isReplaced = arguments.value.isUndefined || (arguments.isTrue(2) && !arguments.value.isTrue)
            return isReplaced ? arguments[1] ?? .string("") : arguments.value
        case .isDefined: return try arguments.value.defined()
        case .iif:
            if case .null = arguments.value, let ifNone = arguments[3] { return ifNone }
            return arguments.value.isTrue ? arguments[1] ?? .bool(true) : arguments[2] ?? .bool(false)
        case .typeof: return .string(arguments.value.typeName)
        case .contains: return .bool(try PythonComparison.contains(arguments.value, arguments[1] ?? .null))
        case .attr:
            guard case .string(let name)? = arguments[1] else { throw .type("attr takes a name") }
            return try attributeOnly(name, of: arguments.value)
        default: return try callOnSequence(builtin, arguments)
        }
    }

    /// The filter `attr` does not read the members of a dictionary.
    private func attributeOnly(_ name: String, of value: Value) throws(TemplateError) -> Value {
        if case .mapping = value, !PythonMethods.has(name, on: value) { return .undefined("'dict object' has no attribute '\(name)'") }
        return try attribute(name, of: value)
    }

    /// Filters and functions that take any number of arguments.
    private mutating func callFree(
        _ builtin: Builtin, _ positional: [Value], _ keywords: [(name: String, value: Value)]
    ) throws(TemplateError) -> Value {
        switch builtin {
        case .namespace, .dict:
            var members: [(Value, Value)] = []
            if let first = positional.first {
                if case .mapping(let mapping) = first {
                    members = Array(zip(mapping.keys, mapping.values))
                } else {
                    for pair in try elements(of: try first.defined()) {
                        let parts = try elements(of: pair)
                        guard parts.count == 2 else { throw .value("a member has a name and a value") }
                        members.append((parts[0], parts[1]))
                    }
                }
            }
            members += keywords.map { (.string($0.name), $0.value) }
            guard builtin == .dict else {
                return makeNamespace(Dictionary(members.map { ($0.text, $1) }, uniquingKeysWith: { _, last in last }))
            }
            var mapping = OrderedMapping()
            for (key, value) in members { try mapping.set(value, of: key) }
            return .mapping(mapping)
        case .range: return try range(positional)
        case .zip:
            var lists: [[Value]] = []
            for value in positional { lists.append(try elements(of: value)) }
            var result: [Value] = []
            for place in 0..<(lists.map(\.count).min() ?? 0) { result.append(try .tuple(lists.map { $0[place] })) }
            return try .generator(result)
        case .minOf, .maxOf:
            let filter: Builtin = builtin == .minOf ? .min : .max
            guard let first = positional.first else { throw .type("min and max need a value") }
            if positional.count > 1 { return try call(filter, [try .tuple(positional)], keywords) }
            return try call(filter, [first], keywords)
        case .average, .median: return try mean(builtin, positional, keywords)
        case .combine:
            var mapping = OrderedMapping()
            guard !positional.isEmpty else { throw .type("combine needs a dictionary") }
            let isRecursive = keywords.first { $0.name == "recursive" }?.value.isTrue ?? false
            for value in positional {
                guard case .mapping(let other) = value else { throw .type("combine takes dictionaries, and not a \(value.typeName)") }
                mapping = try combined(mapping, other, isRecursive: isRecursive)
            }
            return .mapping(mapping)
        case .format:
            guard case .string(let format) = positional.first?.asString else { throw .type("format needs a text") }
            let values = Array(positional.dropFirst())
            guard values.isEmpty || keywords.isEmpty else { throw .type("format takes values or names") }
            var named = OrderedMapping()
            for (name, value) in keywords { try named.set(value, of: .string(name)) }
            let result =
                keywords.isEmpty
                ? try PrintfFormat.text(format, values, named: .null, isTuple: true)
                : try PrintfFormat.text(format, [], named: .mapping(named), isTuple: false)
            return .string(result)
        default: return try callOnEach(builtin, positional, keywords)
        }
    }

    private func combined(_ left: OrderedMapping, _ right: OrderedMapping, isRecursive: Bool) throws(TemplateError) -> OrderedMapping {
        var result = left
        for (key, value) in zip(right.keys, right.values) {
            if isRecursive, case .mapping(let inner) = value, case .mapping(let old)? = try result.value(of: key) {
                try result.set(.mapping(try combined(old, inner, isRecursive: true)), of: key)
            } else {
                try result.set(value, of: key)
            }
        }
        return result
    }

    private mutating func range(_ positional: [Value]) throws(TemplateError) -> Value {
        var bounds: [Int] = []
        for value in positional {
            guard let bound = try value.defined().index else { throw .type("range needs integers, and not a \(value.typeName)") }
            bounds.append(bound)
        }
        guard (1...3).contains(bounds.count) else { throw .type("range takes one to three integers") }
        let step = bounds.count > 2 ? bounds[2] : 1
        guard step != 0 else { throw .value("the step of a range is zero") }
        let (start, end) = bounds.count == 1 ? (0, bounds[0]) : (bounds[0], bounds[1])
        guard start.magnitude < 1 << 60, end.magnitude < 1 << 60, step.magnitude < 1 << 60 else { throw .limit(.number) }
        guard step > 0 ? start < end : start > end else { return .sequence(try Value.Items(.range, [])) }
        let count = Int((end - start).magnitude - 1) / Int(step.magnitude) + 1
        guard count <= TemplateLimits.elements else { throw .limit(.text) }
        try charge(count / 16)
        return .sequence(try Value.Items(.range, stride(from: start, to: end, by: step).map(Value.integer)))
    }

    private mutating func mean(
        _ builtin: Builtin, _ positional: [Value], _ keywords: [(name: String, value: Value)]
    ) throws(TemplateError) -> Value {
        guard let first = positional.first else { throw .type("\(builtin.rawValue) needs a value") }
        var fallback = keywords.first { $0.name == "default" }?.value
        var values = positional
        switch first {
        case .sequence, .mapping, .string, .undefined:
            values = try elements(of: first)
            if positional.count > 1, fallback == nil { fallback = positional[1] }
        default: guard positional.count > 1 else { throw .type("a \(first.typeName) has no elements") }
        }
        var numbers: [Double] = []
        for value in values {
            guard let number = value.number else {
                if let fallback { return fallback }
                throw .value("\(builtin.rawValue) needs numbers")
            }
            numbers.append(number)
        }
        guard !numbers.isEmpty else {
            if let fallback { return fallback }
            throw .value("\(builtin.rawValue) needs numbers")
        }
        if builtin == .average { return .float(numbers.reduce(0, +) / Double(numbers.count)) }
        let sorted = try PythonComparison.sorted(values.map { ($0, $0) }, isReversed: false)
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle] }
        return try Arithmetic.apply(.divide, try Arithmetic.apply(.add, sorted[middle - 1], sorted[middle]), .integer(2))
    }
}

extension Value {
    /// The value as a text, as filters of texts take it.
    var asString: Value { .string(text) }
}
