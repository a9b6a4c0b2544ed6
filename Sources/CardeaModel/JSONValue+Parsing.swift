import Foundation

extension JSONValue {
    /// The deepest nesting that is read, because parsing recurses.
    public static let depthLimit = 32

    /// Reads JSON that strangers send; nil when it is none, or nested too deeply.
    public static func read(_ bytes: [UInt8]) -> JSONValue? {
        if let value = JSONReader<Builder>.read(bytes) { return value }
        // The decoder handles what the reader leaves open, such as duplicate members.
        guard isShallow(bytes) else { return nil }
        return try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }

    /// Looked at before it is parsed.
    private static func isShallow(_ bytes: [UInt8]) -> Bool {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in bytes {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth > depthLimit { return false }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return true
    }
}

extension JSONValue {
    /// Makes `JSONValue`s. An object with two members of one name is left to a decoder.
    private enum Builder: JSONBuilder {
        static let depthLimit = JSONValue.depthLimit
        static let null = JSONValue.null
        static let noMembers: [String: JSONValue] = [:]

        static func bool(_ bool: Bool) -> JSONValue { .bool(bool) }
        static func string(_ string: String) -> JSONValue { .string(string) }
        static func number(_ number: JSONNumber) -> JSONValue? { number.double.map(JSONValue.number) }
        static func list(_ elements: [JSONValue]) -> JSONValue? { .array(elements) }
        static func object(_ members: [String: JSONValue]) -> JSONValue { .object(members) }

        static func add(_ value: JSONValue, named name: String, to members: inout [String: JSONValue]) -> Bool {
            members.updateValue(value, forKey: name) == nil
        }
    }
}
