import CardeaModel

/// The variables of one rendering.
public struct TemplateVariables: Sendable {

    private var variables: [String: JSONValue]
    private var read: [String: Value] = [:]

    public init(_ variables: [String: JSONValue] = [:]) {
        self.variables = variables
    }

    public subscript(name: String) -> JSONValue? {
        get { variables[name] }
        set {
            read[name] = nil
            variables[name] = newValue
        }
    }

    /// Reads JSON text as Home Assistant does: `21.0` stays `21.0`, and members keep their order. False when `text` is no JSON:
    /// then the variable is not set.
    public mutating func read(json text: some Collection<UInt8>, as name: String) -> Bool {
        guard let value = Value.read(text) else { return false }
        variables[name] = nil
        read[name] = value
        return true
    }

    func value(of name: String) throws(TemplateError) -> Value? {
        if let value = read[name] { return value }
        guard let value = variables[name] else { return nil }
        return try Value(value)
    }

    /// The JSON of a variable, to follow a path in it without converting it.
    func json(of name: String) -> JSONValue? { variables[name] }
}
