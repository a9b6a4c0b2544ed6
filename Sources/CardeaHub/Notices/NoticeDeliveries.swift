import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// Notices on their way, as rows: what is still to be sent, and what became of it.
enum NoticeDeliveries {
    /// Puts a notice on its way to each browser and phone that a person is signed in on.
    static func send(_ fact: NoticeFact, to personID: String, at now: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO notice_deliveries (notice_id, subscription_id, service, due_at)
                SELECT n.id, p.id, p.service, ?1 FROM notices n JOIN push_subscriptions p ON p.person_id = n.person_id
                JOIN sessions s ON s.id = p.session_id
                WHERE n.person_id = ?2 AND n.subject = ?3 AND s.ended_at IS NULL AND s.expires_at > ?1 AND s.last_used_at > ?4
                """
        ).execute(arguments: [
            now.milliseconds, personID, fact.subject, now.addingTimeInterval(-Sessions.idle).milliseconds,
        ])
    }

    /// One to be carried now.
    struct Due: Sendable {
        let id: Int64
        let notice: Notice
        let subscriptionID: String
        let tries: Int
        /// Where it goes; nil where that is gone.
        let sealed: (way: PushAddress.Way, text: Data)?
    }

    static func due(at now: Date, without underWay: Set<Int64>, limit: Int, _ db: Database) throws -> [Due] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.id, d.notice_id, d.subscription_id, d.tries, p.way, p.sealed FROM notice_deliveries d
                    LEFT JOIN push_subscriptions p ON p.id = d.subscription_id
                        AND p.person_id = (SELECT person_id FROM notices WHERE id = d.notice_id)
                        AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = p.session_id AND s.ended_at IS NULL AND s.expires_at > ?1)
                    WHERE d.state = 'waiting' AND d.due_at <= ?1 ORDER BY d.due_at LIMIT ?2
                    """), arguments: [now.milliseconds, limit + underWay.count])
        return try rows.filter { !underWay.contains($0[0]) }.prefix(limit).compactMap { row in
            guard let notice = try NoticeRecords.one(row[1], db) else { return nil }
            let way = (row[4] as String?).flatMap(PushAddress.Way.init)
            let sealed: (PushAddress.Way, Data)? = if let way, let text = row[5] as Data? { (way, text) } else { nil }
            return Due(id: row[0], notice: notice, subscriptionID: row[2], tries: row[3], sealed: sealed)
        }
    }

    static func next(after underWay: Set<Int64>, _ db: Database) throws -> Date? {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT id, due_at FROM notice_deliveries WHERE state = 'waiting' ORDER BY due_at LIMIT ?"),
            arguments: [underWay.count + 1])
        return rows.first { !underWay.contains($0[0]) }.map { Date(milliseconds: $0[1]) }
    }

    static func settle(_ id: Int64, _ state: NoticeDelivery.State, status: Int?, at now: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE notice_deliveries SET state = ?, tries = tries + 1, status = ?, settled_at = ?
                WHERE id = ? AND state = 'waiting'
                """
        ).execute(arguments: [state.rawValue, status, now.milliseconds, id])
    }

    static func postpone(_ id: Int64, until due: Date, in db: Database) throws {
        try db.cachedStatement(
            sql: "UPDATE notice_deliveries SET tries = tries + 1, due_at = ? WHERE id = ? AND state = 'waiting'"
        ).execute(arguments: [due.milliseconds, id])
    }
}
