import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Reads and writes the mind's own documents, by key.
enum MindDocumentRecords {
    /// The key of the request to learn everything anew.
    static let relearningKey = "unlearned"

    static func remove(_ name: String, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM mind_sheets WHERE name = ?").execute(arguments: [name])
    }

    static func read<Content: Decodable>(_ name: String, as type: Content.Type, _ db: Database) throws -> Content? {
        let text = try String.fetchOne(
            db.cachedStatement(sql: "SELECT opened(content, 'mind_sheets.content', name) FROM mind_sheets WHERE name = ?"),
            arguments: [name])
        // A document that cannot be decrypted is written anew, as in a new house.
        return try text.flatMap { $0.isEmpty ? nil : $0 }.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }

    /// Encodes a document. A large one is encoded before the transaction, so that no other writer waits for it.
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
