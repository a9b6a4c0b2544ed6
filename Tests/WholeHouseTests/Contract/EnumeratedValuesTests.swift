import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

/// Every enumerated member of every body of `/openapi.json`, with a value that is not allowed.
@Suite("Enumerated values in request bodies", .timeLimit(.minutes(5)))
struct EnumeratedValuesTests {
    /// Ids that are enumerated and answer 404 if unknown.
    private static let ids: Set = ["POST /api/v1/safla/trigger"]

    @Test("A wrong enum value at any depth is answered with the allowed values and no Swift type name")
    func wrongWords() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let contract = try await OpenAPIContract.read(client)
            var refused = 0
            for operation in contract.operations where !Self.ids.contains("\(operation.method.rawValue) \(operation.path)") {
                guard let schema = operation.description["requestBody"]?["content"]?["application/json"]?["schema"] else { continue }
                let path = operation.path.replacing("{id}", with: "nobody")
                for wrong in InvalidValueGenerator(document: contract.document).generate(schema) {
                    let answer = try await client.executeRequest(
                        uri: path, method: operation.method,
                        headers: [.authorization: "Bearer \(tokens.access.reveal())", .contentType: "application/json"],
                        body: ByteBuffer(data: try JSONEncoder().encode(wrong.body)))
                    let body = (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null
                    let message = body["error"]?["message"]?.string ?? ""
                    let asked = "\(operation.method.rawValue) \(operation.path) \(wrong.body): \(body)"
                    #expect(answer.status == .badRequest, "\(asked)")
                    // A device's actions are its own.
                    if body["error"]?["code"] != "unsupported_action" {
                        #expect(wrong.known.filter { !message.contains($0) } == [], "\(asked)")
                    }
                    #expect(!message.contains("Cannot initialize"), "\(asked)")
                    #expect(message.firstMatch(of: /\b[A-Z][a-z]+[A-Z]/) == nil, "\(asked)")
                    refused += 1
                }
            }
            #expect(refused > 25)
        }
    }

    @Test("Invalid values are generated for each enumerated place, one at a time")
    func places() {
        let document: JSONValue = [
            "components": [
                "schemas": [
                    "Tree": [
                        "anyOf": [
                            ["enum": ["leaf"]], ["type": "object", "properties": ["below": ["$ref": "#/components/schemas/Tree"]]],
                        ]
                    ]
                ]
            ]
        ]
        let schema: JSONValue = [
            "type": "object", "required": ["kind", "name"],
            "properties": [
                "kind": ["enum": ["a", "b"]], "name": ["type": "string"],
                "days": ["type": ["array", "null"], "items": ["anyOf": [["enum": ["mon"]], ["type": "null"]]]],
                "tree": ["$ref": "#/components/schemas/Tree"],
            ],
        ]
        let wrong = InvalidValueGenerator(document: document).generate(schema)
        #expect(
            Set(wrong.map(\.body)) == [
                ["kind": "nonsense", "name": "text"], ["kind": "a", "name": "text", "days": ["nonsense"]],
                ["kind": "a", "name": "text", "tree": "nonsense"],
            ])
        #expect(Set(wrong.map(\.known)) == [["a", "b"], ["mon"], ["leaf"]])
    }
}

/// A body in which one enumerated member has an invalid value.
private struct InvalidValueCase {
    let body: JSONValue
    /// The allowed values.
    let known: [String]
}

/// Makes all such bodies of a schema, each with the required members only.
private struct InvalidValueGenerator {
    let document: JSONValue
    /// The references that led here.
    private var references: Set<String> = []

    init(document: JSONValue) { self.document = document }

    func generate(_ schema: JSONValue) -> [InvalidValueCase] {
        if let reference = schema["$ref"]?.string {
            guard !references.contains(reference), let target = document.at(reference) else { return [] }
            var within = self
            within.references.insert(reference)
            return within.generate(target)
        }
        let words = (schema["enum"]?.elements ?? []).compactMap(\.string)
        if !words.isEmpty { return [InvalidValueCase(body: "nonsense", known: words)] }
        if let shapes = schema["anyOf"]?.elements { return shapes.flatMap(generate) }
        if let parts = schema["allOf"]?.elements {
            return parts.flatMap(generate).map { wrong in
                wrong.within(minimalBody(schema)) { .object($0.merging(wrong.body.members) { $1 }) }
            }
        }
        if let items = schema["items"] { return generate(items).map { InvalidValueCase(body: .array([$0.body]), known: $0.known) } }
        var members = schema["properties"]?.members ?? [:]
        if let other = schema["additionalProperties"], !other.members.isEmpty { members["something"] = other }
        return members.flatMap { name, member in
            generate(member).map { wrong in wrong.within(minimalBody(schema)) { .object($0.merging([name: wrong.body]) { $1 }) } }
        }
    }

    private func minimalBody(_ schema: JSONValue) -> [String: JSONValue] {
        SchemaInstanceGenerator(document: document, isFull: false).generate(schema).members
    }
}

extension InvalidValueCase {
    fileprivate func within(_ members: [String: JSONValue], _ body: ([String: JSONValue]) -> JSONValue) -> InvalidValueCase {
        InvalidValueCase(body: body(members), known: known)
    }
}
