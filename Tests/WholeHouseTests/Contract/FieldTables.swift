import CardeaModel
import CardeaTestSupport

/// The field tables of `docs/protocol.md`, made from the schemas of `/openapi.json`.
///
/// A table stands between `<!-- fields: SchemaName -->` and `<!-- end -->`.
struct FieldTables {
    let document: JSONValue
    private let page: String
    /// Schemas with a table; other schemas are written out where they are used.
    private let tableNames: Set<String>

    init(document: JSONValue, page: String) {
        self.document = document
        self.page = page
        tableNames = Set(page.matches(of: /<!-- fields: (\w+) -->/).map { String($0.1) })
    }

    struct MarkerError: Error {
        let line: String
    }

    /// The page with its tables made anew.
    func renewed() throws -> String {
        var lines: [Substring] = []
        var openMarker: Substring?
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "<!-- end -->" {
                guard openMarker != nil else { throw MarkerError(line: "end without fields") }
                openMarker = nil
            } else if let marker = line.wholeMatch(of: /<!-- fields: (\w+) -->/) {
                guard openMarker == nil, let schema = document.at("#/components/schemas/\(marker.1)") else {
                    throw MarkerError(line: String(line))
                }
                openMarker = line
                lines += [line] + table(of: schema).map { $0[...] }
                continue
            }
            if openMarker == nil { lines.append(line) }
        }
        if let openMarker { throw MarkerError(line: String(openMarker)) }
        return lines.joined(separator: "\n")
    }

    private func table(of schema: JSONValue) -> [String] {
        let rows = members(of: schema).map { member in
            // `orNull` wraps a described schema in `anyOf`.
            let about = (member.schema["description"] ?? member.schema["anyOf"]?.elements?.first?["description"])?.string ?? ""
            let type = type(of: member.schema, hidesNull: member.isClosed && !member.isRequired)
            return "| `\(member.name)` | \(type) | \(member.isRequired ? "yes" : "") | \(about.replacing("|", with: "\\|")) |"
                .replacing("  |", with: " |")
        }
        return ["| Field | Type | Required | Meaning |", "|---|---|---|---|"] + rows
    }

    private struct Member {
        let name: String
        let schema: JSONValue
        let isRequired: Bool
        /// Part of a request body, whose optional fields may also be null.
        let isClosed: Bool
    }

    /// The required members as declared, then the optional ones by name.
    private func members(of schema: JSONValue) -> [Member] {
        if let part = schema["$ref"]?.string.flatMap({ document.at($0) }) { return members(of: part) }
        if let parts = schema["allOf"]?.elements { return parts.flatMap(members) }
        let properties = schema["properties"]?.members ?? [:]
        let required = (schema["required"]?.elements ?? []).compactMap(\.string)
        return (required + Set(properties.keys).subtracting(required).sorted()).compactMap { name in
            properties[name].map {
                Member(
                    name: name, schema: $0, isRequired: required.contains(name), isClosed: schema["additionalProperties"] == .bool(false))
            }
        }
    }

    private func type(of schema: JSONValue, hidesNull: Bool = false) -> String {
        if let reference = schema["$ref"]?.string {
            let name = String(reference.split(separator: "/").last ?? "")
            let fields = members(of: document.at(reference) ?? [:])
            return tableNames.contains(name) || fields.isEmpty ? "`\(name)`" : shape(of: fields)
        }
        if let parts = schema["anyOf"]?.elements {
            return parts.map { type(of: $0) }.filter { !hidesNull || $0 != "null" }.joined(separator: " or ")
        }
        if let parts = schema["allOf"]?.elements { return parts.map { type(of: $0) }.joined(separator: " and ") }
        if let words = schema["enum"]?.elements {
            return words.count > 16 ? "one of \(words.count) words" : "one of `\(words.compactMap(\.string).joined(separator: " "))`"
        }
        if let value = schema["const"] { return "`\(text(of: value))`" }
        let names = schema["type"]?.elements?.compactMap(\.string) ?? [schema["type"]?.string].compactMap(\.self)
        return names.filter { !hidesNull || $0 != "null" }.map { name(ofType: $0, in: schema) }.joined(separator: " or ").orAny
    }

    private func name(ofType type: String, in schema: JSONValue) -> String {
        switch type {
        case "string" where schema["format"] == "date-time": "time"
        case "string": "text" + bounds("minLength", "maxLength", of: schema)
        case "integer", "number": type + bounds("minimum", "maximum", of: schema)
        case "array": list(of: self.type(of: schema["items"] ?? [:]), bounds("minItems", "maxItems", of: schema))
        case "object":
            members(of: schema).isEmpty ? "object" : shape(of: members(of: schema))
        default: type
        }
    }

    private func list(of element: String, _ count: String) -> String {
        let words = element.hasPrefix("one of `") ? String(element.dropFirst("one of ".count)) : element
        return "list of \(words)" + (count.isEmpty ? "" : ",\(count) items")
    }

    private func shape(of members: [Member]) -> String {
        "`{\(members.map { $0.isRequired ? $0.name : $0.name + "?" }.joined(separator: ", "))}`"
    }

    private func bounds(_ least: String, _ most: String, of schema: JSONValue) -> String {
        switch (schema[least]?.number, schema[most]?.number) {
        case (let least?, let most?) where least == most: " \(text(of: .number(least)))"
        case (let least?, let most?): " \(text(of: .number(least)))\(least < 0 ? " to " : "–")\(text(of: .number(most)))"
        case (let least?, nil): " from \(text(of: .number(least)))"
        case (nil, let most?): " up to \(text(of: .number(most)))"
        case (nil, nil): ""
        }
    }

    private func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .bool(let bool): "\(bool)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        default: "null"
        }
    }
}

extension String {
    /// A schema without a type accepts any value.
    fileprivate var orAny: String { isEmpty ? "any" : self }
}
