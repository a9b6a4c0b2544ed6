import CardeaModel
import CardeaTestSupport

/// Makes instances of a schema: with all optional members, or only with the required ones. Where there is a choice of values or shapes,
/// each `turn` takes another.
struct SchemaInstanceGenerator {
    let document: JSONValue
    var isFull = true
    var counter = 0
    /// The references that led here, nested.
    private var path: [String] = []

    init(document: JSONValue, isFull: Bool = true, turn: Int = 0) {
        self.document = document
        self.isFull = isFull
        self.counter = turn
    }

    func generate(_ schema: JSONValue) -> JSONValue {
        if let reference = schema["$ref"]?.string {
            var within = self
            // A recursive schema takes the next shape each time, so that it ends with one that contains no other.
            if path.contains(reference) { within.counter += 1 }
            within.path.append(reference)
            return document.at(reference).map(within.generate) ?? .null
        }
        if let constant = schema["const"] { return constant }
        if let words = schema["enum"]?.elements, !words.isEmpty { return words[counter % words.count] }
        if let parts = schema["allOf"]?.elements { return merged(parts) }
        if let shapes = schema["anyOf"]?.elements, !shapes.isEmpty {
            let some = shapes.filter { $0["type"] != "null" }
            // A nullable value is null in a minimal instance.
            return some.isEmpty || (some.count < shapes.count && !isFull) ? .null : generate(some[counter % some.count])
        }
        let types = (schema["type"]?.elements ?? schema["type"].map { [$0] } ?? []).compactMap(\.string)
        if types == ["null"] || (types.contains("null") && !isFull) { return .null }
        switch types.first(where: { $0 != "null" }) {
        case "string": return schema["examples"]?.elements?.first ?? .string("text")
        case "integer": return .number(schema["minimum"]?.number ?? 3)
        case "number": return .number(schema["minimum"]?.number ?? 2.5)
        case "boolean": return .bool(counter % 2 == 0)
        case "array":
            let least = schema["minItems"]?.number ?? 0
            return isFull || least > 0 ? .array([schema["items"].map(generate) ?? "anything"]) : []
        case "object": return object(schema)
        default: return "anything"
        }
    }

    private func merged(_ parts: [JSONValue]) -> JSONValue {
        .object(parts.reduce(into: [:]) { $0.merge(generate($1).members) { _, later in later } })
    }

    private func object(_ schema: JSONValue) -> JSONValue {
        let named = schema["properties"]?.members ?? [:]
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.string))
        var members = named.filter { isFull || required.contains($0.key) }.mapValues(generate)
        if isFull, let other = schema["additionalProperties"], other != false { members["something"] = generate(other) }
        return .object(members)
    }
}
