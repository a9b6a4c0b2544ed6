import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// A pass as the house keeps it.
public struct Guest: Hashable, Sendable {
    public let id: String
    public let name: String
    public let grant: Grant
    public let items: [Item]
    public let createdBy: String
    public let createdByName: String?
    public let createdAt: Date
    public let expiresAt: Date
    public let requiresApproval: Bool
    public let approvalAskedAt: Date?
    public let pairedAt: Date?
    public let lastUsedAt: Date?
    /// When the QR that is out now was looked at by a phone.
    public let scannedAt: Date?
    public let version: Int

    /// One entity of the pass, in the words it was given.
    public struct Item: Hashable, Sendable {
        public let deviceID: String
        public let entityID: String
        public let deviceName: String?
        public let actions: [String]
    }

    public func status(at now: Date) -> GuestStatus {
        GuestStatus(of: grant, isPaired: pairedAt != nil, approvalAsked: approvalAskedAt != nil, at: now)
    }
}

enum GuestRecords {
    private static let select = """
        SELECT g.*, p.name AS created_by_name,
            (SELECT max(c.scanned_at) FROM guest_codes c WHERE c.guest_id = g.id AND c.redeemed_at IS NULL) AS scanned_at
        FROM guests g LEFT JOIN people p ON p.id = g.created_by
        """

    static func all(_ db: Database) throws -> [Guest] {
        let items = Dictionary(grouping: try itemRows(nil, db), by: { $0["guest_id"] as String })
        return try Row.fetchAll(db, sql: select + " ORDER BY g.created_at DESC, g.rowid DESC").map {
            try guest($0, items: items[$0["id"]] ?? [])
        }
    }

    static func one(_ id: String, _ db: Database) throws -> Guest? {
        try Row.fetchOne(db, sql: select + " WHERE g.id = ?", arguments: [id]).map { try guest($0, items: itemRows(id, db)) }
    }

    /// The pass as a grant, for the gate.
    static func grant(_ id: String, _ db: Database) throws -> Grant? {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM guests WHERE id = ?"), arguments: [id]) else { return nil }
        let items = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM guest_items WHERE guest_id = ? ORDER BY position"), arguments: [id])
        return try grant(row, items: items)
    }

    private static func itemRows(_ id: String?, _ db: Database) throws -> [Row] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT i.*, d.name AS device_name FROM guest_items i LEFT JOIN devices d ON d.id = i.device_id
                WHERE ?1 IS NULL OR i.guest_id = ?1 ORDER BY i.guest_id, i.position
                """, arguments: [id])
    }

    private static func guest(_ row: Row, items: [Row]) throws -> Guest {
        Guest(
            id: row["id"], name: row["name"], grant: try grant(row, items: items),
            items: try items.map {
                Guest.Item(deviceID: $0["device_id"], entityID: $0["entity_id"], deviceName: $0["device_name"], actions: try actions($0))
            },
            createdBy: row["created_by"], createdByName: row["created_by_name"], createdAt: Date(milliseconds: row["created_at"]),
            expiresAt: Date(milliseconds: row["expires_at"]), requiresApproval: row["requires_approval"],
            approvalAskedAt: date(row["approval_asked_at"]), pairedAt: date(row["paired_at"]), lastUsedAt: date(row["last_used_at"]),
            scannedAt: date(row["scanned_at"]), version: row["version"])
    }

    private static func grant(_ row: Row, items: [Row]) throws -> Grant {
        let schedule = try (row["schedule"] as String?).map { try JSONDecoder().decode(WeeklySchedule.self, from: Data($0.utf8)) }
        return Grant(
            id: row["id"],
            scope: .list(
                try items.map { item in
                    Grant.Item(deviceID: item["device_id"], entityID: item["entity_id"], verbs: Self.verbs(try actions(item)))
                }),
            startsAt: date(row["starts_at"]), expiresAt: Date(milliseconds: row["expires_at"]), schedule: schedule,
            useLimit: row["use_limit"], useCount: row["use_count"],
            isApproved: row["requires_approval"] == false || row["approved_at"] != nil, rejectedAt: date(row["rejected_at"]),
            asksEachTime: row["asks_each_time"], localOnly: row["local_only"], suspendedAt: date(row["suspended_at"]),
            revokedAt: date(row["revoked_at"]))
    }

    /// Dotted or bare, the names of a pass mean these verbs.
    static func verbs(_ actions: [String]) -> Set<Verb> {
        Set(actions.compactMap { ActionName($0)?.verb ?? Verb(named: $0) })
    }

    private static func actions(_ row: Row) throws -> [String] {
        guard case .array(let names) = try JSONText.decode(row["actions"]) else { return [] }
        return names.compactMap(\.string)
    }

    private static func date(_ milliseconds: Int64?) -> Date? { milliseconds.map(Date.init(milliseconds:)) }
}
