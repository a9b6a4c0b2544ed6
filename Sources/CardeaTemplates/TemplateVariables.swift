import CardeaModel

/// The variables of one rendering.
public struct TemplateVariables: Sendable {
    private enum Content: Sendable {
        case json(JSONValue)
        /// Read from JSON text.
        case read(Value)
    }

    /// A few, which are found faster one by one than by their hashes.
    private var variables: [(name: String, content: Content)] = []

    public init(_ variables: [String: JSONValue] = [:]) {
        for (name, value) in variables { self.variables.append((name, .json(value))) }
    }

    /// Nil also for a variable that was read from JSON text.
    public subscript(name: String) -> JSONValue? {
        get { json(of: name) }
        set { set(newValue.map(Content.json), named: name) }
    }

    /// Reads JSON text as Home Assistant does: `21.0` stays `21.0`, and members keep their order. False when `text` is no JSON:
    /// then the variable is not set.
    public mutating func read(json text: some Collection<UInt8>, as name: String) -> Bool {
        guard let value = Value.read(text) else { return false }
        set(.read(value), named: name)
        return true
    }

    func value(of name: String) throws(TemplateError) -> Value? {
        switch content(of: name) {
        case .read(let value)?: value
        case .json(let value)?: try Value(value)
        case nil: nil
        }
    }

    /// The JSON of a variable, to follow a path in it without converting it.
    func json(of name: String) -> JSONValue? {
        if case .json(let value)? = content(of: name) { value } else { nil }
    }

    private func content(of name: String) -> Content? {
        for variable in variables where variable.name == name { return variable.content }
        return nil
    }

    private mutating func set(_ content: Content?, named name: String) {
        variables.removeAll { $0.name == name }
        if let content { variables.append((name, content)) }
    }
}
