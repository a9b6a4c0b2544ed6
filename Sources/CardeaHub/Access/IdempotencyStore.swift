import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Stores the answers of writes with an idempotency key for 24 hours, sealed, in the transaction of the write itself: a crash leaves both
/// or neither.
struct IdempotencyStore: Sendable {
    let sealing: SealingKey

    static let retention: TimeInterval = 24 * 3600

    struct Outcome<Answer: Codable & Sendable>: Sendable {
        let answer: Answer
        let isReplay: Bool
    }

    func run<Answer: Codable & Sendable>(
        _ call: IdempotencyKey?, by principal: String, at now: Date, in db: Database, _ body: (Database) throws -> Answer
    ) throws -> Outcome<Answer> {
        guard let call else { return Outcome(answer: try body(db), isReplay: false) }
        let place = "kept_answers/\(principal)/\(call.key)"
        // A body may contain a password; a plain hash would be easier to guess from than the slow one it is stored with.
        let mark = sealing.mark(call.fingerprint)
        if let row = try Row.fetchOne(
            db, sql: "SELECT fingerprint, sealed FROM kept_answers WHERE principal = ? AND key = ? AND at > ?",
            arguments: [principal, call.key, now.addingTimeInterval(-Self.retention).milliseconds])
        {
            guard constantTimeEquals(row["fingerprint"], mark) else { throw IdempotencyKeyReusedError() }
            let stored = try sealing.open(row["sealed"], for: place)
            return Outcome(answer: try JSONDecoder().decode(Answer.self, from: stored), isReplay: true)
        }
        let answer = try body(db)
        try db.execute(
            sql: "INSERT OR REPLACE INTO kept_answers (principal, key, fingerprint, sealed, at) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                principal, call.key, mark, try sealing.seal(try JSONEncoder().encode(answer), for: place), now.milliseconds,
            ])
        return Outcome(answer: answer, isReplay: false)
    }

    /// The same for the principal of a transaction.
    func run<Answer: Codable & Sendable>(
        _ call: IdempotencyKey?, in context: TransactionContext, _ body: () throws -> Answer
    ) throws -> Outcome<Answer> {
        try run(call, by: context.principal.key, at: context.now, in: context.db) { _ in try body() }
    }

    // MARK: Answers of idempotent writes

    /// Returns the answer stored under this idempotency key; nil if there is none.
    func storedResponse(_ call: IdempotencyKey, by principal: String, at now: Date, in db: Database) throws -> Data? {
        struct Nothing: Error {}
        do {
            return try run(call, by: principal, at: now, in: db) { _ -> Data in throw Nothing() }.answer
        } catch is Nothing {
            return nil
        }
    }

    func save(_ answer: Data, _ call: IdempotencyKey, by principal: String, at now: Date, in db: Database) throws {
        _ = try run(call, by: principal, at: now, in: db) { _ in answer }
    }

    static func sweep(at now: Date, in db: Database) throws {
        let limit = now.addingTimeInterval(-retention).milliseconds
        try db.execute(sql: "DELETE FROM kept_answers WHERE at <= ?", arguments: [limit])
        try db.execute(
            sql: "UPDATE commands SET idempotency_key = NULL, fingerprint = NULL WHERE idempotency_key IS NOT NULL AND accepted_at <= ?",
            arguments: [limit])
    }
}
