/// A value while a template is rendered, with Python's types.
enum Value: Sendable {
    /// With the sentence that an error shows.
    case undefined(String)
    case null
    case bool(Bool)
    case integer(Int)
    case float(Double)
    case string(String)
    case sequence(Items)
    case mapping(OrderedMapping)
    case moment(DateTime)
    case interval(TimeDelta)
    /// The place of a namespace in the renderer, so that it can change.
    case namespace(Int)
    case loop(LoopState)
    case method(Method)
    case function(Builtin)

    static func list(_ values: [Value]) throws(TemplateError) -> Value { .sequence(try Items(.list, values)) }
    static func tuple(_ values: [Value]) throws(TemplateError) -> Value { .sequence(try Items(.tuple, values)) }
    static func generator(_ values: [Value]) throws(TemplateError) -> Value { .sequence(try Items(.generator, values)) }

    /// The values of a sequence, with the height of the tree below it.
    struct Items: Sendable {
        enum Kind: Hashable, Sendable {
            case list
            case tuple
            case range
            case keys
            case values
            case items
            case generator
        }

        let kind: Kind
        let values: [Value]
        let height: Int

        init(_ kind: Kind, _ values: [Value]) throws(TemplateError) {
            guard values.count <= TemplateLimits.elements else { throw .limit(.text) }
            self.kind = kind
            self.values = values
            height = 1 + Value.height(of: values)
            guard height <= TemplateLimits.depth else { throw .limit(.depth) }
        }
    }

    /// A method that was read and not called yet.
    final class Method: Sendable {
        let receiver: Value
        let name: String

        init(_ name: String, of receiver: Value) {
            self.name = name
            self.receiver = receiver
        }
    }

    /// The variable `loop`.
    final class LoopState: Sendable {
        let index: Int
        let count: Int
        let depth: Int
        let previous: Value
        let following: Value

        init(index: Int, count: Int, depth: Int, previous: Value, following: Value) {
            self.index = index
            self.count = count
            self.depth = depth
            self.previous = previous
            self.following = following
        }
    }

    static func height(of values: [Value]) -> Int {
        var result = 0
        for value in values { result = max(result, value.height) }
        return result
    }

    var height: Int {
        switch self {
        case .sequence(let items): items.height
        case .mapping(let mapping): mapping.height
        default: 0
        }
    }

    /// The name of the type, as Python has it.
    var typeName: String {
        switch self {
        case .undefined: "LoggingUndefined"
        case .null: "NoneType"
        case .bool: "bool"
        case .integer: "int"
        case .float: "float"
        case .string: "str"
        case .sequence(let items):
            switch items.kind {
            case .list: "list"
            case .tuple: "tuple"
            case .range: "range"
            case .keys: "dict_keys"
            case .values: "dict_values"
            case .items: "dict_items"
            case .generator: "generator"
            }
        case .mapping: "dict"
        case .moment: "datetime"
        case .interval: "timedelta"
        case .namespace: "Namespace"
        case .loop: "LoopContext"
        case .method: "builtin_function_or_method"
        case .function: "function"
        }
    }

    var isTrue: Bool {
        switch self {
        case .undefined, .null: false
        case .bool(let bool): bool
        case .integer(let number): number != 0
        case .float(let number): number != 0
        case .string(let text): !text.isEmpty
        case .sequence(let items): items.kind == .generator || !items.values.isEmpty
        case .mapping(let mapping): mapping.count > 0
        case .interval(let interval): interval.microseconds != 0
        case .loop(let loop): loop.count > 0
        case .moment, .namespace, .method, .function: true
        }
    }

    var isUndefined: Bool {
        if case .undefined = self { true } else { false }
    }

    /// The sentence of an undefined value, as an error.
    func defined() throws(TemplateError) -> Value {
        if case .undefined(let reason) = self { throw .undefined(reason) }
        return self
    }

    /// The integer of an integer or a truth value.
    var index: Int? {
        switch self {
        case .bool(let bool): bool ? 1 : 0
        case .integer(let number): number
        default: nil
        }
    }

    /// The number of a number or a truth value.
    var number: Double? {
        switch self {
        case .bool(let bool): bool ? 1 : 0
        case .integer(let number): Double(number)
        case .float(let number): number
        default: nil
        }
    }

    /// The result of Python's `float` for the value; nil for an invalid number.
    func asFloat() throws(TemplateError) -> Double? {
        switch self {
        case .undefined(let reason): throw .undefined(reason)
        case .string(let text): NumberText.float(text)
        default: number
        }
    }
}
