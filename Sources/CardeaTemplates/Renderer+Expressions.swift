import CardeaModel

extension Renderer {
    mutating func evaluate(_ expression: Expression) throws(TemplateError) -> Value {
        try charge()
        switch expression.kind {
        case .constant(let value): return value
        case .name(let name): return try resolveName(name)
        case .path(let name, let steps): return try follow(name, steps)
        case .attribute(let base, let name):
            // A separate statement: otherwise the renderer is copied before `base` changes it.
            let value = try evaluate(base)
            return try attribute(name, of: value)
        case .item(let base, let key):
            let container = try evaluate(base)
            return try item(try evaluate(key), of: container)
        case .slice(let base, let start, let end, let step):
            let container = try evaluate(base)
            return try slice(container, try bound(start), try bound(end), try bound(step))
        case .call(let callee, let arguments): return try call(callee, arguments)
        case .filter(let value, let builtin, let arguments):
            var positional = [try evaluate(value)]
            for argument in arguments.positional { positional.append(try evaluate(argument)) }
            return try call(builtin, positional, try keywords(arguments))
        case .test(let value, let test, let arguments):
            let value = try evaluate(value)
            var values: [Value] = []
            for argument in arguments.positional { values.append(try evaluate(argument)) }
            for argument in arguments.keywords { values.append(try evaluate(argument.value)) }
            return .bool(try holds(test, value, values))
        case .list(let elements): return try .list(try evaluate(elements))
        case .tuple(let elements): return try .tuple(try evaluate(elements))
        case .dictionary(let members):
            var mapping = OrderedMapping()
            for (key, value) in members {
                let key = try evaluate(key)
                try mapping.set(try evaluate(value), of: key)
            }
            return .mapping(mapping)
        case .conditional(let test, let then, let otherwise):
            if try evaluate(test).isTrue { return try evaluate(then) }
            guard let otherwise else { return .undefined("an inline if without else was false") }
            return try evaluate(otherwise)
        case .failure(let error): throw error
        default: return try evaluateOperation(expression)
        }
    }

    private mutating func evaluateOperation(_ expression: Expression) throws(TemplateError) -> Value {
        switch expression.kind {
        case .all(let parts):
            var value = Value.bool(true)
            for part in parts {
                value = try evaluate(part)
                if !value.isTrue { break }
            }
            return value
        case .any(let parts):
            var value = Value.bool(false)
            for part in parts {
                value = try evaluate(part)
                if value.isTrue { break }
            }
            return value
        case .not(let inner): return .bool(try !evaluate(inner).isTrue)
        case .negative(let inner): return try Arithmetic.negative(try evaluate(inner))
        case .positive(let inner): return try Arithmetic.positive(try evaluate(inner))
        case .arithmetic(let operation, let left, let right):
            let left = try evaluate(left)
            let right = try evaluate(right)
            let result = try Arithmetic.apply(operation, left, right)
            try charge(forSize: result)
            return result
        case .comparison(let first, let others):
            var left = try evaluate(first)
            for (comparison, operand) in others {
                let right = try evaluate(operand)
                try charge(forSize: left)
                try charge(forSize: right)
                guard try PythonComparison.holds(comparison, left, right) else { return .bool(false) }
                left = right
            }
            return .bool(true)
        case .concatenation(let parts):
            var result = ""
            for part in parts {
                result += try text(of: try evaluate(part))
                guard result.utf8.count <= TemplateLimits.text else { throw .limit(.text) }
            }
            try charge(for: result)
            return .string(result)
        default: throw .type("an expression is not understood")
        }
    }

    /// Pays for a long text or list.
    mutating func charge(forSize value: Value) throws(TemplateError) {
        switch value {
        case .string(let text): try charge(for: text)
        case .sequence(let items): try charge(items.values.count / 16)
        case .mapping(let mapping): try charge(mapping.count / 16)
        default: break
        }
    }

    private mutating func evaluate(_ expressions: [Expression]) throws(TemplateError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(expressions.count)
        for expression in expressions { values.append(try evaluate(expression)) }
        return values
    }

    private mutating func keywords(_ arguments: Expression.Arguments) throws(TemplateError) -> [(name: String, value: Value)] {
        guard !arguments.keywords.isEmpty else { return [] }
        var keywords: [(name: String, value: Value)] = []
        for (name, value) in arguments.keywords { keywords.append((name, try evaluate(value))) }
        return keywords
    }

    private mutating func call(_ callee: Expression, _ arguments: Expression.Arguments) throws(TemplateError) -> Value {
        let target = try evaluate(callee)
        let positional = try evaluate(arguments.positional)
        let keywords = try keywords(arguments)
        switch target {
        case .function(let builtin): return try call(builtin, positional, keywords)
        case .method(let method): return try call(method, positional, keywords)
        case .undefined(let reason): throw .undefined(reason)
        default: throw .type("a \(target.typeName) cannot be called")
        }
    }

