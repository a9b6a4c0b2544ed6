import CardeaModel
import Foundation

/// The rules for reading and writing the wire format: snake_case out, both cases in, RFC 3339 UTC with milliseconds, unknown fields
/// refused.
public enum WireFormat {
    /// The protocol's version; docs/protocol.md keeps its dated history.
    public static let version = 1

    /// A body that lists its fields, so that one it does not know can be refused.
    public protocol Body: Decodable {
        associatedtype CodingKeys: CodingKey, CaseIterable
    }

    /// A body on a path where it must be read soon.
    public protocol FastDecodableBody: Body {
        /// Nil for invalid fields: then the whole decoder reports the error.
        init?(plain fields: [String: JSONValue])
    }

    /// The reason why a body cannot be read, with the remedy.
    public enum BodyError: Error, Hashable {
        case notJSON
        case notAnObject
        case unknownField(String)
        case field(String, String)
    }

    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        return encoder
    }

    /// Reads what people and their programs send: both cases.
    public static func decoder() -> JSONDecoder {
        let decoder = answerDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            AnyCodingKey(stringValue: SnakeCase.convert(path.last?.stringValue ?? ""))
        }
        return decoder
    }

    /// Reads a hub's answers, which are always snake_case.
    private static func answerDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try? decoder.singleValueContainer().decode(String.self)
            guard let date = text.flatMap(Timestamp.date) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "must be a time such as 2026-11-21T14:31:07Z"))
            }
            return date
        }
        return decoder
    }

    public static func encode(_ value: some Encodable) throws -> Data {
        switch value {
        case let text as any DirectJSONEncodable: Data(try text.jsonText.utf8)
        case let tree as JSONValue: Data(try CanonicalJSON.encode(tree).utf8)
        default: try encoder().encode(value)
        }
    }

    /// Reads an answer of the hub. A field that a newer hub adds is no harm here.
    public static func read<Answer: Decodable>(_: Answer.Type, from data: Data) throws -> Answer {
        try answerDecoder().decode(Answer.self, from: data)
    }

    public static func readBody<Request: FastDecodableBody>(_: Request.Type, from data: Data) throws(BodyError) -> Request {
        if case .object(let fields)? = JSONValue.read([UInt8](data)), let request = Request(plain: fields) { return request }
        return try decodeBody(Request.self, from: data)
    }

    public static func readBody<Request: Body>(_: Request.Type, from data: Data) throws(BodyError) -> Request {
        try decodeBody(Request.self, from: data)
    }

    /// Reads a request strictly: unknown fields are refused.
    private static func decodeBody<Request: Body>(_: Request.Type, from data: Data) throws(BodyError) -> Request {
        let read: ClosedBody<Request>
        do {
            read = try decoder().decode(ClosedBody<Request>.self, from: data)
        } catch DecodingError.typeMismatch {
            throw .notAnObject
        } catch {
            throw (try? JSONDecoder().decode(JSONValue.self, from: data)) == nil ? .notJSON : .notAnObject
        }
        if let stranger = read.unknownField { throw .unknownField(String(stranger.prefix(64))) }
        do {
            return try read.request.get()
        } catch let error as DecodingError {
            // If another type was wanted, the text has not been checked yet.
            throw (try? JSONDecoder().decode(JSONValue.self, from: data)) == nil
                ? .notJSON : BodyError(error, in: Request.self as? any SchemaRepresentable.Type)
        } catch {
            // Texts and numbers are checked when they are read. For invalid JSON, and for a number that does not fit its field, Foundation
            // throws an error that is not a `DecodingError` and does not say which of the two it is.
            let isJSON = (try? JSONDecoder().decode(JSONValue.self, from: data)) != nil
            throw isJSON ? .field("body", "has a number that is too large or not a whole number where one is required") : .notJSON
        }
    }

    /// A body, and a field in it that it does not know.
    private struct ClosedBody<Request: Body>: Decodable {
        let unknownField: String?
        let request: Result<Request, any Error>

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: AnyCodingKey.self).allKeys
            let known = Set(Request.CodingKeys.allCases.map(\.stringValue))
            unknownField = keys.first { !known.contains($0.stringValue) }?.stringValue
            request = Result { try Request(from: decoder) }
        }
    }
}

extension WireFormat.BodyError {
    /// - Parameter body: the description of the body that was read, which lists the words that a member may be; nil if there is none.
    init(_ error: DecodingError, in body: (any SchemaRepresentable.Type)?) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .field(Self.path(context.codingPath + [key]), "is required")
        case .typeMismatch(let type, let context):
            self = .field(Self.path(context.codingPath), Self.typeMessage(type))
        case .valueNotFound(_, let context):
            self = .field(Self.path(context.codingPath), "must not be null")
        case .dataCorrupted(let context):
            self = context.codingPath.isEmpty ? .notJSON : .field(Self.path(context.codingPath), Self.allowedValues(of: context, in: body))
        @unknown default:
            self = .notJSON
        }
    }

    /// Swift's own message for an unknown word names its types; ours lists the words.
    private static func allowedValues(of context: DecodingError.Context, in body: (any SchemaRepresentable.Type)?) -> String {
        guard context.debugDescription.hasPrefix("Cannot initialize ") else { return context.debugDescription }
        let known =
            body.flatMap { Schema.of($0).enumerationValues(at: context.codingPath.map { $0.intValue == nil ? $0.stringValue : nil }) } ?? []
        return known.isEmpty ? "is not one of the accepted values" : "must be one of \(known.joined(separator: ", "))"
    }

    /// The JSON type that a Swift type is read from.
    private static func typeMessage(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "must be a string"
        case is Bool.Type: "must be true or false"
        case is any Numeric.Type: "must be a number"
        case is [Any].Type: "must be a list"
        case is [String: Any].Type: "must be an object"
        default: "has the wrong type"
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        String(keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".").prefix(64))
    }
}

/// A key of any name.
struct AnyCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// The fields of a nested object, refusing any it does not know.
    func closedContainer<Key: CodingKey & CaseIterable>(keyedBy keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let known = Set(Key.allCases.map(\.stringValue))
        if let stranger = try container(keyedBy: AnyCodingKey.self).allKeys.first(where: { !known.contains($0.stringValue) }) {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath + [stranger], debugDescription: "is not a known field. Remove it, or check its spelling"))
        }
        return try container(keyedBy: keys)
    }
}
