/// A dictionary that keeps the order of its members, as Python's does.
struct OrderedMapping: Sendable {
    private(set) var keys: [Value] = []
    private(set) var values: [Value] = []
    /// Only for many members: a few are searched faster one by one.
    private var indexes: [Key: Int] = [:]
    private(set) var height = 1

    private static let scanned = 8

    var count: Int { keys.count }

    subscript(name: String) -> Value? {
        guard count > 0 else { return nil }
        if count <= Self.scanned {
            for (place, key) in keys.enumerated() {
                if case .string(let text) = key, text == name { return values[place] }
            }
            return nil
        }
        return indexes[.string(name)].map { values[$0] }
    }

    /// Throws for a key that cannot be hashed.
    func value(of key: Key) throws(TemplateError) -> Value? {
        try index(of: key).map { values[$0] }
    }

    func value(of key: Value) throws(TemplateError) -> Value? {
        try index(of: try Key(key)).map { values[$0] }
    }

    private func index(of key: Key) throws(TemplateError) -> Int? {
        guard count <= Self.scanned else { return indexes[key] }
        for (place, other) in keys.enumerated() where try Key(other) == key { return place }
        return nil
    }

    mutating func set(_ value: Value, of key: Value) throws(TemplateError) {
        let hashed = try Key(key)
        height = max(height, 1 + Value.height(of: [key, value]))
        guard height <= TemplateLimits.depth else { throw .limit(.depth) }
        if let place = try index(of: hashed) {
            values[place] = value
            return
        }
        guard count < TemplateLimits.elements else { throw .limit(.text) }
        keys.append(key)
        values.append(value)
        if count == Self.scanned + 1 {
            for (place, key) in keys.enumerated() { indexes[try Key(key)] = place }
        } else if count > Self.scanned {
            indexes[hashed] = count - 1
        }
    }

    /// The same for a key that is text, which is faster.
    mutating func set(_ value: Value, named name: String) throws(TemplateError) {
        guard count < Self.scanned else { return try set(value, of: .string(name)) }
        height = max(height, 1 + value.height)
        guard height <= TemplateLimits.depth else { throw .limit(.depth) }
        for place in keys.indices {
            if case .string(let text) = keys[place], text == name {
                values[place] = value
                return
            }
        }
        keys.append(.string(name))
        values.append(value)
    }

    /// A key as Python compares it: 1, 1.0 and True are one.
    enum Key: Hashable, Sendable {
        case undefined
        case null
        case number(Double)
        case integer(Int)
        case string(String)
        case tuple([Key])
        case other(String)

        init(_ value: Value) throws(TemplateError) {
            switch value {
            case .undefined: self = .undefined
            case .null: self = .null
            case .bool(let bool): self = .integer(bool ? 1 : 0)
            case .integer(let number): self = .integer(number)
            case .float(let number): self = Int(exactly: number).map(Key.integer) ?? .number(number)
            case .string(let text): self = .string(text)
            case .sequence(let items) where items.kind == .tuple:
                var keys: [Key] = []
                for value in items.values { keys.append(try Key(value)) }
                self = .tuple(keys)
            case .moment(let moment): self = .other("moment \(moment.instant) \(moment.isAware)")
            case .interval(let interval): self = .other("interval \(interval.microseconds)")
            default: throw .type("a \(value.typeName) cannot be a key")
            }
        }
    }
}
