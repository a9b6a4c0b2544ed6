import CardeaModel
import CardeaStore
import Crypto
import Foundation
import GRDB
import Synchronization

/// An archive as it is filled, with what proves each of its files.
final class ExportArchive: Sendable {
    private let archive: any ArchiveBuilder
    private let moment: Date
    private let state = Mutex(State())

    private struct State {
        var name: String?
        var hash = SHA256()
        var files: [(name: String, digest: String)] = []
    }

    init(_ archive: any ArchiveBuilder, at moment: Date) {
        self.archive = archive
        self.moment = moment
    }

    func file(_ name: String, _ bytes: Data) throws {
        try begin(name)
        try write(bytes)
        end()
    }

    /// A JSON array, element by element.
    ///
    /// - Returns: how many elements there are.
    func list(_ name: String, _ fill: (_ add: (JSONValue) throws -> Void) throws -> Void) throws -> Int {
        try begin(name)
        var count = 0
        try fill { element in
            try write(Data((count == 0 ? "[\n" : ",\n").utf8) + Data(try ExportRow.pretty(element).utf8))
            count += 1
        }
        try write(Data((count == 0 ? "[]\n" : "\n]\n").utf8))
        end()
        return count
    }

    func begin(_ name: String) throws {
        state.withLock { $0.name = name }
        try archive.begin(name, at: moment)
    }

    func write(_ bytes: Data) throws {
        state.withLock { $0.hash.update(data: bytes) }
        try archive.write(bytes)
    }

    func end() {
        state.withLock { state in
            let digest = state.hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            state.files.append((state.name ?? "", digest))
            (state.hash, state.name) = (SHA256(), nil)
        }
    }

    /// Puts down what each file is, and the house's signature over it, and closes the archive.
    func close(origin: String, signedBy key: Curve25519.Signing.PrivateKey) throws {
        let files = state.withLock { $0.files }
        let manifest = try JSONText.encode(
            .object([
                "schema_version": .string(PersonalDataExporter.schemaVersion), "exported_at": .string(ExportRow.text(moment)),
                "house": .string(origin),
                "public_key": .string(key.publicKey.rawRepresentation.base64EncodedString()),
                "files": .object(Dictionary(files.map { ($0.name, .string("sha256:\($0.digest)")) }) { $1 }),
            ]))
        try archive.begin("manifest.json", at: moment)
        try archive.write(Data(manifest.utf8))
        try archive.begin("manifest.sig", at: moment)
        try archive.write(Data(try key.signature(for: Data(manifest.utf8)).base64EncodedString().utf8))
        try archive.close()
    }
}

/// A row as whoever it is about reads it.
enum ExportRow {
    /// JSON with one member a line, so that whoever takes it away can read it (Seed 001, item 18).
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
    /// Beyond this a number of JSON is not read as it was written.
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
            // What is kept as JSON is read as such.
            text.hasPrefix("{") || text.hasPrefix("[") ? JSONValue.read(Array(text.utf8)) ?? .string(text) : .string(text)
        }
    }
}
