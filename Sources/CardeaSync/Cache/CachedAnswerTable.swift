import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// The cached answers in the file.
struct CachedAnswerTable: Sendable {
    /// The maximum size of all entries in bytes.
    static let capacity = 16 << 20

    let sealing: SealingKey

    /// A keyed hash of the query.
    func key(_ question: String) -> Data { sealing.mark(Data("answers/\(question)".utf8)) }

    func find(_ mark: Data, in db: Database) throws -> CachedAnswer? {
        let sql = "SELECT sealed, priority, asked_at, keep_until FROM answers WHERE mark = ?"
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [mark]) else { return nil }
        return CachedAnswer(
            json: try sealing.open(row[0], for: sealingContext(mark)), priority: CachePriority(rawValue: row[1]) ?? .high,
            askedAt: Date(milliseconds: row[2]), expiresAt: Date(milliseconds: row[3]))
    }

    /// Stores an answer, unless a newer one to the same query is there. Answers that are too old or too many are deleted.
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

    /// Deletes all cached lists of a kind, after one of its things was deleted.
    func removeLists(of kind: ReplicaDocumentKind, in db: Database) throws {
        try db.cachedStatement(sql: "DELETE FROM answers WHERE lists = ?").execute(arguments: [kind.rawValue])
    }

    /// Deletes all answers and pictures, because the person's rights may have changed.
    static func removeAll(in db: Database) throws { try db.execute(sql: "DELETE FROM answers; DELETE FROM pictures") }

    private func sealingContext(_ mark: Data) -> String { "answers/\(mark.base64EncodedString())" }
}
