import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

// A person with write access to the file of a running house deleted an entry from a full segment, and the page of the audit log still said
// "verified": it trusted roots signed before.
@Suite("Audit monitor on a running hub", .timeLimit(.minutes(10)))
struct AuditMonitorTests {
    /// Changes the house's file like an intruder with write access, with its triggers disabled.
    private func alter(_ house: TestHouse, _ sql: String) async throws {
        try await house.store.write { db in
            for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'audit_*'") {
                try db.execute(sql: "DROP TRIGGER \(name)")
            }
            try db.execute(sql: sql)
        }
    }

    /// A claimed house with more entries than one segment holds, all of them signed. Its services do not run.
    private func makeSignedHouse(_ count: Int = 300) async throws -> (house: TestHouse, owner: Principal) {
        let house = try await TestHouse.withAuditLog(count)
        let (owner, _) = try await house.claim()
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        return (house, owner)
    }

    /// The notifications about the audit log, oldest first.
    private func notices(_ house: TestHouse) async throws -> [String] {
        try await house.store.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT json_extract(opened(data, 'journal.data', seq), '$.words') FROM journal WHERE subject GLOB 'audit:*' ORDER BY seq"
            )
        }
    }

    private static let changes: [(sql: String, fault: AuditChain.Fault)] = [
        ("DELETE FROM audit WHERE seq = 17", .missing),
        ("UPDATE audit SET event = randomblob(length(event)) WHERE seq = 17", .forged),
        ("UPDATE audit SET hash = randomblob(32) WHERE seq = 17", .altered),
        ("UPDATE audit SET result = result + 1 WHERE seq = 17", .misfiled),
        ("DELETE FROM audit_index WHERE seq = 17", .misfiled),
    ]

    @Test("The monitor finds an altered or deleted entry in a signed segment and reports it with the checkpoint")
    func found() async throws {
        for (sql, fault) in Self.changes {
            let (house, owner) = try await makeSignedHouse()
            let proofs = house.hub.auditProofs
            #expect(try await proofs.checkpoint(seenBy: owner).verification == nil)
            let whole = try await house.hub.auditMonitor.verify()
            #expect(whole == .init(at: house.clock.now, problem: nil))
            #expect(try await proofs.checkpoint(seenBy: owner).verification == whole)

            try await alter(house, sql)
            // The roots are unchanged: they show nothing.
            #expect(try await proofs.checkpoint(from: 256, seenBy: owner).consistencyPath != nil)
            house.clock.advance(by: 1)
            let broken = try await house.hub.auditMonitor.verify()

            #expect(broken == .init(at: house.clock.now, problem: .init(seq: 17, fault: fault)), "\(sql)")
            let standing = try await proofs.checkpoint(seenBy: owner)
            #expect(standing.verification == broken, "\(sql)")
            #expect(try await notices(house) == ["\(AuditChain.ChainError(seq: 17, fault: fault)) Ask who can write the house's files."])
        }
    }

    @Test("The monitor finds the same fault as offline verification, at the first, last and middle entries")
    func same() async throws {
        let (house, _) = try await makeSignedHouse(600)
        let count = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
        // From the last one on, so that the first wrong entry is always the latest change.
        for seq in [count - 1, 513, 512, 257, 256, 65, 64, 2, 1] {
            try await alter(house, "UPDATE audit SET at = at + 1 WHERE seq = \(seq)")
            let found = try await house.hub.auditMonitor.verify().problem
            let wanted = try await house.auditBreak()
            #expect(found == wanted && found == .init(seq: seq, fault: .forged), "\(seq)")
        }
        try await alter(house, "DELETE FROM audit WHERE seq = 1")
        #expect(try await house.hub.auditMonitor.verify().problem == .init(seq: 1, fault: .missing))
        let cut = try await makeSignedHouse().house
        try await alter(cut, "DELETE FROM audit WHERE seq > 290")
        #expect(try await cut.hub.auditMonitor.verify().problem == .init(seq: 291, fault: .missing))
    }

    @Test("The monitor runs after start and once a day, and reports the same fault once")
    func byItself() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            let (watch, start) = (house.hub.auditMonitor, house.clock.now)
            try await house.store.write { db in
                for _ in 0..<300 {
                    try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: start))
                }
            }
            try await house.hub.auditCheckpointer.sign(at: start)
            let first = start.addingTimeInterval(AuditMonitor.initialDelay)
            try await waitUntil { house.clock.isAwaited(first) }
            #expect(watch.finding == nil)

            house.clock.advance(by: AuditMonitor.initialDelay)
            try await waitUntil { house.clock.isAwaited(first.addingTimeInterval(AuditMonitor.interval)) }
            #expect(watch.finding == .init(at: first, problem: nil))
            #expect(try await notices(house).isEmpty)

            try await alter(house, "DELETE FROM audit WHERE seq = 17")
            let broken = AuditChain.ChainError(seq: 17, fault: .missing)
            for day in 1...2 {
                let next = first.addingTimeInterval(Double(day) * AuditMonitor.interval)
                house.clock.advance(by: AuditMonitor.interval)
                try await waitUntil { house.clock.isAwaited(next.addingTimeInterval(AuditMonitor.interval)) }
                #expect(watch.finding == .init(at: next, problem: broken))
                try await waitUntil {
                    try await house.hub.notices.page(of: owner).notices.contains { $0.fact.text?.hasPrefix("Entry 17 of") == true }
                }
            }

            #expect(log.entries.count { $0.hasPrefix("audit log was altered") && $0.contains("entry=17") } == 1)
            #expect(try await notices(house) == ["Entry 17 of the audit log is missing. Ask who can write the house's files."])
        }
    }

    @Test("A failed audit verification is logged and retried after an hour")
    func unreadable() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            _ = try await house.claim()
            let first = house.clock.now.addingTimeInterval(AuditMonitor.initialDelay)
            try await waitUntil { house.clock.isAwaited(first) }
            try await house.store.write { try $0.execute(sql: "ALTER TABLE audit_gone RENAME TO audit_gone_elsewhere") }
            house.clock.advance(by: AuditMonitor.initialDelay)
            try await waitUntil { house.clock.isAwaited(first.addingTimeInterval(AuditMonitor.retryInterval)) }
            #expect(log.entries.contains { $0.hasPrefix("audit log could not be checked") })
            #expect(house.hub.auditMonitor.finding == nil)

            try await house.store.write { try $0.execute(sql: "ALTER TABLE audit_gone_elsewhere RENAME TO audit_gone") }
            house.clock.advance(by: AuditMonitor.retryInterval)
            try await waitUntil { house.hub.auditMonitor.finding != nil }
            #expect(house.hub.auditMonitor.finding?.problem == nil)
        }
    }

    @Test("An empty log and a log with dropped segments verify; a reinserted dropped entry is reported")
    func whole() async throws {
        let new = try await TestHouse.make(store: .inMemory())
        #expect(try await new.hub.auditMonitor.verify().problem == nil)

        let (house, _) = try await makeSignedHouse(700)
        #expect(try await house.dropAllSegments() == 512)
        #expect(try await house.hub.auditMonitor.verify().problem == nil)
        // Dropped entries do not come back.
        try await alter(
            house,
            """
            INSERT INTO audit SELECT 17, version, at, event_key, event, actor, actor_sealed, subject, subject_sealed, hash, device, result,
                command, action FROM audit WHERE seq = 600
            """)
        #expect(try await house.hub.auditMonitor.verify().problem == .init(seq: 17, fault: .misplaced))
    }

    @Test("Entries appended during a verification are left to the next one, including entries with a new key")
    func growing() async throws {
        let (house, _) = try await makeSignedHouse()
        let (watch, now) = (house.hub.auditMonitor, house.clock.now)
        var course = try await watch.begin()
        let last = course.last
        // A person who had no key when it began.
        try await house.store.write { db in
            for _ in 0..<300 {
                try AuditLog.append(.init(who: .person("person_new"), action: "x", result: .done), in: .house(db, at: now))
            }
        }
        try await house.hub.auditCheckpointer.sign(at: now)
        while !course.isAtEnd { course = try await watch.advance(course) }
        #expect(course.last == last)
        #expect(try await watch.verify().problem == nil)
    }

    @Test("Dropping segments restarts a running verification; deleting entries fails it as missing")
    func shrinking() async throws {
        let (house, _) = try await makeSignedHouse(700)
        let watch = house.hub.auditMonitor
        let begun = try await watch.begin()
        let further = try await watch.advance(begun)
        #expect(!further.isAtEnd)
        #expect(try await house.dropAllSegments() == 512)
        let anew = try await watch.advance(further)
        #expect(anew.start == 512 && anew.first == 513 && anew.verifier.chain.seq == 512)
        #expect(try await watch.verify().problem == nil)

        let course = try await watch.begin()
        let next = course.verifier.chain.seq + 1
        try await alter(house, "DELETE FROM audit WHERE seq > \(next)")
        let end = try await watch.advance(course)
        await #expect(throws: AuditChain.ChainError(seq: next + 1, fault: .missing)) { try await watch.advance(end) }
    }

    @Test("Destroying a person's audit key during a verification is no fault")
    func erasing() async throws {
        let (house, _) = try await makeSignedHouse()
        let (watch, now) = (house.hub.auditMonitor, house.clock.now)
        var course = try await watch.begin()
        try await house.store.write { try house.hub.activity.auditLogWriter.keys.destroy(of: "person:person_0", at: now, in: $0) }
        while !course.isAtEnd { course = try await watch.advance(course) }
        try course.verifier.finish()
        #expect(try await watch.verify().problem == nil)
    }
}
