extension Renderer {
    /// Filters of lists and dictionaries.
    mutating func callOnSequence(_ builtin: Builtin, _ arguments: BoundArguments) throws(TemplateError) -> Value {
        let value = arguments.value
        switch builtin {
        case .length: return .integer(try count(of: value))
        case .first: return try elements(of: value).first ?? .undefined("the sequence is empty")
        case .last:
            if case .sequence(let items) = value, items.kind == .generator { throw .type("a generator has no last element") }
            return try elements(of: value).last ?? .undefined("the sequence is empty")
        case .list: return try .list(try elements(of: value))
        case .tuple: return try .tuple(arguments[0] == nil ? [] : try elements(of: value))
        case .reverse:
            if case .string(let text) = value { return .string(String(String.UnicodeScalarView(text.unicodeScalars.reversed()))) }
            guard (try? elements(of: value)) != nil else { throw .undefined("a \(value.typeName) has no elements") }
            return try .generator(try elements(of: value).reversed())
        case .join: return try joined(arguments)
        case .items:
            switch value {
            case .undefined: return try .generator([])
            case .mapping(let mapping): return try .generator(try mapping.pairs())
            default: throw .type("a \(value.typeName) has no members")
            }
        case .sum: return try sum(arguments)
        case .min, .max: return try extreme(builtin, arguments)
        case .sort:
            let entries = try keyed(value, by: arguments[3], isCaseSensitive: arguments.isTrue(2), isMultiple: true)
            return try .list(try PythonComparison.sorted(entries, isReversed: arguments.isTrue(1)))
        case .unique:
            var seen: Set<OrderedMapping.Key> = []
            var result: [Value] = []
            for (key, value) in try keyed(value, by: arguments[2], isCaseSensitive: arguments.isTrue(1), isMultiple: false)
            where seen.insert(try OrderedMapping.Key(key)).inserted { result.append(value) }
            return try .generator(result)
        case .dictsort: return try sortedMembers(arguments)
        case .batch: return try batches(arguments)
        case .flatten: return try .list(try flattened(value, levels: arguments[1]?.index))
        default: throw .unknown(.filter, builtin.rawValue)
        }
    }

    mutating func count(of value: Value) throws(TemplateError) -> Int {
        switch value {
        case .undefined: return 0
        case .string(let text):
            try charge(for: text)
            return text.unicodeScalars.count
        case .sequence(let items) where items.kind != .generator: return items.values.count
        case .mapping(let mapping): return mapping.count
        default: throw .type("a \(value.typeName) has no length")
        }
    }

    private mutating func joined(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        let separator = arguments[1]?.text ?? ""
        var result = ""
        for (place, element) in try elements(of: arguments.value).enumerated() {
            if place > 0 { result += separator }
            result += try text(of: try attribute(arguments[2], of: element))
            guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
        }
        return .string(result)
    }

    private mutating func sum(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        var result = arguments[2] ?? .integer(0)
        if case .string = result { throw .type("texts have no sum") }
        for element in try elements(of: arguments.value) {
            try charge()
            result = try Arithmetic.apply(.add, result, try attribute(arguments[1], of: element))
        }
        return result
    }

    private mutating func extreme(_ builtin: Builtin, _ arguments: BoundArguments) throws(TemplateError) -> Value {
        let entries = try keyed(arguments.value, by: arguments[2], isCaseSensitive: arguments.isTrue(1), isMultiple: false)
        guard var best = entries.first else { return .undefined("the sequence is empty") }
        for entry in entries.dropFirst() {
            let isBetter =
                builtin == .min
                ? try PythonComparison.isLess(entry.key, best.key, orEqual: false)
                : try PythonComparison.isLess(best.key, entry.key, orEqual: false)
            if isBetter { best = entry }
        }
        return best.value
    }

    /// The elements, each with its comparison key.
    private mutating func keyed(
        _ value: Value, by attribute: Value?, isCaseSensitive: Bool, isMultiple: Bool
    ) throws(TemplateError) -> [(key: Value, value: Value)] {
        var names: [Value?] = [attribute]
        if isMultiple, case .string(let text)? = attribute, text.contains(",") {
            names = text.split(separator: ",", omittingEmptySubsequences: false).map { .string(String($0)) }
        }
        var entries: [(key: Value, value: Value)] = []
        for element in try elements(of: value) {
            try charge()
            var keys: [Value] = []
            for name in names {
                var key = try self.attribute(name, of: element)
                if !isCaseSensitive, case .string(let text) = key { key = .string(text.lowercased()) }
                keys.append(key)
            }
            entries.append((isMultiple && attribute != nil ? try .list(keys) : keys[0], element))
        }
        return entries
    }

    /// The attribute `a.b.0` of a value; the value itself without a name.
    mutating func attribute(_ name: Value?, of value: Value) throws(TemplateError) -> Value {
        switch name {
        case nil, .null?: return value
        case .integer(let place)?: return try item(.integer(place), of: value)
        case .string(let path)?:
            var result = value
            for part in path.split(separator: ".", omittingEmptySubsequences: false).prefix(TemplateLimits.depth) {
                try charge()
                let isNumber = !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                result = try item(isNumber ? .integer(Int(part) ?? Int.max) : .string(String(part)), of: result)
            }
            return result
        case let name?: throw .type("an attribute is named by a text, and not by a \(name.typeName)")
        }
    }

