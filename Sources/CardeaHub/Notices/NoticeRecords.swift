import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Notifications as rows.
enum NoticeRecords {
    private static let columns = """
        id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, acknowledged_at,
        escalated_from IS NOT NULL, opened(words, 'notices.words', id)
        """

    private static func notice(_ row: Row) -> Notice? {
        guard let kind = NoticeKind(rawValue: row[2]) else { return nil }
        return Notice(
            id: row[0], personID: row[1],
            fact: NotifiableFact(
                kind: kind, subject: row[3], incident: row[4], place: row[5], at: Date(milliseconds: row[7]), words: row[12]),
            placeName: row[6], createdAt: Date(milliseconds: row[8]), isQuiet: row[9],
            acknowledgedAt: (row[10] as Int64?).map(Date.init(milliseconds:)), isEscalated: row[11])
    }

    /// One of a person's own.
    static func one(_ id: String, of personID: String, _ db: Database) throws -> Notice? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM notices WHERE id = ? AND person_id = ?"), arguments: [id, personID]
        ).flatMap(notice)
    }

    static func one(_ id: String, _ db: Database) throws -> Notice? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(columns) FROM notices WHERE id = ?"), arguments: [id]).flatMap(notice)
    }

    /// Newest first. A notification's id is in order of time.
    static func page(of personID: String, before id: String?, limit: Int, _ db: Database) throws -> [Notice] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM notices
                    WHERE person_id = ?1 AND (?2 IS NULL OR (created_at, id) < (SELECT created_at, id FROM notices WHERE id = ?2))
                    ORDER BY created_at DESC, id DESC LIMIT ?3
                    """), arguments: [personID, id, limit])
        let deliveries = try deliveries(of: rows.map { $0[0] }, db)
        return rows.compactMap(notice).map { notice in
            var notice = notice
            notice.deliveries = deliveries[notice.id] ?? []
            return notice
        }
    }

    private static func deliveries(of ids: [String], _ db: Database) throws -> [String: [NoticeDeliveryStatus]] {
        guard !ids.isEmpty else { return [:] }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT notice_id, service, state, tries, settled_at FROM notice_deliveries
                WHERE notice_id IN (\(databaseQuestionMarks(count: ids.count))) ORDER BY id
                """, arguments: StatementArguments(ids))
        return Dictionary(grouping: rows) { $0[0] as String }.mapValues { rows in
            rows.compactMap { row in
                NoticeDeliveryStatus.State(rawValue: row[2]).map {
                    NoticeDeliveryStatus(
                        service: row[1], state: $0, tries: row[3], settledAt: (row[4] as Int64?).map(Date.init(milliseconds:)))
                }
            }
        }
    }

    static func unacknowledgedCount(by personID: String, _ db: Database) throws -> Int {
        try Int.fetchOne(
            db.cachedStatement(sql: "SELECT count(*) FROM notices WHERE person_id = ? AND acknowledged_at IS NULL"),
            arguments: [personID]) ?? 0
    }

    /// Returns the last notification of a visit to a person.
    static func last(of incident: String, to personID: String, _ db: Database) throws -> NoticeRule.PreviousNotice? {
        try Row.fetchOne(
            db.cachedStatement(
                sql:
                    "SELECT kind, created_at, is_quiet FROM notices WHERE incident = ? AND person_id = ? ORDER BY created_at DESC, id DESC LIMIT 1"
            ),
            arguments: [incident, personID]
        ).flatMap { row in
            NoticeKind(rawValue: row[0]).map { NoticeRule.PreviousNotice(kind: $0, at: Date(milliseconds: row[1]), isQuiet: row[2]) }
        }
    }

    struct NewNotice {
        let id: String
        let personID: String
        let fact: NotifiableFact
        let placeName: String
        let now: Date
        let isQuiet: Bool
        var escalatedFrom: String?
        let escalatesAt: Date?
    }

    /// - Returns: false if the person was already notified of it.
    static func insert(_ new: NewNotice, in db: Database) throws -> Bool {
        try db.cachedStatement(
            sql: """
                INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet,
                    escalated_from, escalates_at, words)
                VALUES (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, sealed(?, 'notices.words', ?1)) ON CONFLICT (person_id, subject) DO NOTHING
                """
        ).execute(arguments: [
            new.id, new.personID, new.fact.kind.rawValue, new.fact.subject, new.fact.incident, new.fact.place, new.placeName,
            new.fact.at.milliseconds, new.now.milliseconds, new.isQuiet, new.escalatedFrom, new.escalatesAt?.milliseconds,
            new.fact.text,
        ])
        return db.changesCount > 0
    }

    /// Marks it as seen: it is not escalated to another person.
    static func acknowledge(_ notice: Notice, at now: Date, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE notices SET acknowledged_at = ? WHERE id = ? AND acknowledged_at IS NULL")
            .execute(arguments: [now.milliseconds, notice.id])
        try db.cachedStatement(sql: "UPDATE notices SET escalates_at = NULL WHERE incident = ? AND escalates_at IS NOT NULL")
            .execute(arguments: [notice.fact.incident])
    }

    // MARK: Unanswered notifications

    static func unanswered(at now: Date, limit: Int, _ db: Database) throws -> [Notice] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT \(columns) FROM notices WHERE escalates_at <= ? ORDER BY escalates_at LIMIT ?"),
            arguments: [now.milliseconds, limit]
        ).compactMap(notice)
    }

    static func nextUnanswered(_ db: Database) throws -> Date? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT min(escalates_at) FROM notices WHERE escalates_at IS NOT NULL"))
            .map(Date.init(milliseconds:))
    }

    static func clearEscalation(_ id: String, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE notices SET escalates_at = NULL WHERE id = ?").execute(arguments: [id])
    }

    // MARK: Cursor

    static func cursor(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT seq FROM notice_cursor")) ?? 0
    }

    static func moveCursor(to seq: Int64, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE notice_cursor SET seq = ?").execute(arguments: [seq])
    }
}
