import CardeaHTTP
import CardeaHub
import CardeaStore
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting

extension TestHouse {
    /// Adds some entries to the audit log, a minute later, and signs it.
    public func appendAuditEntries(by count: Int = 1) async throws {
        clock.advance(by: 61)
        let now = clock.now
        try await store.write { db in
            for _ in 0..<count { try db.enqueue(UnsealedAuditEntry(at: now, kind: "system", id: nil, action: "test", result: "done")) }
        }
        try await hub.auditCheckpointer.sign(at: now)
    }

    /// Changes the house's file like an intruder with write access, with its triggers disabled.
    public func tamper(_ sql: String) async throws {
        try await store.write { db in
            for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'audit_*'") {
                try db.execute(sql: "DROP TRIGGER \(name)")
            }
            try db.execute(sql: sql)
        }
    }

    /// The audit log as in an older copy of the file: up to an entry, and signed no further.
    public func truncateAudit(after seq: Int64) async throws {
        try await tamper("DELETE FROM audit WHERE seq > \(seq); DELETE FROM audit_checkpoints WHERE size > \(seq)")
    }

    /// The hub restarts on the file as it was left, and the phone connects.
    public func restart(_ phone: TestPhone, _ body: @Sendable (TestHouse) async throws -> Void) async throws {
        let again = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let application = again.application.application(listen: .hostname("127.0.0.1", port: 0), logger: .silent)
        try await application.test(.router) { client in
            phone.transport.connect(to: RouterTransport(client))
            try await body(again)
        }
    }
}
