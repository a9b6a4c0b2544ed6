import CardeaModel

extension Value {
    /// The value of JSON. Its objects have no order, so their members are sorted; a whole number is an integer.
    init(_ json: JSONValue) throws(TemplateError) {
        switch json {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = Int(exactly: number).map(Value.integer) ?? .float(number)
        case .string(let text): self = .string(text)
        case .array(let elements):
            var values: [Value] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try Value(element)) }
            self = try .list(values)
        case .object(let members):
            var mapping = Mapping()
            for (name, member) in members.sorted(by: { $0.key < $1.key }) { try mapping.set(Value(member), of: .string(name)) }
            self = .mapping(mapping)
        }
    }
}
