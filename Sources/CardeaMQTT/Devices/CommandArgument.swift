import CardeaModel
import CardeaTemplates

/// A value in a command, with its type in Home Assistant: `21` and `21.0` are different messages.
enum CommandArgument: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    case float(Double)
    case text(String)

    /// The message if no template makes one.
    var text: String {
        switch self {
        case .null: "None"
        case .flag(let flag): flag ? "True" : "False"
        case .integer(let number): String(number)
        case .float(let number): PythonNumber.text(number)
        case .text(let text): text
        }
    }

    /// The argument as JSON; nil if there is none.
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
