import CardeaModel
import Foundation
import GRDB

/// Webhooks as rows.
enum IncomingWebhookRecords {
    private static let columns = "id, name, make, camera_id, type, created_at, last_used_at"
    private static let prefix = "webhook/"

    /// The principal that records a webhook's events. No caller over the network can be one of them.
    static func principal(_ id: String) -> Principal { .integration(prefix + id) }

    static func id(of principal: Principal) -> String? {
        guard case .integration(let name) = principal, name.hasPrefix(prefix) else { return nil }
        return String(name.dropFirst(prefix.count))
    }

    private static func webhook(_ row: Row) -> IncomingWebhook? {
        guard let type = DetectionType(rawValue: row[4]) else { return nil }
        return IncomingWebhook(
            // A vendor unknown to this version is treated as generic.
            id: row[0], name: row[1], make: IncomingWebhookVendor(rawValue: row[2]) ?? .generic, cameraID: row[3], type: type,
            createdAt: Date(milliseconds: row[5]), lastUsedAt: (row[6] as Int64?).map(Date.init(milliseconds:)))
    }

    static func all(_ db: Database) throws -> [IncomingWebhook] {
        try Row.fetchAll(db, sql: "SELECT \(columns) FROM webhooks WHERE revoked_at IS NULL ORDER BY created_at, id").compactMap(webhook)
    }

    static func one(hash: Data, _ db: Database) throws -> IncomingWebhook? {
        try Row.fetchOne(
            db.cachedStatement(sql: "SELECT \(columns) FROM webhooks WHERE hash = ? AND revoked_at IS NULL"), arguments: [hash]
        ).flatMap(webhook)
    }

    static func isActive(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT 1 FROM webhooks WHERE id = ? AND revoked_at IS NULL"), arguments: [id]) == true
    }

    static func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM webhooks WHERE revoked_at IS NULL") ?? 0
    }

    /// Returns whether the house has a camera or a device with this ID.
    static func placeExists(_ id: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT 1 FROM cameras WHERE id = ?1 UNION ALL SELECT 1 FROM devices WHERE id = ?1", arguments: [id]) == true
    }

    static func insert(_ webhook: IncomingWebhook, hash: Data, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO webhooks (id, hash, name, make, camera_id, type, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                webhook.id, hash, webhook.name, webhook.make.rawValue, webhook.cameraID, webhook.type.rawValue,
                webhook.createdAt.milliseconds,
            ])
    }

    static func markUsed(_ id: String, at now: Date, in db: Database) throws {
        try db.cachedStatement(sql: "UPDATE webhooks SET last_used_at = ? WHERE id = ?").execute(arguments: [now.milliseconds, id])
    }

    /// False if there is no webhook with this ID, or it was revoked before.
    static func revoke(_ id: String, at now: Date, in db: Database) throws -> Bool {
        try db.execute(
            sql: "UPDATE webhooks SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", arguments: [now.milliseconds, id])
        return db.changesCount > 0
    }
}
