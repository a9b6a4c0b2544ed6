import CardeaModel

/// The attributes that an announcement gives an entity.
struct StaticAttributes: Hashable, Sendable {
    private(set) var values: [String: JSONValue] = [:]

    /// The names of all such attributes. One that an announcement no longer has is removed at the entity's next report.
    private static let names = EntityState.describing

    init(_ values: [String: JSONValue?] = [:]) {
        self.values = values.compactMapValues(\.self)
    }

    func apply(to attributes: inout [String: JSONValue]) {
        if attributes == values { return }
        for name in Self.names { attributes[name] = values[name] }
    }

    /// A list of texts; nil for none.
    static func list(_ texts: [String]) -> JSONValue? {
        guard !texts.isEmpty else { return .none }
        return .array(texts.map(JSONValue.string))
    }
}
