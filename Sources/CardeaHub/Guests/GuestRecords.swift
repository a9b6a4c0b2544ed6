import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB

enum GuestRecords {
    /// The columns, in the order in which `guest` reads them; those of the grant come first.
    private static let select = """
        SELECT \(grantColumns), opened(g.name, 'guests.name', g.id), g.created_by, opened(p.name, 'people.name', p.id), g.created_at,
            g.requires_approval, g.approval_asked_at, g.paired_at, g.last_used_at, (SELECT max(c.scanned_at) FROM guest_codes c WHERE c.guest_id = g.id AND c.redeemed_at IS NULL), g.version,
            t.device_id, t.public_key, g.presence
        FROM guests g LEFT JOIN people p ON p.id = g.created_by
            LEFT JOIN guest_tokens t ON t.guest_id = g.id AND t.replaced_at IS NULL
        """

    static func all(_ db: Database) throws -> [Guest] {
        let items = Dictionary(grouping: try itemRows(nil, db), by: { $0[4] as String })
        return try Row.fetchAll(db, sql: select + " ORDER BY g.created_at DESC, g.rowid DESC").map {
            try guest($0, items: items[$0[0]] ?? [])
        }
    }

    static func one(_ id: String, _ db: Database) throws -> Guest? {
        try Row.fetchOne(db, sql: select + " WHERE g.id = ?", arguments: [id]).map { try guest($0, items: itemRows(id, db)) }
    }

    /// The pass as a grant, for the gate.
    static func grant(_ id: String, _ db: Database) throws -> Grant? {
        guard let row = try Row.fetchOne(db.cachedStatement(sql: "SELECT \(grantColumns) FROM guests g WHERE g.id = ?"), arguments: [id])
        else { return nil }
        let items = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT device_id, entity_id, actions FROM guest_items WHERE guest_id = ? ORDER BY position"),
            arguments: [id])
        return try grant(row, items: items)
    }

    /// Returns the presence requirement of a pass. A value that this hub does not know counts as `verified`.
    static func presence(_ id: String, _ db: Database) throws -> PresenceRequirement? {
        try String.fetchOne(db.cachedStatement(sql: "SELECT presence FROM guests WHERE id = ?"), arguments: [id])
            .map { PresenceRequirement(rawValue: $0) ?? .verified }
    }

    static func expiresAt(_ id: String, _ db: Database) throws -> Date? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT expires_at FROM guests WHERE id = ?"), arguments: [id]).map(
            Date.init(milliseconds:))
    }

    static func madeAt(_ id: String, _ db: Database) throws -> Date? {
        try Int64.fetchOne(db.cachedStatement(sql: "SELECT created_at FROM guests WHERE id = ?"), arguments: [id]).map(
            Date.init(milliseconds:))
    }

    private static func itemRows(_ id: String?, _ db: Database) throws -> [Row] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT i.device_id, i.entity_id, i.actions, d.name, i.guest_id FROM guest_items i LEFT JOIN devices d ON d.id = i.device_id
                WHERE ?1 IS NULL OR i.guest_id = ?1 ORDER BY i.guest_id, i.position
                """, arguments: [id])
    }

    private static func guest(_ row: Row, items: [Row]) throws -> Guest {
        Guest(
            id: row[0], name: row[12], grant: try grant(row, items: items),
            items: try items.map { Guest.Item(deviceID: $0[0], entityID: $0[1], deviceName: $0[3], actions: try actions($0)) },
            createdBy: row[13], createdByName: row[14], createdAt: Date(milliseconds: row[15]), expiresAt: Date(milliseconds: row[2]),
            requiresApproval: row[16], presence: PresenceRequirement(rawValue: row[24]) ?? .verified, approvalAskedAt: date(row[17]),
            pairedAt: date(row[18]), key: publicKey(row[22], row[23]),
            lastUsedAt: date(row[19]), scannedAt: date(row[20]), version: row[21])
    }

    /// In the order in which `grant` reads them: by position, because a name is searched for each time.
    private static let grantColumns = """
        g.id, g.starts_at, g.expires_at, g.schedule, g.use_limit, g.use_count, g.requires_approval = 0 OR g.approved_at IS NOT NULL,
        g.rejected_at, g.asks_each_time, g.local_only, g.suspended_at, g.revoked_at
        """

    private static func grant(_ row: Row, items: [Row]) throws -> Grant {
        let schedule = try (row[3] as String?).map { try JSONDecoder().decode(WeeklySchedule.self, from: Data($0.utf8)) }
        return Grant(
            id: row[0],
            scope: .list(
                try items.map { Grant.Item(deviceID: $0[0], entityID: $0[1], verbs: Self.verbs(try actions($0))) }),
            startsAt: date(row[1]), expiresAt: Date(milliseconds: row[2]), schedule: schedule, useLimit: row[4], useCount: row[5],
            isApproved: row[6], rejectedAt: date(row[7]), asksEachTime: row[8], localOnly: row[9], suspendedAt: date(row[10]),
            revokedAt: date(row[11]))
    }

    /// Dotted or bare, the names of a pass mean these verbs.
    static func verbs(_ actions: [String]) -> Set<Verb> {
        Set(actions.compactMap { ActionName($0)?.verb ?? Verb(named: $0) })
    }

    private static func actions(_ row: Row) throws -> [String] {
        guard case .array(let names) = try JSONText.decode(row[2]) else { return [] }
        return names.compactMap(\.string)
    }

    private static func publicKey(_ deviceID: String?, _ bytes: Data?) -> GuestPublicKey? {
        guard let deviceID, let bytes else { return nil }
        return GuestPublicKey(deviceID: deviceID, bytes: bytes)
    }

    private static func date(_ milliseconds: Int64?) -> Date? { milliseconds.map(Date.init(milliseconds:)) }
}
