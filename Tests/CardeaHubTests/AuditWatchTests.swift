import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

// Story: whoever could write the file of a house that is served took an entry out of a full segment, and the page of the record went on
// saying that it was proven whole: it was told of roots that had been signed before.
@Suite("A house that serves looks at its whole record itself", .timeLimit(.minutes(10)))
struct AuditWatchTests {
    /// Changes the house's file as somebody does who can write it, with its triggers out of the way.
    private func alter(_ house: TestHouse, _ sql: String) async throws {
        try await house.store.write { db in
            for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'audit_*'") {
                try db.execute(sql: "DROP TRIGGER \(name)")
            }
            try db.execute(sql: sql)
        }
    }

    /// A claimed house in which more happened than fits one segment, all of it signed. Its services do not run.
    private func signed(_ count: Int = 300) async throws -> (house: TestHouse, owner: Principal) {
        let house = try await TestHouse.lived(count)
        let (owner, _) = try await house.claim()
        try await house.hub.notary.sign(at: house.clock.now)
        return (house, owner)
    }

    /// What has been told of the record, oldest first.
    private func told(_ house: TestHouse) async throws -> [String] {
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

    @Test("An entry that is changed or taken out of a segment that was signed is found by the next look, and said beside the root")
    func found() async throws {
        for (sql, fault) in Self.changes {
            let (house, owner) = try await signed()
            let proofs = house.hub.auditProofs
            #expect(try await proofs.standing(seenBy: owner).looked == nil)
            let whole = try await house.hub.auditWatch.look()
            #expect(whole == .init(at: house.clock.now, problem: nil))
            #expect(try await proofs.standing(seenBy: owner).looked == whole)

            try await alter(house, sql)
            // The roots are as they were: by them nothing is seen.
            #expect(try await proofs.standing(from: 256, seenBy: owner).path != nil)
            house.clock.advance(by: 1)
            let broken = try await house.hub.auditWatch.look()

            #expect(broken == .init(at: house.clock.now, problem: .init(seq: 17, fault: fault)), "\(sql)")
            let standing = try await proofs.standing(seenBy: owner)
            #expect(standing.looked == broken, "\(sql)")
            #expect(try await told(house) == ["\(AuditChain.Break(seq: 17, fault: fault)) Ask who can write the house's files."])
        }
    }

    @Test("It finds what the verification of a stopped house finds, at the first entry, the last and in between")
    func same() async throws {
        let (house, _) = try await signed(600)
        let count = try await house.store.read { try AuditLedger.head($0).seq }
        // From the last one on, so that the first wrong entry is always the one that was changed last.
        for seq in [count - 1, 513, 512, 257, 256, 65, 64, 2, 1] {
            try await alter(house, "UPDATE audit SET at = at + 1 WHERE seq = \(seq)")
            let found = try await house.hub.auditWatch.look().problem
            let wanted = try await house.auditBreak()
            #expect(found == wanted && found == .init(seq: seq, fault: .forged), "\(seq)")
        }
        try await alter(house, "DELETE FROM audit WHERE seq = 1")
        #expect(try await house.hub.auditWatch.look().problem == .init(seq: 1, fault: .missing))
        let cut = try await signed().house
        try await alter(cut, "DELETE FROM audit WHERE seq > 290")
        #expect(try await cut.hub.auditWatch.look().problem == .init(seq: 291, fault: .missing))
    }

    @Test("It looks by itself soon after the start and once a day, and tells of the same thing once")
    func byItself() async throws {
        let log = RecordedLog()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            let (watch, start) = (house.hub.auditWatch, house.clock.now)
            try await house.store.write { db in
                for _ in 0..<300 {
                    try AuditTrail.append(.init(who: .house, action: "x", result: .done), origin: .house, at: start, in: db)
                }
            }
            try await house.hub.notary.sign(at: start)
            let first = start.addingTimeInterval(AuditWatch.first)
            try await until { house.clock.isAwaited(first) }
            #expect(watch.finding == nil)

            house.clock.advance(by: AuditWatch.first)
            try await until { house.clock.isAwaited(first.addingTimeInterval(AuditWatch.pause)) }
            #expect(watch.finding == .init(at: first, problem: nil))
            #expect(try await told(house).isEmpty)

            try await alter(house, "DELETE FROM audit WHERE seq = 17")
            let broken = AuditChain.Break(seq: 17, fault: .missing)
            for day in 1...2 {
                let next = first.addingTimeInterval(Double(day) * AuditWatch.pause)
                house.clock.advance(by: AuditWatch.pause)
                try await until { house.clock.isAwaited(next.addingTimeInterval(AuditWatch.pause)) }
                #expect(watch.finding == .init(at: next, problem: broken))
                try await until {
                    try await house.hub.notices.page(of: owner).notices.contains { $0.fact.words?.hasPrefix("Entry 17 of") == true }
                }
            }

            #expect(log.written.count { $0.hasPrefix("the audit trail is not as it was written") && $0.contains("entry=17") } == 1)
            #expect(try await told(house) == ["Entry 17 of the audit trail is missing. Ask who can write the house's files."])
        }
    }

    @Test("What cannot be read is told in the log, and looked at again in an hour")
    func unreadable() async throws {
        let log = RecordedLog()
        try await TestHouse.open(logger: log.logger) { house in
            _ = try await house.claim()
            let first = house.clock.now.addingTimeInterval(AuditWatch.first)
            try await until { house.clock.isAwaited(first) }
            try await house.store.write { try $0.execute(sql: "ALTER TABLE audit_gone RENAME TO audit_gone_elsewhere") }
            house.clock.advance(by: AuditWatch.first)
            try await until { house.clock.isAwaited(first.addingTimeInterval(AuditWatch.again)) }
            #expect(log.written.contains { $0.hasPrefix("the audit trail could not be looked at") })
            #expect(house.hub.auditWatch.finding == nil)

            try await house.store.write { try $0.execute(sql: "ALTER TABLE audit_gone_elsewhere RENAME TO audit_gone") }
            house.clock.advance(by: AuditWatch.again)
            try await until { house.hub.auditWatch.finding != nil }
            #expect(house.hub.auditWatch.finding?.problem == nil)
        }
    }

    @Test("A house that has nothing on record yet, and one whose beginning was dropped after its time, are whole")
    func whole() async throws {
        let new = try await TestHouse.make(store: .inMemory())
        #expect(try await new.hub.auditWatch.look().problem == nil)

        let (house, _) = try await signed(700)
        #expect(try await house.dropAll() == 512)
        #expect(try await house.hub.auditWatch.look().problem == nil)
        // What was dropped does not come back.
        try await alter(
            house,
            """
            INSERT INTO audit SELECT 17, version, at, event_key, event, actor, actor_sealed, subject, subject_sealed, hash, device, result,
                command, action FROM audit WHERE seq = 600
            """)
        #expect(try await house.hub.auditWatch.look().problem == .init(seq: 17, fault: .misplaced))
    }

    @Test("Entries that are written while it looks are left to the next look, whoever they are of")
    func growing() async throws {
        let (house, _) = try await signed()
        let (watch, now) = (house.hub.auditWatch, house.clock.now)
        var course = try await watch.begin()
        let last = course.last
        // Somebody who had no key when it began.
        try await house.store.write { db in
            for _ in 0..<300 {
                try AuditTrail.append(.init(who: .person("person_new"), action: "x", result: .done), origin: .house, at: now, in: db)
            }
        }
        try await house.hub.notary.sign(at: now)
        while !course.isAtEnd { course = try await watch.goOn(course) }
        #expect(course.last == last)
        #expect(try await watch.look().problem == nil)
    }

    @Test("Segments that are dropped while it looks have it begin anew; entries that are taken out meanwhile are missed")
    func shrinking() async throws {
        let (house, _) = try await signed(700)
        let watch = house.hub.auditWatch
        let begun = try await watch.begin()
        let further = try await watch.goOn(begun)
        #expect(!further.isAtEnd)
        #expect(try await house.dropAll() == 512)
        let anew = try await watch.goOn(further)
        #expect(anew.start == 512 && anew.first == 513 && anew.walk.chain.seq == 512)
        #expect(try await watch.look().problem == nil)

        let course = try await watch.begin()
        let next = course.walk.chain.seq + 1
        try await alter(house, "DELETE FROM audit WHERE seq > \(next)")
        let end = try await watch.goOn(course)
        await #expect(throws: AuditChain.Break(seq: next + 1, fault: .missing)) { try await watch.goOn(end) }
    }

    @Test("Somebody whose key is destroyed while it looks is no break")
    func erasing() async throws {
        let (house, _) = try await signed()
        let (watch, now) = (house.hub.auditWatch, house.clock.now)
        var course = try await watch.begin()
        try await house.store.write { try house.hub.activity.ledger.keys.destroy(of: "person:person_0", at: now, in: $0) }
        while !course.isAtEnd { course = try await watch.goOn(course) }
        try course.walk.end()
        #expect(try await watch.look().problem == nil)
    }
}