    /// The elements that Python iterates over.
    mutating func elements(of value: Value) throws(TemplateError) -> [Value] {
        switch value {
        case .undefined: return []
        case .sequence(let items):
            try charge(items.values.count / 16)
            return items.values
        case .mapping(let mapping):
            try charge(mapping.count / 16)
            return mapping.keys
        case .string(let text):
            try charge(for: text)
            guard text.utf8.count <= TemplateLimits.elements else { throw .limit(.text) }
            return text.unicodeScalars.map { .string(String($0)) }
        default: throw .type("a \(value.typeName) has no elements")
        }
    }

    // MARK: Members

    func attribute(_ name: String, of value: Value) throws(TemplateError) -> Value {
        switch value {
        case .undefined(let reason): throw .undefined(reason)
        case .namespace(let place): return member(name, ofNamespace: place) ?? missing(name, of: value)
        case .loop(let loop): return loop.attribute(name) ?? missing(name, of: value)
        case .moment(let moment): if let part = moment.attribute(name) { return part }
        case .interval(let interval): if let part = interval.attribute(name) { return part }
        default: break
        }
        if PythonMethods.has(name, on: value) { return .method(Value.Method(name, of: value)) }
        if case .mapping(let mapping) = value {
            // Methods that change a dictionary are refused, and hide a member of the same name.
            guard !PythonMethods.mappingNames.contains(name) else { return missing(name, of: value) }
            if let member = mapping[name] { return member }
        }
        return missing(name, of: value)
    }

    private func missing(_ name: String, of value: Value) -> Value {
        .undefined("'\(value.typeName) object' has no attribute '\(name)'")
    }

    mutating func item(_ key: Value, of value: Value) throws(TemplateError) -> Value {
        switch value {
        case .undefined(let reason): throw .undefined(reason)
        case .mapping(let mapping):
            if let hashed = try? OrderedMapping.Key(key), let member = try mapping.value(of: hashed) { return member }
        case .sequence(let items):
            if let index = key.index, items.kind == .list || items.kind == .tuple || items.kind == .range {
                let place = index < 0 ? index + items.values.count : index
                if items.values.indices.contains(place) { return items.values[place] }
                return .undefined("there is no element \(index)")
            }
        case .string(let text):
            if let index = key.index {
                try charge(for: text)
                let scalars = text.unicodeScalars
                let place = index < 0 ? index + scalars.count : index
                guard place >= 0, place < scalars.count else { return .undefined("there is no character \(index)") }
                return .string(String(scalars[scalars.index(scalars.startIndex, offsetBy: place)]))
            }
        default: break
        }
        guard case .string(let name) = key else { return missing(key.text, of: value) }
        return try attribute(name, of: value)
    }

    private mutating func bound(_ expression: Expression?) throws(TemplateError) -> Int? {
        guard let expression else { return nil }
        let value = try evaluate(expression)
        if case .null = value { return nil }
        guard let index = value.index else { throw .type("a slice needs integers, and not a \(value.typeName)") }
        return index
    }

    private mutating func slice(_ value: Value, _ start: Int?, _ end: Int?, _ step: Int?) throws(TemplateError) -> Value {
        switch try value.defined() {
        case .string(let text):
            try charge(for: text)
            let scalars = Array(text.unicodeScalars)
            var result = String.UnicodeScalarView()
            for place in try Self.places(scalars.count, start, end, step) { result.append(scalars[place]) }
            return .string(String(result))
        case .sequence(let items) where items.kind == .list || items.kind == .tuple || items.kind == .range:
            try charge(items.values.count / 16)
            return .sequence(try Value.Items(items.kind, try Self.places(items.values.count, start, end, step).map { items.values[$0] }))
        default: throw .type("a \(value.typeName) has no slices")
        }
    }

    private static func places(_ count: Int, _ start: Int?, _ end: Int?, _ step: Int?) throws(TemplateError) -> StrideTo<Int> {
        let step = min(max(step ?? 1, -count - 1), count + 1)
        guard step != 0 else { throw .value("the step of a slice is zero") }
        let (low, high) = step > 0 ? (0, count) : (-1, count - 1)
        func clamped(_ bound: Int?, _ standard: Int) -> Int {
            guard let bound else { return standard }
            let place = bound < 0 ? max(bound, -count - 1) + count : bound
            return min(max(place, low), high)
        }
        let first = clamped(start, step > 0 ? low : high)
        return stride(from: first, to: clamped(end, step > 0 ? high : low), by: step)
    }
}

extension Value.LoopState {
    func attribute(_ name: String) -> Value? {
        switch name {
        case "index": .integer(index + 1)
        case "index0": .integer(index)
        case "revindex": .integer(count - index)
        case "revindex0": .integer(count - index - 1)
        case "first": .bool(index == 0)
        case "last": .bool(index == count - 1)
        case "length": .integer(count)
        case "depth": .integer(depth)
        case "depth0": .integer(depth - 1)
        case "previtem": previous
        case "nextitem": following
        case "cycle": .method(Value.Method(name, of: .loop(self)))
        default: nil
        }
    }
}
