import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB

@testable import CardeaHub

extension TestHouse {
    /// A house with `count` actions, by and on several people.
    static func withAuditLog(_ count: Int = 60, sealing: SealingKey = .random()) async throws -> TestHouse {
        let house = try await TestHouse.make(store: .inMemory(), sealing: sealing)
        let now = house.clock.now
        try await house.store.write { db in
            for number in 0..<count {
                let who: AuditLog.AuditActor =
                    [.person("person_\(number % 3)"), .guest("guest_\(number % 2)"), .stranger, .house][[0, 1, 0, 2, 0, 3][number % 6]]
                try AuditLog.append(
                    .init(
                        who: who, action: "unlock", deviceID: number.isMultiple(of: 2) ? "front-door" : nil,
                        grantID: [nil, "role:person_0", "guest_1", "token:9"][number % 4], result: [.allowed, .refused, .done][number % 3],
                        reason: .wrongRelyingParty, commandID: number.isMultiple(of: 5) ? "cmd_\(number)" : nil, journalSeq: Int64(number)),
                    in: .init(
                        db: db, now: now,
                        origin: RequestOrigin(remote: "203.0.113.\(number)", isLocal: false, requestID: "request_\(number)")))
            }
        }
        return house
    }

    /// Every entry of the audit log, decrypted, oldest first.
    func auditNotes() async throws -> [UnsealedAuditEntry] {
        try await store.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a ORDER BY a.seq")
            return try hub.activity.auditLogWriter.open(rows.map(AuditLogWriter.record), in: db).map(\.note)
        }
    }

    /// Drops whole segments, as if their retention were over: a second later there is a newer entry.
    @discardableResult
    func dropAllSegments() async throws -> Int64 {
        clock.advance(by: 1)
        let now = clock.now
        try await store.write { db in
            try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: now))
        }
        return try await hub.auditCheckpointer.drop(before: now)
    }

    /// The first wrong entry of the audit log; nil if it is intact.
    func auditBreak() async throws -> AuditChain.ChainError? {
        try await store.read { try auditBreak($0) }
    }

    func auditBreak(_ db: Database) throws -> AuditChain.ChainError? {
        do {
            try AuditVerification.verify(db, with: hub.activity.auditLogWriter.keys, signer: hub.auditCheckpointer.signer.key.publicKey)
            return nil
        } catch let problem as AuditChain.ChainError { return problem }
    }
}
