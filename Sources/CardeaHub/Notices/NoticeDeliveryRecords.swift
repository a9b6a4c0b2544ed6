import CardeaModel
import CardeaSecurity
import Foundation
import GRDB

/// Deliveries of notifications, as rows: pending ones, and their results.
enum NoticeDeliveryRecords {
    /// Puts a notification on its way to each browser and phone that a person is signed in on.
    static func enqueue(_ fact: NotifiableFact, to personID: String, at now: Date, in db: Database) throws {
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
    struct DueDelivery: Sendable {
        let id: Int64
        let notice: Notice
        let subscriptionID: String
        let service: String
        let tries: Int
        /// The sealed push address; nil if the address is gone.
        let sealed: (way: PushAddress.Channel, text: Data)?
    }

    /// Those that are being carried.
    struct ActiveDeliveries: Sendable {
        private(set) var ids: Set<Int64> = []
        private var services: [String: Int] = [:]

        /// Deliveries to one push service at a time. One that hangs must not block the others.
        static let perService = 6

        var count: Int { ids.count }

        func hasRoom(for service: String) -> Bool { services[service, default: 0] < Self.perService }

        mutating func add(_ id: Int64, of service: String) {
            ids.insert(id)
            services[service, default: 0] += 1
        }

        mutating func remove(_ id: Int64, of service: String) {
            ids.remove(id)
            let left = services[service, default: 1] - 1
            services[service] = left > 0 ? left : nil
        }
    }

    /// Returns the oldest deliveries of each service, within its limit beside those that are under way, and only the first of each visit.
    static func due(at now: Date, beside underWay: ActiveDeliveries, limit: Int, _ db: Database) throws -> [DueDelivery] {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT d.id, d.notice_id, d.subscription_id, d.tries, p.way, p.sealed, d.service FROM (\(firstPerIncident)) d
                    LEFT JOIN push_subscriptions p ON p.id = d.subscription_id
                        AND p.person_id = (SELECT person_id FROM notices WHERE id = d.notice_id)
                        AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = p.session_id AND s.ended_at IS NULL AND s.expires_at > ?1)
                    WHERE d.turn <= ?2 AND d.due_at <= ?1 ORDER BY d.due_at
                    """), arguments: [now.milliseconds, 2 * ActiveDeliveries.perService])
        var (carried, due) = (underWay, [DueDelivery]())
        for row in rows where due.count < limit && !carried.ids.contains(row[0]) && carried.hasRoom(for: row[6]) {
            guard let notice = try NoticeRecords.one(row[1], db) else { continue }
            let way = (row[4] as String?).flatMap(PushAddress.Channel.init)
            let sealed: (PushAddress.Channel, Data)? = if let way, let text = row[5] as Data? { (way, text) } else { nil }
            due.append(DueDelivery(id: row[0], notice: notice, subscriptionID: row[2], service: row[6], tries: row[3], sealed: sealed))
            carried.add(row[0], of: row[6])
        }
        return due
    }

    /// When the next one is due to a service that has room for it.
    static func nextDue(beside underWay: ActiveDeliveries, _ db: Database) throws -> Date? {
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT id, service, due_at FROM (\(firstPerIncident)) WHERE turn <= ? ORDER BY due_at"),
            arguments: [1 + ActiveDeliveries.perService])
        return rows.first { !underWay.ids.contains($0[0]) && underWay.hasRoom(for: $0[1]) }.map { Date(milliseconds: $0[2]) }
    }

    /// A browser or phone shows only the last notification of a visit. So its notifications are sent one after the other, and those of
    /// other browsers and phones in parallel.
    private static let firstPerIncident = """
        SELECT *, row_number() OVER (PARTITION BY service ORDER BY due_at, id) AS turn FROM (
            SELECT d.*, row_number() OVER (PARTITION BY d.subscription_id, n.incident ORDER BY d.due_at, d.id) AS place
            FROM notice_deliveries d JOIN notices n ON n.id = d.notice_id WHERE d.state = 'waiting'
        ) WHERE place = 1
        """

    /// Returns whether a later notification of the same visit was already delivered there: an earlier one would replace it.
    static func isSuperseded(_ delivery: DueDelivery, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM notices n JOIN notice_deliveries d ON d.notice_id = n.id
                        WHERE n.person_id = ? AND n.incident = ? AND d.subscription_id = ? AND d.state = 'taken' AND d.id > ?)
                    """),
            arguments: [delivery.notice.personID, delivery.notice.fact.incident, delivery.subscriptionID, delivery.id]) ?? false
    }

    static func complete(_ id: Int64, _ state: NoticeDeliveryStatus.State, status: Int?, at now: Date, in db: Database) throws {
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
