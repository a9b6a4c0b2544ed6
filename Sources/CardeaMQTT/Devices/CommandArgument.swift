import CardeaModel
import CardeaTemplates

/// A value in a command, with its type in Home Assistant: `21` and `21.0` are different messages.
enum CommandArgument: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    case float(Double)
    case text(String)

    /// The message where no template makes one.
    var text: String {
        switch self {
        case .null: "None"
        case .flag(let flag): flag ? "True" : "False"
        case .integer(let number): String(number)
        case .float(let number): PythonNumber.text(number)
        case .text(let text): text
        }
    }

    /// The argument as JSON; nil where there is none.
    var json: String? {
        switch self {
        case .null: "null"
        case .flag(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .float(let number): number.isFinite ? PythonNumber.text(number) : nil
        case .text(let text): OrderedJSONObject.quoted(text)
        }
    }
}

extension TemplateVariables {
    /// Sets a variable, so that a template sees `21.0` where the argument is a float.
    mutating func set(_ name: String, to argument: CommandArgument) {
        switch argument {
        case .null: self[name] = .null
        case .flag(let flag): self[name] = .bool(flag)
        case .integer(let number): self[name] = .number(Double(number))
        case .float(let number): if !read(json: Array(PythonNumber.text(number).utf8), as: name) { self[name] = .number(number) }
        case .text(let text): self[name] = .string(text)
        }
    }
}

/// A JSON message whose members keep their order, without white space.
struct OrderedJSONObject: Sendable {
    typealias Members = [(name: String, argument: CommandArgument)]

    private var members: [(name: String, text: String)] = []

    /// Adds a member. An argument that cannot be written is left out.
    mutating func add(_ name: String, _ argument: CommandArgument) {
        if let text = argument.json { members.append((name, text)) }
    }

    mutating func add(_ name: String, _ object: OrderedJSONObject) { members.append((name, object.text)) }

    var text: String {
        "{" + members.map { "\(Self.quoted($0.name)):\($0.text)" }.joined(separator: ",") + "}"
    }

    /// A JSON string: only what must be escaped is.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\u{8}": quoted += "\\b"
            case "\u{C}": quoted += "\\f"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
