import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Audit signatures prove the log, also after old segments are dropped", .timeLimit(.minutes(10)))
struct AuditProofTests {
    private func checkpoints(_ house: TestHouse) async throws -> [Int64] {
        try await house.store.read { try Int64.fetchAll($0, sql: "SELECT size FROM audit_checkpoints ORDER BY size") }
    }

    /// The error that verification finds after a change made directly in the database file; nil if it finds none.
    private func found(in house: TestHouse, after change: @escaping @Sendable (Database) throws -> Void) async throws -> AuditChain
        .ChainError?
    {
        struct Seen: Error { let problem: AuditChain.ChainError? }
        do {
            try await house.store.write { db in
                for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'audit_*'") {
                    try db.execute(sql: "DROP TRIGGER \(name)")
                }
                try change(db)
                throw Seen(problem: try house.auditBreak(db))
            }
            return nil
        } catch let seen as Seen { return seen.problem }
    }

    @Test("Each full segment and the latest size are signed once, by the house's key only")
    func signed() async throws {
        let house = try await TestHouse.withAuditLog(600)
        let notary = house.hub.auditCheckpointer
        let entries = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
        let last = try #require(try await notary.sign(at: house.clock.now))
        #expect(last.size == entries && last.at == house.clock.now.milliseconds && last.origin.hasPrefix("cardea/"))
        #expect(try await checkpoints(house) == [256, 512, entries])
        #expect(try await notary.sign(at: house.clock.now.addingTimeInterval(60)) == last)
        #expect(try await notary.lastCheckpoint() == last)
        #expect(try await house.auditBreak() == nil)

        // The tree over all entries, computed separately.
        let lines = try await house.store.read { db in
            try Row.fetchAll(db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a ORDER BY a.seq").map {
                AuditLogWriter.record($0).canonical
            }
        }
        let leaves = lines.map { MerkleTree.leaf(Data($0.utf8)) }
        let root = try MerkleTree.root(of: 0..<entries) { $0.count == 1 ? leaves[Int($0.lowerBound)] : nil }
        #expect(last.root == root)
        let signature = try await house.store.read { db in
            try Data.fetchOne(db, sql: "SELECT signature FROM audit_checkpoints WHERE size = ?", arguments: [entries])
        }
        #expect(last.isSigned(signature ?? Data(), by: notary.signer.key.publicKey))
        #expect(!last.isSigned(signature ?? Data(), by: Curve25519.Signing.PrivateKey().publicKey))
    }

    @Test("The signing key survives a hub restart and is encrypted in the database")
    func key() async throws {
        let sealing = SealingKey.random()
        let house = try await TestHouse.withAuditLog(3, sealing: sealing)
        let key = house.hub.auditCheckpointer.signer.key.rawRepresentation
        let again = try await TestHouse.make(store: house.store, sealing: sealing)
        #expect(again.hub.auditCheckpointer.signer.key.rawRepresentation == key)
        let kept = try await house.store.read { try Data.fetchOne($0, sql: "SELECT key FROM audit_signer") }
        #expect(kept?.range(of: key) == nil)
    }

    @Test("Every segment of a long log is signed")
    func long() async throws {
        let house = try await TestHouse.withAuditLog(5000)
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        let sizes = try await checkpoints(house)
        let entries = try #require(sizes.last)
        #expect(sizes == (1...(entries / 256)).map { $0 * 256 } + [entries] && entries % 256 != 0)
        #expect(try await house.auditBreak() == nil)
    }

    @Test("Full segments are signed at once during a burst; the remainder waits for the next signing round")
    func burst() async throws {
        try await TestHouse.open { house in
            let now = house.clock.now
            @Sendable func happen(_ count: Int) async throws -> Int64 {
                try await house.store.write { db in
                    for _ in 0..<count {
                        try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: now))
                    }
                }
                return try await house.store.read { try AuditLogWriter.chainHead($0).seq }
            }
            let entries = try await happen(1000)
            try await waitUntil { try await checkpoints(house) == [256, 512, 768] }
            #expect(entries % 256 != 0 && entries < 1024)
            #expect(try await house.hub.auditCheckpointer.lastCheckpoint()?.at == now.milliseconds)

            // The per-minute signature covers the rest, and the next segment is complete all the same.
            #expect(try await house.hub.auditCheckpointer.sign(at: now)?.size == entries)
            _ = try await happen(Int(1024 - entries) - 1)
            #expect(try await checkpoints(house) == [256, 512, 768, entries])
            _ = try await happen(1)
            try await waitUntil { try await checkpoints(house) == [256, 512, 768, entries, 1024] }
            #expect(house.clock.now == now)
            #expect(try await house.auditBreak() == nil)
        }
    }

    // Entries cut off at the end left a valid chain.
    @Test("Truncation below a signed size is reported as missing; truncating unsigned entries is not")
    func cut() async throws {
        let house = try await TestHouse.withAuditLog(300)
        let last = try #require(try await house.hub.auditCheckpointer.sign(at: house.clock.now))
        try await house.store.write { db in
            try AuditLog.append(.init(who: .house, action: "later", result: .done), in: .house(db, at: house.clock.now))
        }
        let later = last.size + 1
        #expect(try await found(in: house) { try $0.execute(sql: "DELETE FROM audit WHERE seq = ?", arguments: [later]) } == nil)
        for kept in [last.size - 1, 256, 255, 10] {
            let problem = try await found(in: house) { try $0.execute(sql: "DELETE FROM audit WHERE seq > ?", arguments: [kept]) }
            #expect(problem == .init(seq: kept + 1, fault: .missing), "\(kept)")
        }
    }

    @Test("Recomputed hashes without the house's signature are reported as unsigned")
    func forged() async throws {
        let house = try await TestHouse.withAuditLog(300)
        let last = try #require(try await house.hub.auditCheckpointer.sign(at: house.clock.now))
        // Another house's entries are valid by every other check.
        let roots: [(String, Int64, AuditChain.Fault)] = [
            ("UPDATE audit_checkpoints SET root = zeroblob(32) WHERE size = 256", 256, .unsigned),
            ("UPDATE audit_checkpoints SET signature = randomblob(64) WHERE size = \(last.size)", last.size, .unsigned),
            ("UPDATE audit_checkpoints SET at = at + 1 WHERE size = 256", 256, .unsigned),
            ("UPDATE audit_segments SET root = zeroblob(32)", 256, .disproved),
            ("UPDATE audit_segments SET hash = zeroblob(32)", 256, .disproved),
            ("INSERT INTO audit_checkpoints SELECT 17, at, root, signature FROM audit_checkpoints WHERE size = 256", 17, .unsigned),
            // The signature also tells whose log it is.
            ("DELETE FROM house", 256, .unsigned),
        ]
        for (change, seq, fault) in roots {
            #expect(try await found(in: house) { try $0.execute(sql: change) } == .init(seq: seq, fault: fault), "\(change)")
        }
        // Existing entries do not depend on the segments: the entries themselves are there.
        #expect(try await found(in: house) { try $0.execute(sql: "DELETE FROM audit_segments WHERE number = 0") } == nil)
        // Signed by the house, and of another log.
        let other = AuditCheckpoint(origin: last.origin, size: 40, root: last.root, at: last.at)
        let signature = try other.signature(by: house.hub.auditCheckpointer.signer.key)
        let problem = try await found(in: house) { db in
            try db.execute(
                sql: "INSERT INTO audit_checkpoints (size, at, root, signature) VALUES (40, ?, ?, ?)",
                arguments: [other.at, other.root, signature])
        }
        #expect(problem == .init(seq: 40, fault: .disproved))
        let unsigned = try await house.store.read { db in
            do {
                try AuditVerification.verify(db, with: house.hub.activity.auditLogWriter.keys, signer: nil)
                return AuditChain.ChainError?.none
            } catch let problem as AuditChain.ChainError { return problem }
        }
        #expect(unsigned == .init(seq: 256, fault: .unsigned))
    }

    @Test("Signed segments are dropped after 90 days, and the remaining log still verifies")
    func dropped() async throws {
        let house = try await TestHouse.withAuditLog(700)
        let (notary, clock) = (house.hub.auditCheckpointer, house.clock)
        func drop() async throws -> Int64 {
            try await notary.drop(before: clock.now.addingTimeInterval(-Double(RetentionKind.audit.defaultDays) * 86_400))
        }
        clock.advance(by: 91 * 86_400)
        #expect(try await drop() == 0, "what was not signed is not dropped")
        let now = clock.now
        try await house.store.write { db in
            for _ in 0..<100 { try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: now)) }
        }
        try await notary.sign(at: clock.now)
        #expect(try await drop() == 512)
        #expect(try await drop() == 0)
        let told = try await house.auditNotes().filter { $0.action == "audit.drop" }
        #expect(told.map(\.entityID) == [AuditCheckpointer.segmentName(of: 0), AuditCheckpointer.segmentName(of: 1)])
        let first = try await house.store.read { try Int64.fetchOne($0, sql: "SELECT min(seq) FROM audit") }
        #expect(first == 513)
        #expect(try await house.auditBreak() == nil)
        #expect(try await house.auditNotes().count > 280)

        try await house.store.write { db in
            try AuditLog.append(.init(who: .house, action: "y", result: .done), in: .house(db, at: now))
        }
        try await notary.sign(at: clock.now)
        #expect(try await house.auditBreak() == nil)
        #expect(try await found(in: house) { try $0.execute(sql: "DELETE FROM audit WHERE seq = 600") } == .init(seq: 600, fault: .missing))
        #expect(try await found(in: house) { try $0.execute(sql: "DELETE FROM audit WHERE seq = 513") } == .init(seq: 513, fault: .missing))
        let regained = try await found(in: house) {
            try $0.execute(sql: "UPDATE audit_segments SET dropped_at = NULL WHERE number = 0")
        }
        #expect(regained == .init(seq: 1, fault: .missing))
        // All segments of dropped entries remain.
        for (number, seq) in [(0, 1), (1, 257)] as [(Int64, Int64)] {
            let gap = try await found(in: house) {
                try $0.execute(sql: "DELETE FROM audit_segments WHERE number = ?", arguments: [number])
            }
            #expect(gap == .init(seq: seq, fault: .missing), "\(number)")
        }
        // Truncated by an intruder: younger than its retention, and without an entry about it.
        let shortened = try await found(in: house) { db in
            try db.execute(sql: "UPDATE audit_segments SET dropped_at = 1 WHERE number = 2; DELETE FROM audit WHERE seq <= 768")
        }
        #expect(shortened == .init(seq: 768, fault: .missing))
        let excused = try await found(in: house) { db in
            try db.execute(
                sql: """
                    UPDATE audit_segments SET dropped_at = 1 WHERE number = 2; DELETE FROM audit WHERE seq <= 768;
                    INSERT INTO audit_gone (name, at) VALUES ('audit_segment:2', 1)
                    """)
        }
        #expect(excused == .init(seq: 768, fault: .missing))
        let forged = try await found(in: house) { try $0.execute(sql: "UPDATE audit_segments SET root = zeroblob(32) WHERE number = 1") }
        #expect(forged == .init(seq: 512, fault: .disproved))
    }

    // The list of deletions from before the audit log recorded them is in plaintext, and was trusted without limit: a row in it excused a
    // missing year.
    @Test("Deleting the beginning is reported as missing even with forged drop records or a removed signing key")
    func excused() async throws {
        let house = try await TestHouse.withAuditLog(600)
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        for more in ["SELECT 1", "DELETE FROM audit_signer", "DELETE FROM audit_signer; DELETE FROM audit_checkpoints"] {
            let problem = try await found(in: house) { db in
                try db.execute(
                    sql: """
                        UPDATE audit_segments SET dropped_at = 1 WHERE number = 0; DELETE FROM audit WHERE seq <= 256;
                        INSERT INTO audit_gone (name, at) VALUES ('audit_segment:0', 1)
                        """)
                try db.execute(sql: more)
            }
            #expect(problem == .init(seq: 256, fault: .missing), "\(more)")
        }
    }

    // A person with the house's key writes another log and signs it: only an earlier kept checkpoint reveals that.
    @Test("A log that only grew matches a kept checkpoint note; a log that diverges from it is reported")
    func kept() async throws {
        let sealing = SealingKey.random()
        let house = try await TestHouse.withAuditLog(300, sealing: sealing)
        let (notary, now) = (house.hub.auditCheckpointer, house.clock.now)
        let size = try #require(try await notary.sign(at: now)).size
        let seen = try await house.store.read { db in
            let row = try #require(
                try Row.fetchOne(db, sql: "SELECT size, root, at, signature FROM audit_checkpoints ORDER BY size DESC LIMIT 1"))
            return notary.signer.note(of: row).note
        }
        func note(_ size: Int64, by key: Curve25519.Signing.PrivateKey) throws -> String {
            let other = AuditCheckpoint(origin: notary.signer.origin, size: size, root: Data(count: 32), at: 0)
            return other.note(try other.signature(by: key), by: key.publicKey)
        }
        func look(_ notes: String...) async throws -> (problem: String?, uncompared: [Int64]) {
            try await AuditVerification.verifyStored(at: house.store, sealing: sealing, against: notes)
        }
        try await house.store.write { db in
            try AuditLog.append(.init(who: .house, action: "later", result: .done), in: .house(db, at: now))
        }
        let whole = try await look(seen)
        #expect(whole.problem == nil && whole.uncompared.isEmpty)
        let problems: [(note: String, problem: String)] = [
            (try note(100, by: notary.signer.key), AuditChain.ChainError(seq: 100, fault: .disproved).description),
            (try note(size, by: notary.signer.key), AuditChain.ChainError(seq: size, fault: .disproved).description),
            (try note(size + 2, by: notary.signer.key), AuditChain.ChainError(seq: size + 2, fault: .missing).description),
            (try note(size, by: Curve25519.Signing.PrivateKey()), ForeignCheckpointError().description),
            ("no note", ForeignCheckpointError().description),
        ]
        for (note, problem) in problems { #expect(try await look(seen, note).problem == problem) }
        #expect(try await house.dropAllSegments() == 256)
        let dropped = try await look(seen, note(100, by: notary.signer.key))
        #expect(dropped.problem == nil && dropped.uncompared == [100])
    }

    @Test("No segment is dropped while all entries are old, and the next entry chains to the newest kept one")
    func newest() async throws {
        let house = try await TestHouse.withAuditLog(600)
        let entries = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
        let now = house.clock.now
        try await house.store.write { db in
            for _ in entries..<768 {
                try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: now))
            }
        }
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        house.clock.advance(by: 400 * 86_400)
        let today = house.clock.now
        #expect(try await house.hub.auditCheckpointer.drop(before: today) == 0)
        try await house.store.write { db in
            try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: today))
        }
        // Each drop has its own entry.
        #expect(try await house.hub.auditCheckpointer.drop(before: today) == 768)
        #expect(try await house.store.read { try Int64.fetchAll($0, sql: "SELECT seq FROM audit ORDER BY seq") } == [769, 770, 771, 772])
        #expect(try await house.auditBreak() == nil)
        try await house.store.write { db in
            try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: now))
        }
        #expect(try await house.auditBreak() == nil)
    }

    /// A house whose audit log has 300 current entries, all of them signed; the last one of the first segment was written with the clock at
    /// `moment`.
    private func makeLog(_ moment: Date? = nil, log: LogRecorder = LogRecorder()) async throws -> TestHouse {
        let house = try await TestHouse.make(store: .inMemory(), logger: log.logger)
        let now = house.clock.now
        let entries = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
        try await house.store.write { db in
            for seq in (entries + 1)...300 {
                try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: seq == 256 ? moment ?? now : now))
            }
        }
        try await house.hub.auditCheckpointer.sign(at: now)
        return house
    }

    private func dropSegments(_ house: TestHouse) async throws -> Int64 {
        try await house.hub.auditCheckpointer.drop(before: house.clock.now.addingTimeInterval(-90 * 86_400))
    }

    // A segment was as old as its last entry. One entry dated ten years ahead by a wrong clock kept 255 others for ten years, and one of
    // 1970 deleted as many new ones.
    @Test("An entry with a wrong timestamp neither prolongs retention nor causes recent entries to be dropped")
    func wrongClocks() async throws {
        let ahead = ManualClock().now.addingTimeInterval(3650 * 86_400)
        for moment in [ahead, Date(timeIntervalSince1970: 3600)] {
            let house = try await makeLog(moment)
            #expect(try await dropSegments(house) == 0)
            house.clock.advance(by: 89 * 86_400)
            let later = house.clock.now
            try await house.store.write { db in
                try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: later))
            }
            #expect(try await dropSegments(house) == 0)
            house.clock.advance(by: 2 * 86_400)
            #expect(try await dropSegments(house) == 256)
            #expect(try await house.auditBreak() == nil)
        }
    }

    // A person with write access to the file had the house delete their traces: they backdated them, and the nightly sweep deleted them.
    @Test("Backdated entries are not dropped; the mismatch with the signature is logged and reported")
    func datedBack() async throws {
        let log = LogRecorder()
        let house = try await makeLog(log: log)
        try await house.store.write {
            try $0.execute(sql: "DROP TRIGGER audit_segments_are_dropped_in_order; UPDATE audit_segments SET last_at = 0")
        }
        #expect(try await dropSegments(house) == 0)
        #expect(try await house.auditBreak() == nil)
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER audit_is_append_only; UPDATE audit SET at = 0 WHERE seq <= 270") }
        #expect(try await dropSegments(house) == 0)
        #expect(log.entries.contains { $0.hasPrefix("audit entries differ from the signed log") })
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM audit") } == 300)
        #expect(try await house.auditBreak() == .init(seq: 1, fault: .forged))
    }

    @Test("Triggers refuse deleting signed entries and dropping segments unsigned, out of order or twice")
    func triggers() async throws {
        let house = try await TestHouse.withAuditLog(600)
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        for change in [
            "DELETE FROM audit", "DELETE FROM audit WHERE seq = 1", "DELETE FROM audit_segments", "DELETE FROM audit_checkpoints",
            "DELETE FROM audit_checkpoints WHERE size = 256", "UPDATE audit_checkpoints SET at = 0",
            "UPDATE audit_segments SET root = hash",
            "UPDATE audit_segments SET dropped_at = 1 WHERE number = 1", "UPDATE audit_segments SET dropped_at = NULL",
            "INSERT INTO audit_segments (number, root, hash, last_at) VALUES (9, zeroblob(32), zeroblob(32), 0)",
            "UPDATE audit_segments SET dropped_at = 1 WHERE number = 0; UPDATE audit_segments SET dropped_at = 2 WHERE number = 0",
            "UPDATE audit_segments SET dropped_at = 1 WHERE number = 0; DELETE FROM audit WHERE seq = 257",
        ] {
            await #expect(throws: DatabaseError.self, "\(change)") { try await house.store.write { try $0.execute(sql: change) } }
        }
    }

    @Test("A failed signature is logged and made up in the next round; entries behind a gap are not signed")
    func outage() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            try await house.store.write {
                try $0.execute(
                    sql: "CREATE TRIGGER outage BEFORE INSERT ON audit_checkpoints BEGIN SELECT RAISE(ABORT, 'no room'); END")
            }
            house.clock.advance(by: 61)
            try await waitUntil { log.entries.contains { $0.hasPrefix("audit log step failed") && $0.contains("step=signed") } }
            try await house.store.write { try $0.execute(sql: "DROP TRIGGER outage") }
            house.clock.advance(by: 61)
            try await waitUntil { try await house.hub.auditCheckpointer.lastCheckpoint() != nil }
            _ = try await house.run(house.unlock(as: owner))
            let last = try await house.store.read { try AuditLogWriter.chainHead($0).seq }
            try await house.store.write { try $0.execute(sql: "DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE seq = \(last - 1)") }
            #expect(try await house.hub.auditCheckpointer.sign(at: house.clock.now)?.size == last - 2)
        }
    }

    @Test("A running hub signs once a minute and thins out intermediate checkpoints after a week")
    func alive() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            for round in 1...3 {
                _ = try await house.run(house.unlock(as: owner))
                house.clock.advance(by: 61)
                try await waitUntil {
                    try await house.hub.auditCheckpointer.lastCheckpoint()?.size
                        == (try await house.store.read { try AuditLogWriter.chainHead($0).seq })
                }
                #expect(try await checkpoints(house).count == round)
            }
            house.clock.advance(by: 8 * 86_400)
            _ = try await house.run(house.unlock(as: owner))
            try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            let weekAgo = house.clock.now.addingTimeInterval(-7 * 86_400).milliseconds
            let old = try await house.store.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM audit_checkpoints WHERE at < ?", arguments: [weekAgo])
            }
            #expect(old == 0)
            #expect(try await house.auditBreak() == nil)
        }
    }
}
