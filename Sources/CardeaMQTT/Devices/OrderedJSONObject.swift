import CardeaModel
import CardeaTemplates

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
