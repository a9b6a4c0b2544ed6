import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Copies of the house as rows.
enum ReplicaRecords {
    /// A session that can still make requests; `:idle` is the earliest time of its last use.
    private static let activeSessionSQL = "s.ended_at IS NULL AND s.expires_at > :now AND s.last_used_at > :idle"

    private static func arguments(_ personID: String, _ now: Date) -> StatementArguments {
        ["id": personID, "now": now.milliseconds, "idle": now.addingTimeInterval(-Sessions.idle).milliseconds]
    }

    /// One that has ended meanwhile keeps nothing that could be asked after.
    static func register(_ sessionID: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO replicas (session_id, since) SELECT id, ? FROM sessions WHERE id = ? AND ended_at IS NULL",
            arguments: [now.milliseconds, sessionID])
    }

    static func isRegistered(_ sessionID: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM replicas WHERE session_id = ?)", arguments: [sessionID]) == true
    }

    /// Every erased person.
    static func erasedPersonIDs(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT person_id FROM erasures ORDER BY person_id")
    }

    static func confirm(_ people: Set<String>, by sessionID: String, in db: Database) throws {
        for id in people.sorted() {
            try db.execute(
                sql: "DELETE FROM owed_confirmations WHERE person_id = ? AND session_id = ?", arguments: [id, sessionID])
            guard db.changesCount > 0 else { continue }
            try db.execute(sql: "UPDATE erasures SET confirmed = confirmed + 1 WHERE person_id = ?", arguments: [id])
        }
    }

    /// Requires every client with a replica to confirm an erasure from now on.
    static func requireConfirmations(_ personID: String, at now: Date, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO owed_confirmations (person_id, session_id, told_at)
                SELECT e.person_id, r.session_id, :now FROM erasures e JOIN replicas r JOIN sessions s ON s.id = r.session_id
                WHERE e.person_id = :id AND \(activeSessionSQL)
                """, arguments: arguments(personID, now))
        try db.execute(sql: "UPDATE erasures SET told = told + ? WHERE person_id = ?", arguments: [db.changesCount, personID])
        try Journal.append(.personErased, subject: personID, at: now, in: db)
    }

    /// Records the tokens with which the devices of a person being erased will ask again, and returns how many of these devices keep a
    /// replica.
    static func recordOwnReplicas(of personID: String, at now: Date, in db: Database) throws -> Int {
        // Including the one before the last: the answer with the last may have been lost.
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO erased_tokens (hash, erased_at)
                SELECT r.hash, :now FROM refresh_tokens r JOIN sessions s ON s.id = r.session_id WHERE s.person_id = :id AND \(activeSessionSQL)
                    AND (r.used_at IS NULL OR r.successor_hash IN (SELECT n.hash FROM refresh_tokens n WHERE n.used_at IS NULL))
                """, arguments: arguments(personID, now))
        return try Int.fetchOne(
            db,
            sql: "SELECT count(*) FROM replicas r JOIN sessions s ON s.id = r.session_id WHERE s.person_id = :id AND \(activeSessionSQL)",
            arguments: arguments(personID, now)) ?? 0
    }

    /// Returns whether this token belonged to a person who was erased.
    static func isErased(_ token: Data, in db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT 1 FROM erased_tokens WHERE hash = ?", arguments: [token]) == true
    }

    static func status(of personID: String, at now: Date, _ db: Database) throws -> Replicas.Status? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT told, confirmed, own, (SELECT count(*) FROM owed_confirmations o JOIN sessions s ON s.id = o.session_id
                    WHERE o.person_id = :id AND \(activeSessionSQL)) FROM erasures WHERE person_id = :id
                """, arguments: arguments(personID, now)
        ).map { Replicas.Status(notified: $0[0], confirmed: $0[1], pending: $0[3], ownReplicas: $0[2]) }
    }
}
