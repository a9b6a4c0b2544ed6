import CardeaModel

/// A JSON Schema (2020-12) of a value on the wire. OpenAPI 3.1 and AsyncAPI 3.0 both use it.
public struct Schema: Sendable {
    public private(set) var keywords: [String: JSONValue]
    /// The types it refers to by name.
    public private(set) var references: [any SchemaRepresentable.Type] = []

    public init(_ keywords: [String: JSONValue] = [:]) {
        self.keywords = keywords
    }

    private init(_ keywords: [String: JSONValue], of parts: [Schema]) {
        self.keywords = keywords
        references = parts.flatMap(\.references)
    }

    public var json: JSONValue { .object(keywords) }
}

/// A body or an answer that describes its JSON form.
public protocol SchemaRepresentable: Sendable {
    static var schema: Schema { get }
    /// The name in the published documents: the type's own, unless a published type was renamed in Swift.
    static var schemaName: String { get }
    /// One that could have been sent.
    static var example: JSONValue? { get }
}

extension SchemaRepresentable {
    public static var schemaName: String { String(describing: self) }
    public static var example: JSONValue? { nil }
}

// MARK: Values

extension Schema {
    public static let anything = Schema()
    public static let boolean = Schema(["type": "boolean"])

    public static func text(_ length: ClosedRange<Int>? = nil, example: String? = nil) -> Schema {
        var schema = Schema(["type": "string"])
        if let length {
            schema.keywords["minLength"] = .number(Double(length.lowerBound))
            schema.keywords["maxLength"] = .number(Double(length.upperBound))
        }
        if let example { schema.keywords["examples"] = [.string(example)] }
        return schema
    }

    public static func text(matching pattern: String, example: String) -> Schema {
        Schema(["type": "string", "pattern": .string(pattern), "examples": [.string(example)]])
    }

    public static func integer(_ range: ClosedRange<Int>? = nil) -> Schema {
        Schema(["type": "integer"]).bounded(range.map { Double($0.lowerBound)...Double($0.upperBound) })
    }

    /// A whole number with no upper end.
    public static func integer(from least: Int) -> Schema {
        Schema(["type": "integer", "minimum": .number(Double(least))])
    }

    public static func number(_ range: ClosedRange<Double>? = nil) -> Schema {
        Schema(["type": "number"]).bounded(range)
    }

    private func bounded(_ range: ClosedRange<Double>?) -> Schema {
        guard let range else { return self }
        var schema = self
        schema.keywords["minimum"] = .number(range.lowerBound)
        schema.keywords["maximum"] = .number(range.upperBound)
        return schema
    }

    /// One of some words.
    public static func enumeration(_ words: [String]) -> Schema {
        Schema(["type": "string", "enum": .array(words.map(JSONValue.string))])
    }

    /// One of the words that a type has.
    public static func enumeration<Word: CaseIterable & RawRepresentable<String>>(_: Word.Type) -> Schema {
        enumeration(Word.allCases.map(\.rawValue))
    }

    public static func constant(_ value: JSONValue) -> Schema {
        Schema(["const": value])
    }

    /// RFC 3339, in UTC with milliseconds.
    public static let time = Schema(["type": "string", "format": "date-time", "examples": ["2026-11-21T14:31:07.250Z"]])
    /// Unix seconds, as the guest family counts them.
    public static let seconds = integer().about("Unix seconds")
    public static let name = text(1...Name.limit).about("1 to 100 printable characters")
    public static let id = text()
    public static let deviceID = text(example: "front-door")
    public static let entityID = text(example: "lock.front_door")
    public static let version = integer(from: 0).about("Increases with every change; also sent as the ETag")
}

// MARK: Composites

extension Schema {
    /// A type by its name.
    public static func of(_ type: any SchemaRepresentable.Type) -> Schema {
        var schema = Schema(["$ref": .string("#/components/schemas/\(Self.name(of: type))")])
        schema.references = [type]
        return schema
    }

    public static func name(of type: any SchemaRepresentable.Type) -> String { type.schemaName }

    public static func list(of element: Schema, _ count: ClosedRange<Int>? = nil) -> Schema {
        var schema = Schema(["type": "array", "items": element.json], of: [element])
        if let count {
            schema.keywords["minItems"] = .number(Double(count.lowerBound))
            schema.keywords["maxItems"] = .number(Double(count.upperBound))
        }
        return schema
    }

