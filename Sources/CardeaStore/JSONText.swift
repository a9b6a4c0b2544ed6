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

    /// Decodes an object. The empty text, which is how a sealed value that cannot be decrypted reads, gives an empty object.
    public static func object(_ text: String) throws -> [String: JSONValue] {
        if text.isEmpty { return [:] }
        guard case .object(let members) = try decode(text) else { return [:] }
        return members
    }
}
