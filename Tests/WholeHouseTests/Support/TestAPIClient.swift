import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

/// An HTTP client of the house with an access token.
struct TestAPIClient {
    let client: any TestClientProtocol
    let token: Secret

    struct Answer {
        let status: Int
        let body: JSONValue
        let headers: HTTPFields

        var code: String? { body["error"]?["code"]?.string }
        var entityTag: String? { headers[.eTag] }
    }

    func callAsFunction(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, ifMatch: String? = nil, ifNoneMatch: String? = nil,
        key: String? = nil, prefer: String? = nil, accept: String? = nil
    ) async throws -> Answer {
        var headers: HTTPFields = [.authorization: "Bearer \(token.reveal())"]
        if body != nil { headers[.contentType] = "application/json" }
        headers[.ifMatch] = ifMatch
        headers[.ifNoneMatch] = ifNoneMatch
        headers[.accept] = accept
        if let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        if let name = HTTPField.Name("Prefer") { headers[name] = prefer }
        let answer = try await client.executeRequest(uri: path, method: method, headers: headers, body: body.map(ByteBuffer.init(string:)))
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null
        // Every answer in these tests must match the contract.
        let sent = answer.headers[.contentType] == SourceDocument.mediaType ? SourceDocument.mediaType : "application/json"
        let problems = try await OpenAPIContract.read(client).problems(method, path, status: answer.status.code, json, mediaType: sent)
        #expect(problems == [])
        if path.hasPrefix("/api/v1/changes") {
            // Each of them in its socket format, too.
            #expect((json["changes"]?.array ?? []).flatMap { AsyncAPIValidator.problems(ofFrame: $0) } == [])
        }
        return Answer(status: answer.status.code, body: json, headers: answer.headers)
    }
}

extension JSONValue {
    var array: [JSONValue] {
        if case .array(let array) = self { array } else { [] }
    }
}