    private mutating func sortedMembers(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        guard case .mapping(let mapping) = try arguments.value.defined() else {
            throw .type("a \(arguments.value.typeName) has no members")
        }
        let isByValue = arguments[2]?.text == "value"
        var entries: [(key: Value, value: Value)] = []
        for (place, pair) in try mapping.pairs().enumerated() {
            var key = isByValue ? mapping.values[place] : mapping.keys[place]
            if !arguments.isTrue(1), case .string(let text) = key { key = .string(text.lowercased()) }
            entries.append((key, pair))
        }
        return try .list(try PythonComparison.sorted(entries, isReversed: arguments.isTrue(3)))
    }

    private mutating func batches(_ arguments: BoundArguments) throws(TemplateError) -> Value {
        guard let size = arguments[1]?.index, size > 0, size <= TemplateLimits.elements else { throw .value("batch takes a size") }
        var result: [Value] = []
        let values = try elements(of: arguments.value)
        for start in stride(from: 0, to: values.count, by: size) {
            var batch = Array(values[start..<min(start + size, values.count)])
            if let fill = arguments[2], !fill.isNull { batch += Array(repeating: fill, count: size - batch.count) }
            result.append(try .list(batch))
        }
        return try .generator(result)
    }

    private mutating func flattened(_ value: Value, levels: Int?) throws(TemplateError) -> [Value] {
        if case .string = value { throw .type("flatten takes a list") }
        var result: [Value] = []
        for element in try elements(of: value) {
            try charge()
            switch element {
            case .sequence, .mapping, .undefined:
                if let levels, levels < 1 {
                    result.append(element)
                } else {
                    result += try flattened(element, levels: levels.map { $0 - 1 })
                }
            default: result.append(element)
            }
        }
        return result
    }

    // MARK: Filters that apply a filter or a test to each element

    mutating func callOnEach(
        _ builtin: Builtin, _ positional: [Value], _ keywords: [(name: String, value: Value)]
    ) throws(TemplateError) -> Value {
        guard let list = positional.first else { throw .type("\(builtin.rawValue) needs a list") }
        let rest = Array(positional.dropFirst())
        var result: [Value] = []
        switch builtin {
        case .map:
            guard list.isTrue else { return try .generator([]) }
            let transform = try transform(rest, keywords)
            for element in try elements(of: list) {
                try charge()
                result.append(try transform(&self, element))
            }
        case .select, .reject, .selectattr, .rejectattr:
            guard list.isTrue else { return try .generator([]) }
            let isByAttribute = builtin == .selectattr || builtin == .rejectattr
            guard !isByAttribute || !rest.isEmpty else { throw .type("\(builtin.rawValue) needs an attribute") }
            let name = isByAttribute ? rest[0] : nil
            var test: BuiltinTest?
            let others = Array(rest.dropFirst(isByAttribute ? 1 : 0))
            if let first = others.first { test = try Self.test(named: first) }
            let isKept = builtin == .select || builtin == .selectattr
            for element in try elements(of: list) {
                try charge()
                let operand = try attribute(name, of: element)
                let isTrue =
                    try test.map { (test) throws(TemplateError) in
                        try holds(test, operand, Array(others.dropFirst()) + keywords.map(\.value))
                    } ?? operand.isTrue
                if isTrue == isKept { result.append(element) }
            }
        default: throw .unknown(.filter, builtin.rawValue)
        }
        return try .generator(result)
    }

    private typealias Transform = (inout Renderer, Value) throws(TemplateError) -> Value

    private func transform(_ rest: [Value], _ keywords: [(name: String, value: Value)]) throws(TemplateError) -> Transform {
        guard let first = rest.first else {
            guard let name = keywords.first(where: { $0.name == "attribute" })?.value else { throw .type("map needs a filter") }
            let standard = keywords.first { $0.name == "default" }?.value
            return { (renderer, element) throws(TemplateError) in
                let member = try renderer.attribute(name, of: element)
                guard member.isUndefined, let standard, !standard.isNull else { return member }
                return standard
            }
        }
        guard case .string(let name) = first else { throw .type("a filter is named by a text") }
        guard let filter = Builtin.filters[name] else {
            throw UnsupportedEntityAccess.filters.contains(name) ? .otherEntity(name) : .unknown(.filter, name)
        }
        let others = Array(rest.dropFirst())
        return { (renderer, element) throws(TemplateError) in try renderer.call(filter, [element] + others, keywords) }
    }

    private static func test(named value: Value) throws(TemplateError) -> BuiltinTest {
        guard case .string(let name) = value else { throw .type("a test is named by a text") }
        guard let test = BuiltinTest.named(name) else {
            throw UnsupportedEntityAccess.tests.contains(name) ? .otherEntity(name) : .unknown(.test, name)
        }
        return test
    }
}

extension Value {
    var isNull: Bool {
        if case .null = self { true } else { false }
    }
}
