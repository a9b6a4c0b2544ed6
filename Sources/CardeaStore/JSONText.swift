import CardeaModel
import Foundation

/// JSON in a text column, in its canonical form. Reading and writing are on the path of every door command, so they go without the detours
/// of decoder and encoder.
public enum JSONText {
    public static func encode(_ value: JSONValue) throws -> String {
        try CanonicalJSON.encode(value)
    }

    public static func decode(_ text: String) throws -> JSONValue {
        if text == "{}" { return .object([:]) }
        if let value = JSONValue.read(Array(text.utf8)) { return value }
        return try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    /// What was sealed and does not open reads as the empty text, and is an object with nothing in it.
    public static func object(_ text: String) throws -> [String: JSONValue] {
        if text.isEmpty { return [:] }
        guard case .object(let members) = try decode(text) else { return [:] }
        return members
    }
}
