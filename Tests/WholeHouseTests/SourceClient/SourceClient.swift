import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

/// A client written from the house document alone (Seed 004): Swift's own coders, camelCase names, strict types, and the document's paths
/// behind a base path.
struct SourceClient: Sendable {
    static let mediaType = "application/vnd.c11s.v1+json"

    let client: any TestClientProtocol
    /// `/v1` in production, `/api` in the demo.
    let base: String
    /// Nil in the demo.
    var token: Secret?
    var contentType = "application/json"

    var isDemo: Bool { token == nil && base == "/api" }

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let data: Data
    }

    // MARK: Requests

    func ask(_ method: HTTPRequest.Method, _ path: String, _ body: Data? = nil) async throws -> Answer {
        var headers: HTTPFields = [.accept: Self.mediaType]
        if let token { headers[.authorization] = "Bearer \(token.reveal())" }
        if body != nil { headers[.contentType] = contentType }
        let answer = try await client.executeRequest(
            uri: base + path, method: method, headers: headers, body: body.map { ByteBuffer(data: $0) })
        return Answer(status: answer.status.code, headers: answer.headers, data: Data(buffer: answer.body))
    }

    func get<Response: Decodable>(_ path: String, _: Response.Type = Response.self) async throws -> Response {
        try Self.read(Response.self, try await ask(.get, path))
    }

    func post<Response: Decodable>(
        _ path: String, _ body: some Encodable, _: Response.Type = Response.self
    ) async throws -> Response {
        try Self.read(Response.self, try await ask(.post, path, try JSONEncoder().encode(body)))
    }

    func put<Response: Decodable>(
        _ path: String, _ body: some Encodable, _: Response.Type = Response.self
    ) async throws -> Response {
        try Self.read(Response.self, try await ask(.put, path, try JSONEncoder().encode(body)))
    }

    // MARK: Reading

    private static func read<Response: Decodable>(_: Response.Type, _ answer: Answer) throws -> Response {
        try #require((200...299).contains(answer.status), "\(answer.status) \(String(decoding: answer.data, as: UTF8.self))")
        return try decode(Response.self, answer.data)
    }

    static func decode<Response: Decodable>(_: Response.Type, _ data: Data) throws -> Response {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            for hasFraction in [true, false] {
                if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction)) { return date }
            }
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "\(text) is no ISO 8601 time"))
        }
        return try decoder.decode(Response.self, from: data)
    }

    static func decode<Response: Decodable>(_: Response.Type, _ value: JSONValue) throws -> Response {
        try decode(Response.self, try JSONEncoder().encode(value))
    }
}
