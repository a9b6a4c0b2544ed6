import CardeaModel
import Foundation
import Foundation

/// The part of JSON Schema 2020-12 that the contract uses. A member that a schema does not name is a problem here: the hub sends nothing
/// undocumented. Lengths of texts are counted in characters, like in the house; JSON Schema counts code points.
public struct JSONSchemaValidator: Sendable {
    private let document: JSONValue

    public init(document: JSONValue) { self.document = document }

    public func problems(of value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        if let reference = schema["$ref"]?.string {
            guard let target = document.at(reference) else { return ["\(place): \(reference) leads nowhere"] }
            return problems(of: value, target, at: place)
        }
        if let parts = schema["allOf"]?.elements {
            let found = parts.map { Set(problems(of: value, $0, at: place)) }
            // A field that one part does not name may belong to another.
            return Set(found.joined()).filter { problem in
                !problem.hasSuffix(Self.notInContract) || found.allSatisfy { $0.contains(problem) }
            }
        }
        if let parts = schema["anyOf"]?.elements {
            return parts.contains { problems(of: value, $0, at: place).isEmpty }
                ? [] : ["\(place): \(value) is none of the things it may be"]
        }
        if let constant = schema["const"] { return constant == value ? [] : ["\(place): \(value) is not \(constant)"] }
        if let words = schema["enum"]?.elements, !words.contains(value) { return ["\(place): \(value) is not one of \(words)"] }
        return typeProblem(value, schema, place).map { [$0] } ?? nestedProblems(value, schema, place)
    }

    private static let notInContract = "is not in the contract"

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

    private func nestedProblems(_ value: JSONValue, _ schema: JSONValue, _ place: String) -> [String] {
        switch value {
        case .array(let elements):
            let count = rangeProblems(Double(elements.count), schema, "minItems", "maxItems", "\(place): its count")
            guard let items = schema["items"] else { return count }
            return count + elements.enumerated().flatMap { problems(of: $1, items, at: "\(place)[\($0)]") }
        case .object(let members):
            let named = schema["properties"]?.members ?? [:]
            let missing = (schema["required"]?.elements ?? []).compactMap(\.string).filter { members[$0] == nil }
            var found = rangeProblems(Double(members.count), schema, "minProperties", "maxProperties", "\(place): its count")
            found += missing.map { "\(place).\($0) is missing" }
            return found
                + members.flatMap { name, member -> [String] in
                    if let own = named[name] ?? schema["additionalProperties"].flatMap({ $0 == false ? nil : $0 }) {
                        return problems(of: member, own, at: "\(place).\(name)")
                    }
                    return schema["properties"] == nil ? [] : ["\(place).\(name) \(Self.notInContract)"]
                }
        case .string(let text): return textProblems(text, schema, place)
        case .number(let number): return rangeProblems(number, schema, "minimum", "maximum", "\(place):")
        case .null, .bool: return []
        }
    }

    private func textProblems(_ text: String, _ schema: JSONValue, _ place: String) -> [String] {
        var problems = rangeProblems(Double(text.count), schema, "minLength", "maxLength", "\(place): its length")
        if schema["format"] == "date-time", !(text.contains("T") && text.hasSuffix("Z")) { problems.append("\(place): \(text) is no time") }
        if let pattern = schema["pattern"]?.string, !Self.matchesPattern(text, pattern) {
            problems.append("\(place): \(text) is not like \(pattern)")
        }
        return problems
    }

    /// Returns whether a pattern matches anywhere in a text; it must be anchored to match all of it. An invalid pattern matches nowhere.
    private static func matchesPattern(_ text: String, _ pattern: String) -> Bool {
        guard let expression = try? NSRegularExpression(pattern: pattern) else { return false }
        return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }

    /// - Parameters:
    ///   - least: the keyword for the minimum.
    ///   - most: the keyword for the maximum.
    private func rangeProblems(_ number: Double, _ schema: JSONValue, _ least: String, _ most: String, _ what: String) -> [String] {
        if let bound = schema[least]?.number, number < bound { return ["\(what) \(number) is less than \(bound)"] }
        if let bound = schema[most]?.number, number > bound { return ["\(what) \(number) is more than \(bound)"] }
        return []
    }
}

extension JSONValue {
    public var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// Resolves a reference such as `#/components/schemas/Device`.
    public func at(_ reference: String) -> JSONValue? {
        reference.split(separator: "/").dropFirst().reduce(self) { value, name in value?[String(name)] }
    }

    /// Every `$ref` anywhere in it.
    public var references: [String] {
        switch self {
        case .object(let members): (members["$ref"]?.string.map { [$0] } ?? []) + members.values.flatMap(\.references)
        case .array(let elements): elements.flatMap(\.references)
        default: []
        }
    }
}
