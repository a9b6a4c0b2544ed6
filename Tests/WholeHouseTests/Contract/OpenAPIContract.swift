import CardeaModel
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Synchronization

/// `/openapi.json` from the house, for comparison with its answers.
struct OpenAPIContract: Sendable {
    let document: JSONValue
    let operations: [Operation]

    private static let cache = Mutex<OpenAPIContract?>(nil)

    /// The same for every house of a run, so it is read once.
    static func read(_ client: any TestClientProtocol) async throws -> OpenAPIContract {
        if let known = cache.withLock({ $0 }) { return known }
        let answer = try await client.executeRequest(uri: "/openapi.json", method: .get, headers: [:], body: nil)
        let contract = OpenAPIContract(try JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body)))
        cache.withLock { $0 = contract }
        return contract
    }

    struct Operation: Sendable {
        let method: HTTPRequest.Method
        let path: String
        let description: JSONValue
    }

    private init(_ document: JSONValue) {
        self.document = document
        operations = (document["paths"]?.members ?? [:]).flatMap { path, item in
            item.members.compactMap { method, description in
                HTTPRequest.Method(rawValue: method.uppercased()).map { Operation(method: $0, path: path, description: description) }
            }
        }
    }

    /// Differences from the contract in an answer.
    func problems(
        _ method: HTTPRequest.Method, _ uri: String, status: Int, _ body: JSONValue, mediaType: String = "application/json"
    ) -> [String] {
        let path = String(uri.prefix { $0 != "?" })
        guard let operation = operation(method, path) else { return ["\(method) \(path) is not in the contract"] }
        guard let response = operation.description["responses"]?["\(status)"].map(resolved) else {
            return ["\(method) \(operation.path) answers \(status), which is not in the contract: \(body)"]
        }
        guard let schema = response["content"]?[mediaType]?["schema"] else { return [] }
        return JSONSchemaValidator(document: document).problems(of: body, schema).map { "\(method) \(operation.path) \(status): \($0)" }
    }

    func operation(_ method: HTTPRequest.Method, _ path: String) -> Operation? {
        operations.filter { $0.method == method && Self.matches(path, $0.path) }.min { $0.path < $1.path }
    }

    private func resolved(_ value: JSONValue) -> JSONValue { value["$ref"]?.string.flatMap { document.at($0) } ?? value }

    private static func matches(_ path: String, _ template: String) -> Bool {
        let (own, named) = (path.split(separator: "/"), template.split(separator: "/"))
        return own.count == named.count && zip(own, named).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }
}