    /// Any names, each with such a value.
    public static func map(of value: Schema = .anything, atMost count: Int? = nil) -> Schema {
        var schema = Schema(["type": "object", "additionalProperties": value.json], of: [value])
        if let count { schema.keywords["maxProperties"] = .number(Double(count)) }
        return schema
    }

    public static func either(_ schemas: Schema...) -> Schema {
        Schema(["anyOf": .array(schemas.map(\.json))], of: schemas)
    }

    public static func both(_ schemas: Schema...) -> Schema {
        Schema(["allOf": .array(schemas.map(\.json))], of: schemas)
    }

    /// An object that a client sends. It is closed: an unknown field is refused. Optional fields may also be null.
    public static func body(
        _ required: KeyValuePairs<String, Schema> = [:], optional: KeyValuePairs<String, Schema> = [:]
    ) -> Schema {
        var schema = object(required, optional: optional) { $0.orNull }
        schema.keywords["additionalProperties"] = false
        return schema
    }

    /// An object that the hub sends. It is open, because a newer hub may send more.
    public static func answer(
        _ always: KeyValuePairs<String, Schema> = [:], optional: KeyValuePairs<String, Schema> = [:]
    ) -> Schema {
        object(always, optional: optional) { $0 }
    }

    private static func object(
        _ required: KeyValuePairs<String, Schema>, optional: KeyValuePairs<String, Schema>, _ absent: (Schema) -> Schema
    ) -> Schema {
        let fields = required.map { ($0.key, $0.value) } + optional.map { ($0.key, absent($0.value)) }
        let properties = Dictionary(fields.map { ($0.0, $0.1.json) }) { _, last in last }
        var schema = Schema(["type": "object", "properties": .object(properties)], of: fields.map(\.1))
        if !required.isEmpty { schema.keywords["required"] = .array(required.map { .string($0.key) }) }
        return schema
    }

    /// The same object with one member more, which it must have.
    mutating func add(_ name: String, _ member: Schema) {
        var properties: [String: JSONValue] = if case .object(let known)? = keywords["properties"] { known } else { [:] }
        properties[name] = member.json
        keywords["properties"] = .object(properties)
        let required: [JSONValue] = if case .array(let known)? = keywords["required"] { known } else { [] }
        keywords["required"] = .array(required + [.string(name)])
    }

    /// The same, or null.
    public var orNull: Schema {
        let says = ["$ref", "anyOf", "allOf", "const", "enum"].contains { keywords[$0] != nil }
        guard !says, case .string(let type)? = keywords["type"] else {
            // A schema that allows any value allows null already.
            return says ? .either(self, Schema(["type": "null"])) : self
        }
        var schema = self
        schema.keywords["type"] = [.string(type), "null"]
        return schema
    }

    /// The words that the value at a path may be; empty if it may be any text.
    ///
    /// - Parameter path: names of members; nil for an element of a list.
    func enumerationValues(at path: [String?]) -> [String] {
        guard path.count <= 16 else { return [] }
        return Self.enumerationValues(at: path[...], in: json, mentioned: references)
    }

    private static func enumerationValues(at path: ArraySlice<String?>, in schema: JSONValue, mentioned: [any SchemaRepresentable.Type])
        -> [String]
    {
        if let reference = schema["$ref"]?.string {
            guard let type = mentioned.first(where: { reference.hasSuffix("/\(name(of: $0))") }) else { return [] }
            return enumerationValues(at: path, in: type.schema.json, mentioned: type.schema.references)
        }
        for keyword in ["anyOf", "allOf"] {
            guard case .array(let parts)? = schema[keyword] else { continue }
            let found = parts.lazy.map { enumerationValues(at: path, in: $0, mentioned: mentioned) }.first { !$0.isEmpty }
            if let found { return found }
        }
        guard let step = path.first else {
            guard case .array(let known)? = schema["enum"] else { return [] }
            return known.compactMap(\.string)
        }
        let next = step.map { schema["properties"]?[$0] ?? schema["additionalProperties"] } ?? schema["items"]
        return next.map { enumerationValues(at: path.dropFirst(), in: $0, mentioned: mentioned) } ?? []
    }

    /// The same, with a description.
    public func about(_ words: String) -> Schema {
        var schema = self
        schema.keywords["description"] = .string(words)
        return schema
    }

    /// The same, with an example.
    public func withExample(_ example: JSONValue?) -> Schema {
        guard let example else { return self }
        var schema = self
        schema.keywords["examples"] = [example]
        return schema
    }
}
