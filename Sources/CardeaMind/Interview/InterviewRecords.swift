import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The interviews' rows in the database.
enum InterviewRecords {
    static func one(_ id: String, of personID: String, _ db: Database) throws -> StoredInterview? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT opened(content, 'interviews.content', id), version FROM interviews WHERE id = ? AND person_id = ?"),
            arguments: [id, personID]
        ).flatMap(decode)
    }

    /// The person's interview that is not over.
    static func open(of personID: String, _ db: Database) throws -> StoredInterview? {
        try Row.fetchOne(
            db,
            sql:
                "SELECT opened(content, 'interviews.content', id), version FROM interviews WHERE person_id = ? AND status IN ('active', 'paused')",
            arguments: [personID]
        ).flatMap(decode)
    }

    /// Nil if the row cannot be decrypted.
    private static func decode(_ row: Row) throws -> StoredInterview? {
        let text: String = row[0]
        if text.isEmpty { return nil }
        return StoredInterview(interview: try Interview.restored(from: Data(text.utf8)), version: row[1])
    }

    /// The interviews of a person, the latest first.
    static func all(of personID: String, _ db: Database) throws -> [InterviewSummary] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, status, phase, mentioned, confirmed, started_at, changed_at FROM interviews WHERE person_id = ?
                ORDER BY changed_at DESC, id DESC
                """, arguments: [personID]
        ).compactMap { row in
            guard let status = Interview.Status(rawValue: row[1]), let phase = Interview.Phase(rawValue: row[2]) else { return nil }
            return InterviewSummary(
                id: row[0], status: status, phase: phase, progress: .init(status: status, mentioned: row[3], confirmed: row[4]),
                startedAt: Date(milliseconds: row[5]), changedAt: Date(milliseconds: row[6]))
        }
    }

    /// Inserts a new interview. If the person has too many, the oldest that is over is deleted.
    static func insert(_ interview: Interview, _ text: String, of personID: String, in db: Database) throws {
        // An open interview that cannot be read cannot be continued by anyone.
        try db.execute(
            sql: """
                DELETE FROM interviews WHERE person_id = ? AND status IN ('active', 'paused')
                    AND opened(content, 'interviews.content', id) = ''
                """, arguments: [personID])
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM interviews WHERE person_id = ?", arguments: [personID]) ?? 0
        if count >= Interviews.maximumPerPerson {
            try db.execute(
                sql: """
                    DELETE FROM interviews WHERE id IN (
                        SELECT id FROM interviews WHERE person_id = ? AND status IN ('completed', 'cancelled')
                        ORDER BY changed_at, id LIMIT ?)
                    """, arguments: [personID, count - Interviews.maximumPerPerson + 1])
        }
        let progress = interview.progress
        try db.execute(
            sql: """
                INSERT INTO interviews (id, person_id, status, phase, mentioned, confirmed, version, content, started_at, changed_at)
                VALUES (?1, ?, ?, ?, ?, ?, 1, sealed(?, 'interviews.content', ?1), ?, ?)
                """,
            arguments: [
                interview.id, personID, interview.status.rawValue, interview.phase.rawValue, progress.totalDevicesMentioned,
                progress.devicesConfirmed, text, interview.startedAt, interview.lastActivity,
            ])
    }

    /// Stores the present state of an interview.
    ///
    /// - Parameter version: the version that was read.
    /// - Returns: false if it was changed in the meantime.
    static func update(_ interview: Interview, _ text: String, of personID: String, seen version: Int, in db: Database) throws -> Bool {
        let progress = interview.progress
        try db.execute(
            sql: """
                UPDATE interviews SET status = ?, phase = ?, mentioned = ?, confirmed = ?, content = sealed(?, 'interviews.content', id),
                    changed_at = ?, version = version + 1
                WHERE id = ? AND person_id = ? AND version = ?
                """,
            arguments: [
                interview.status.rawValue, interview.phase.rawValue, progress.totalDevicesMentioned, progress.devicesConfirmed, text,
                interview.lastActivity, interview.id, personID, version,
            ])
        return db.changesCount == 1
    }

    /// Deletes the interviews of everyone who is not among `people`.
    static func deleteAll(except people: Set<String>, in db: Database) throws {
        try db.execute(literal: "DELETE FROM interviews WHERE person_id NOT IN \(people)")
    }

    static func hasOthers(than people: Set<String>, _ db: Database) throws -> Bool {
        try SQLRequest<Bool>(literal: "SELECT EXISTS (SELECT 1 FROM interviews WHERE person_id NOT IN \(people))").fetchOne(db) ?? false
    }
}

extension Interview {
    /// The last activity, never before the start, even if the clock was set back.
    fileprivate var lastActivity: Int64 { max(lastActivityAt, startedAt) }
}
