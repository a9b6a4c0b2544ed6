import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB

@testable import CardeaHub

extension TestHouse {
    /// Every entry of the audit trail, opened, oldest first.
    func auditNotes() async throws -> [AuditNote] {
        try await store.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT \(AuditLedger.columns) FROM audit a ORDER BY a.seq")
            return try hub.activity.ledger.open(rows.map(AuditLedger.record), in: db).map(\.note)
        }
    }

    /// The first wrong entry of the audit trail; nil when it is whole.
    func auditBreak() async throws -> AuditChain.Break? {
        try await store.read { try auditBreak($0) }
    }

    func auditBreak(_ db: Database) throws -> AuditChain.Break? {
        do {
            try AuditVerification.verify(db, with: hub.activity.ledger.keys)
            return nil
        } catch let problem as AuditChain.Break { return problem }
    }
}
