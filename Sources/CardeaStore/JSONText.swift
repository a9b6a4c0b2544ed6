import CardeaModel
import Foundation

/// JSON in a text column. Writing is on the path of every door command, so it is done here, without an encoder's detours.
public enum JSONText {
    public static func encode(_ value: JSONValue) throws -> String {
        var text = ""
        try write(value, to: &text)
        return text
    }

    public static func decode(_ text: String) throws -> JSONValue {
        if text == "{}" { return .object([:]) }
        return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    public static func object(_ text: String) throws -> [String: JSONValue] {
        if case .object(let members) = try decode(text) { members } else { [:] }
    }

    /// A number that JSON cannot say.
    struct NotFinite: Error {}

    private static func write(_ value: JSONValue, to text: inout String) throws {
        switch value {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .number(let number):
            guard number.isFinite else { throw NotFinite() }
            if let whole = Int64(exactly: number) { text += String(whole) } else { text += String(number) }
        case .string(let string): write(string, to: &text)
        case .array(let array):
            text += "["
            for (index, element) in array.enumerated() {
                if index > 0 { text += "," }
                try write(element, to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            // Sorted, so that equal values are equal texts.
            for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { text += "," }
                write(member.key, to: &text)
                text += ":"
                try write(member.value, to: &text)
            }
            text += "}"
        }
    }

    /// RFC 8259, section 7: quotation mark, reverse solidus and the control characters are escaped, all else stands as it is.
    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
