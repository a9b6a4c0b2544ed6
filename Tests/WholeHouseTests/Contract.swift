import CardeaModel
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Synchronization

/// `/openapi.json` as the house answers it, to hold its answers against.
struct Contract: Sendable {
    let document: JSONValue
    let operations: [Operation]

    private static let kept = Mutex<Contract?>(nil)

    /// The same for every house of a run, so it is read once.
    static func read(_ client: any TestClientProtocol) async throws -> Contract {
        if let known = kept.withLock({ $0 }) { return known }
        let answer = try await client.executeRequest(uri: "/openapi.json", method: .get, headers: [:], body: nil)
        let contract = Contract(try JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body)))
        kept.withLock { $0 = contract }
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

    /// What of an answer is not as the contract has it.
    func problems(_ method: HTTPRequest.Method, _ uri: String, status: Int, _ body: JSONValue) -> [String] {
        let path = String(uri.prefix { $0 != "?" })
        guard let operation = operation(method, path) else { return ["\(method) \(path) is not in the contract"] }
        guard let response = operation.description["responses"]?["\(status)"].map(resolved) else {
            return ["\(method) \(operation.path) answers \(status), which is not in the contract: \(body)"]
        }
        guard let schema = response["content"]?["application/json"]?["schema"] else { return [] }
        return Shape(document: document).problems(of: body, schema).map { "\(method) \(operation.path) \(status): \($0)" }
    }

    func operation(_ method: HTTPRequest.Method, _ path: String) -> Operation? {
        operations.filter { $0.method == method && Self.fits(path, $0.path) }.min { $0.path < $1.path }
    }

    private func resolved(_ value: JSONValue) -> JSONValue { value["$ref"]?.string.flatMap { document.at($0) } ?? value }

    private static func fits(_ path: String, _ template: String) -> Bool {
        let (own, named) = (path.split(separator: "/"), template.split(separator: "/"))
        return own.count == named.count && zip(own, named).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
    }
}

/// As much of JSON Schema 2020-12 as the contract uses. What a schema does not name is a problem here: the hub says nothing unheard of.
struct Shape {
    let document: JSONValue

    func problems(of value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        if let reference = schema["$ref"]?.string {
            guard let target = document.at(reference) else { return ["\(place): \(reference) leads nowhere"] }
            return problems(of: value, target, at: place)
        }
        if let parts = schema["allOf"]?.elements {
            let found = parts.map { Set(problems(of: value, $0, at: place)) }
            // A field that one part does not name may be another's.
            return Set(found.joined()).filter { problem in
                !problem.hasSuffix(Self.unheard) || found.allSatisfy { $0.contains(problem) }
            }
        }
        if let parts = schema["anyOf"]?.elements {
            return parts.contains { problems(of: value, $0, at: place).isEmpty }
                ? [] : ["\(place): \(value) is none of the things it may be"]
        }
        if let constant = schema["const"] { return constant == value ? [] : ["\(place): \(value) is not \(constant)"] }
        if let words = schema["enum"]?.elements, !words.contains(value) { return ["\(place): \(value) is not one of \(words)"] }
        return typeProblem(value, schema, place).map { [$0] } ?? inner(value, schema, place)
    }

    private static let unheard = "is not in the contract"

    private func typeProblem(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> String? {
        let types = (schema["type"]?.elements ?? schema["type"].map { [$0] } ?? []).compactMap(\.string)
        let own: [String] =
            switch value {
            case .null: ["null"]
            case .bool: ["boolean"]
            case .number(let number): number == number.rounded() ? ["integer", "number"] : ["number"]
            case .string: ["string"]
            case .array: ["array"]
            case .object: ["object"]
            }
        return types.isEmpty || !Set(types).isDisjoint(with: own) ? nil : "\(place): \(value) is not \(types)"
    }

    private func inner(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        switch value {
        case .array(let elements):
            guard let items = schema["items"] else { return [] }
            return elements.enumerated().flatMap { problems(of: $1, items, at: "\(place)[\($0)]") }
        case .object(let members):
            let named = schema["properties"]?.members ?? [:]
            let missing = (schema["required"]?.elements ?? []).compactMap(\.string).filter { members[$0] == nil }
            return missing.map { "\(place).\($0) is missing" }
                + members.flatMap { name, member -> [String] in
                    if let own = named[name] ?? schema["additionalProperties"].flatMap({ $0 == false ? nil : $0 }) {
                        return problems(of: member, own, at: "\(place).\(name)")
                    }
                    return schema["properties"] == nil ? [] : ["\(place).\(name) \(Self.unheard)"]
                }
        case .string(let text) where schema["format"] == "date-time":
            return text.contains("T") && text.hasSuffix("Z") ? [] : ["\(place): \(text) is no time"]
        default: return []
        }
    }
}

extension JSONValue {
    var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// What a reference such as `#/components/schemas/Device` leads to.
    func at(_ reference: String) -> JSONValue? {
        reference.split(separator: "/").dropFirst().reduce(self) { value, name in value?[String(name)] }
    }

    /// Every `$ref` anywhere in it.
    var references: [String] {
        switch self {
        case .object(let members): (members["$ref"]?.string.map { [$0] } ?? []) + members.values.flatMap(\.references)
        case .array(let elements): elements.flatMap(\.references)
        default: []
        }
    }
}
