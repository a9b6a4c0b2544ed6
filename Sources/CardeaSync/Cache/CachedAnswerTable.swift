import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The answers that are kept in the file.
struct CachedAnswerTable: Sendable {
    /// Bytes that are kept in all.
    static let capacity = 16 << 20

    let sealing: SealingKey

    /// A keyed hash of what was asked.
    func key(_ question: String) -> Data { sealing.mark(Data("answers/\(question)".utf8)) }

    func find(_ mark: Data, in db: Database) throws -> CachedAnswer? {
        let sql = "SELECT sealed, priority, asked_at, keep_until FROM answers WHERE mark = ?"
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [mark]) else { return nil }
        return CachedAnswer(
            json: try sealing.open(row[0], for: sealingContext(mark)), priority: CachePriority(rawValue: row[1]) ?? .high,
            askedAt: Date(milliseconds: row[2]), expiresAt: Date(milliseconds: row[3]))
    }

    /// Keeps an answer, unless a newer one to the same question is there. What is too old goes, and what is too much.
    func store(_ answer: CachedAnswer, as mark: Data, now: Date, in db: Database) throws {
        let sealed = try sealing.seal(answer.json, for: sealingContext(mark))
        try db.cachedStatement(
            sql: """
                INSERT INTO answers (mark, priority, asked_at, keep_until, sealed, lists) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (mark) DO UPDATE SET
                    priority = excluded.priority, asked_at = excluded.asked_at, keep_until = excluded.keep_until, sealed = excluded.sealed,
                    lists = excluded.lists
                WHERE excluded.asked_at >= asked_at
                """
        ).execute(
            arguments: [
                mark, answer.priority.rawValue, answer.askedAt.milliseconds, answer.expiresAt.milliseconds, sealed, answer.lists?.rawValue,
            ])
        try db.cachedStatement(sql: "DELETE FROM answers WHERE keep_until < ?").execute(arguments: [now.milliseconds])
        try db.cachedStatement(
            sql: """
                DELETE FROM answers WHERE mark IN (
                    SELECT mark FROM (
                        SELECT mark, sum(length(sealed)) OVER (ORDER BY priority DESC, asked_at DESC, mark) AS total FROM answers
                    ) WHERE total > ?)
                """
        ).execute(arguments: [Self.capacity])
    }

    func remove(_ mark: Data, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM answers WHERE mark = ?").execute(arguments: [mark])
    }

    /// One of these things was deleted, and every list in which it may stand goes with it.
    func removeLists(of kind: DocumentKind, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM answers WHERE lists = ?").execute(arguments: [kind.rawValue])
    }

    /// Rights may have changed, and with them every answer and picture.
    static func removeAll(in db: Database) throws { try db.execute(sql: "DELETE FROM answers; DELETE FROM pictures") }

    private func sealingContext(_ mark: Data) -> String { "answers/\(mark.base64EncodedString())" }
}
