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
            var mapping = OrderedMapping()
            for (name, member) in members.sorted(by: { $0.key < $1.key }) { try mapping.set(Value(member), named: name) }
            self = .mapping(mapping)
        }
    }
}

extension Value {
    /// Reads JSON text as Home Assistant's library does: integers and floats are apart, and members keep their order.
    ///
    /// Nil when the bytes are no JSON, nested too deeply, or more than a value holds.
    static func read(_ bytes: some Collection<UInt8>) -> Value? { JSONReader<Builder>.read(Array(bytes)) }

    private enum Builder: JSONBuilder {
        static let depthLimit = TemplateLimits.depth
        static let null = Value.null
        static let noMembers = OrderedMapping()

        static func bool(_ bool: Bool) -> Value { .bool(bool) }
        static func string(_ string: String) -> Value { .string(string) }
        static func list(_ elements: [Value]) -> Value? { try? .list(elements) }
        static func object(_ members: OrderedMapping) -> Value { .mapping(members) }

        /// An integer beyond the range of `Int` becomes a float.
        static func number(_ number: JSONNumber) -> Value? {
            switch number {
            case .short(let magnitude, let isNegative): return .integer(isNegative ? -magnitude : magnitude)
            case .text(let text, let isWhole):
                if isWhole, let integer = Int(text) { return .integer(integer) }
                return number.double.map(Value.float)
            }
        }

        /// Of two members of one name the last counts, in the place of the first.
        static func add(_ value: Value, named name: String, to members: inout OrderedMapping) -> Bool {
            do { try members.set(value, named: name) } catch { return false }
            return true
        }
    }
}
