import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Grants of integrations. An integration is a principal like any other: it holds a grant, and the gate reads it anew each time.
enum IntegrationGrants {
    static func set(_ grant: IntegrationGrant?, of integration: String, in db: Database) throws {
        guard let grant else {
            return try db.execute(sql: "DELETE FROM integration_grants WHERE integration = ?", arguments: [integration])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO integration_grants (integration, allows_lock, allows_open) VALUES (?, ?, ?)",
            arguments: [integration, grant.allowsLock, grant.allowsOpen])
    }

    /// At most a member's rights, so that owner rights stay with owners, and of those only the house's own locks.
    static func grant(of integration: String, _ db: Database) throws -> Grant? {
        guard
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT allows_lock, allows_open FROM integration_grants WHERE integration = ?"),
                arguments: [integration])
        else { return nil }
        var verbs: Set<Verb> = []
        if row[0] { verbs.insert(.lock) }
        if row[1] { verbs.formUnion([.unlock, .open]) }
        return Grant(
            id: "integration:\(integration)", scope: .role(.member, disabled: false),
            only: try HomeAssistantExportLocks.all(db).map { Grant.Item(deviceID: $0.device.id, entityID: $0.entity.id, verbs: verbs) })
    }
}
