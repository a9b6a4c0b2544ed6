import CardeaModel
import CardeaStore
import Crypto
import Foundation
import GRDB
import Synchronization

/// A row in the form in which its person reads it.
enum ExportRow {
    /// JSON with one member per line, so that people can read it (Seed 001, item 18).
    static func pretty(_ value: JSONValue, in indent: String = "") throws -> String {
        let inner = indent + "  "
        switch value {
        case .object(let members) where !members.isEmpty:
            let lines = try members.sorted { $0.key < $1.key }.map { name, value in
                "\(inner)\(try JSONText.encode(.string(name))): \(try pretty(value, in: inner))"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .array(let elements) where !elements.isEmpty:
            return "[\n\(try elements.map { inner + (try pretty($0, in: inner)) }.joined(separator: ",\n"))\n\(indent)]"
        default: return try JSONText.encode(value)
        }
    }

    /// - Parameter columns: those that are shown.
    static func object(_ row: Row, _ columns: [String]) -> JSONValue {
        .object(
            Dictionary(columns.enumerated().map { ($1, value($1, row[$0] as DatabaseValue)) }) { $1 })
    }

    static func text(_ moment: Date) -> String {
        moment.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static let timestampColumns: Set<String> = ["at", "not_after", "answer_by", "moving_since", "last_accessed"]
    /// Larger integers lose precision in JSON readers.
    private static let maxExactInteger: Int64 = 1 << 53

    private static func value(_ column: String, _ value: DatabaseValue) -> JSONValue {
        switch value.storage {
        case .null, .blob: .null
        case .double(let number): .number(number)
        case .int64(let number):
            if column.hasSuffix("_at") || timestampColumns.contains(column) {
                .string(text(Date(milliseconds: number)))
            } else {
                number.magnitude <= maxExactInteger.magnitude ? .number(Double(number)) : .string(String(number))
            }
        case .string(let text):
            // A stored JSON text is read as JSON.
            text.hasPrefix("{") || text.hasPrefix("[") ? JSONValue.read(Array(text.utf8)) ?? .string(text) : .string(text)
        }
    }
}
