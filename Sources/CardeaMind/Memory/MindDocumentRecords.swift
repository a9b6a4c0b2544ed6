import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A sheet of the mind's own, by its name.
enum MindDocumentRecords {
    /// That what was learned is to be learned anew.
    static let relearningKey = "unlearned"

    static func remove(_ name: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM mind_sheets WHERE name = ?").execute(arguments: [name])
    }

    static func read<Content: Decodable>(_ name: String, as type: Content.Type, _ db: Database) throws -> Content? {
        let text = try String.fetchOne(
            db.cachedStatement(sql: "SELECT opened(content, 'mind_sheets.content', name) FROM mind_sheets WHERE name = ?"),
            arguments: [name])
        // One that does not open is written anew, as in a new house.
        return try text.flatMap { $0.isEmpty ? nil : $0 }.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    /// A sheet as it is written; a large one is made before anybody waits for it.
    static func text(_ content: some Encodable) throws -> String { String(decoding: try JSONEncoder().encode(content), as: UTF8.self) }

    static func write(_ name: String, _ content: some Encodable, at now: Date, in db: Database) throws {
        try write(name, text: try text(content), at: now, in: db)
    }

    static func write(_ name: String, text: String, at now: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO mind_sheets (name, content, changed_at) VALUES (?1, sealed(?, 'mind_sheets.content', ?1), ?)
                ON CONFLICT (name) DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at
                """
        ).execute(arguments: [name, text, now.milliseconds])
    }
}
