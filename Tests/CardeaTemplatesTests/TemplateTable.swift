import CardeaModel
import CardeaTemplates
import Foundation

/// Templates with the results of Home Assistant 2025.4, written by `Tests/PeerTests/test_templates.py`.
enum TemplateTable {
    struct Row: Decodable, CustomStringConvertible {
        let template: String
        var payload: String?
        let variables: [String: JSONValue]?
        let result: String?
        let error: String?

        var description: String { "\(template) of \(payload ?? variables.map { "\($0)" } ?? "nothing")" }
        var expected: Outcome { result.map(Outcome.text) ?? Outcome(rawError: error ?? "") }
    }

    private struct Table: Decodable {
        /// The payload of rows that have none of their own.
        let message: String
        let rows: [Row]
    }

    /// A text, or the kind of an error.
    enum Outcome: Hashable {
        case text(String)
        /// The source is refused.
        case syntax
        /// Home Assistant keeps the last state.
        case undefined
        case other
        case limit

        init(rawError: String) {
            switch rawError {
            case "syntax": self = .syntax
            case "undefined": self = .undefined
            case "limit": self = .limit
            default: self = .other
            }
        }
    }

    static let now = Date(timeIntervalSince1970: 1_750_000_000.25)
    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    static func rows(at file: URL) throws -> [Row] {
        let table = try JSONDecoder().decode(Table.self, from: Data(contentsOf: file))
        return table.rows.map { row in
            var row = row
            if row.payload == nil, row.variables == nil { row.payload = table.message }
            return row
        }
    }

    static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "templates.json")

    /// The row's result in this library. `isPlain` passes the message as a plain JSON value, which has no `21.0` and no order.
    static func outcome(of row: Row, isPlain: Bool = false) -> Outcome {
        var variables = TemplateVariables(row.variables ?? [:])
        if let payload = row.payload {
            variables["value"] = .string(payload)
            if isPlain {
                if let json = JSONValue.read(Array(payload.utf8)) { variables["value_json"] = json }
            } else {
                _ = variables.read(json: payload.utf8, as: "value_json")
            }
        }
        let template: Template
        do throws(TemplateError) {
            template = try Template(row.template)
        } catch {
            if case .limit = error { return .limit }
            return .syntax
        }
        do throws(TemplateError) {
            return .text(try template.render(variables, at: now, in: zone))
        } catch {
            switch error {
            case .undefined, .unknown, .otherEntity: return .undefined
            case .limit: return .limit
            default: return .other
            }
        }
    }
}
