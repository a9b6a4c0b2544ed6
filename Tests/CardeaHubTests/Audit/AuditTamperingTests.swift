import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Crypto
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Tampering with the stored audit log", .timeLimit(.minutes(10)))
struct AuditTamperingTests {
    /// The error that verification finds after a change made directly in the database file; nil if it finds none.
    private func found(in house: TestHouse, after change: @escaping @Sendable (Database) throws -> Void) async throws -> AuditChain
        .ChainError?
    {
        struct Seen: Error { let problem: AuditChain.ChainError? }
        do {
            try await house.store.write { db in
                for trigger in ["audit_is_append_only", "audit_is_kept", "destroyed_audit_key_stays", "audit_keys_stay"] {
                    try db.execute(sql: "DROP TRIGGER \(trigger)")
                }
                try change(db)
                throw Seen(problem: try house.auditBreak(db))
            }
            return nil
        } catch let seen as Seen { return seen.problem }
    }

    /// Flips one bit in a column of an entry.
    private static func flip(_ column: String, at seq: Int64, _ db: Database) throws {
        var data = try #require(try Data.fetchOne(db, sql: "SELECT \(column) FROM audit WHERE seq = ?", arguments: [seq]))
        data[data.startIndex + data.count / 2] ^= 4
        try db.execute(sql: "UPDATE audit SET \(column) = ? WHERE seq = ?", arguments: [data, seq])
    }

    /// Shifts every entry from `seq` on by `step`.
    private static func shift(from seq: Int64, by step: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE audit SET seq = seq + 1000000 WHERE seq >= ?", arguments: [seq])
        try db.execute(sql: "UPDATE audit SET seq = seq - 1000000 + ? WHERE seq >= 1000000", arguments: [step])
    }

    private static func copy(_ seq: Int64, to place: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO audit SELECT ?, version, at, event_key, event, actor, actor_sealed, subject, subject_sealed, hash, device, result,
                    command, action FROM audit WHERE seq = ?
                """, arguments: [place, seq])
    }

    /// Recomputes all hashes, like an intruder who knows the chain's construction.
    private static func rechain(_ db: Database) throws {
        var chain = AuditChain()
        for row in try Row.fetchAll(db, sql: "SELECT \(AuditLogWriter.columns) FROM audit a ORDER BY a.seq") {
            let record = AuditLogWriter.record(row)
            chain.append(record.canonical)
            try db.execute(sql: "UPDATE audit SET hash = ? WHERE seq = ?", arguments: [chain.hash, record.seq])
        }
    }

    private static let tricks: [(name: String, fault: AuditChain.Fault, change: @Sendable (Database, Int64) throws -> Void)] = [
        ("what happened is changed", .forged, { try flip("event", at: $1, $0) }),
        ("who did it is changed", .forged, { try flip("actor_sealed", at: $1, $0) }),
        ("the hash is changed", .altered, { try flip("hash", at: $1, $0) }),
        ("the moment is changed", .forged, { try $0.execute(sql: "UPDATE audit SET at = at + 1 WHERE seq = ?", arguments: [$1]) }),
        (
            "the moment is changed and all hashes made anew", .forged,
            {
                try $0.execute(sql: "UPDATE audit SET at = at + 1 WHERE seq = ?", arguments: [$1])
                try rechain($0)
            }
        ),
        ("the version is changed", .altered, { try $0.execute(sql: "UPDATE audit SET version = 2 WHERE seq = ?", arguments: [$1]) }),
        (
            "what happened is changed and all hashes made anew", .forged,
            {
                try flip("event", at: $1, $0)
                try rechain($0)
            }
        ),
        (
            "it is said to have been somebody with another key", .keyless,
            { try $0.execute(sql: "UPDATE audit SET actor = 7 WHERE seq = ?", arguments: [$1]) }
        ),
        ("it is taken out", .missing, { try $0.execute(sql: "DELETE FROM audit WHERE seq = ?", arguments: [$1]) }),
        (
            "it and the next two are taken out", .missing,
            { try $0.execute(sql: "DELETE FROM audit WHERE seq BETWEEN ?1 AND ?1 + 2", arguments: [$1]) }
        ),
        (
            "it is taken out, the others close up, and all hashes are made anew", .forged,
            {
                try $0.execute(sql: "DELETE FROM audit WHERE seq = ?", arguments: [$1])
                try shift(from: $1 + 1, by: -1, $0)
                try rechain($0)
            }
        ),
        (
            "an old one is put in again before it", .forged,
            {
                try shift(from: $1, by: 1, $0)
                try copy($1 == 1 ? 5 : 1, to: $1, $0)
                try rechain($0)
            }
        ),
        (
            "one of somebody else's house is put in", .keyless,
            {
                try shift(from: $1, by: 1, $0)
                try copy($1 == 1 ? 5 : 1, to: $1, $0)
                try $0.execute(sql: "UPDATE audit SET event_key = 7, actor = 7 WHERE seq = ?", arguments: [$1])
                try rechain($0)
            }
        ),
        (
            "it changes places with the next but one", .forged,
            {
                try copy($1, to: 1_000_000, $0)
                try $0.execute(sql: "DELETE FROM audit WHERE seq = ?", arguments: [$1])
                try copy($1 + 2, to: $1, $0)
                try $0.execute(sql: "DELETE FROM audit WHERE seq = ?", arguments: [$1 + 2])
                try copy(1_000_000, to: $1 + 2, $0)
                try $0.execute(sql: "DELETE FROM audit WHERE seq = 1000000")
                try rechain($0)
            }
        ),
        (
            "it is filed under another device", .misfiled,
            { try $0.execute(sql: "UPDATE audit SET device = coalesce(device, 0) + 1 WHERE seq = ?", arguments: [$1]) }
        ),
        (
            "it is filed under another result", .misfiled,
            { try $0.execute(sql: "UPDATE audit SET result = result + 1 WHERE seq = ?", arguments: [$1]) }
        ),
        (
            "it is filed under another action", .misfiled,
            { try $0.execute(sql: "UPDATE audit SET action = action + 1 WHERE seq = ?", arguments: [$1]) }
        ),
        (
            "it is filed under another command", .misfiled,
            { try $0.execute(sql: "UPDATE audit SET command = coalesce(command, 0) + 1 WHERE seq = ?", arguments: [$1]) }
        ),
    ]

    @Test("Every kind of tampering is reported at the tampered entry")
    func tampering() async throws {
        let house = try await TestHouse.withAuditLog()
        let count = try await house.auditNotes().count
        #expect(try await house.auditBreak() == nil)
        // The first, the last one with entries after it, and some in between.
        for place in [1, 2, 17, 40, count - 3] {
            for trick in Self.tricks {
                let problem = try await found(in: house) { try trick.change($0, Int64(place)) }
                #expect(problem == AuditChain.ChainError(seq: Int64(place), fault: trick.fault), "\(trick.name) at \(place)")
            }
        }
        #expect(try await house.auditBreak() == nil)
    }

    @Test("Random tampering at random positions is reported at that position")
    func randomTampering() async throws {
        let house = try await TestHouse.withAuditLog(200)
        let count = try await house.auditNotes().count
        var random = SeededGenerator.forTest(2)
        for _ in 0..<TestRepetitions.of(20, full: 100) {
            let place = Int64.random(in: 1...Int64(count - 3), using: &random)
            let trick = Self.tricks[Int.random(in: Self.tricks.indices, using: &random)]
            let problem = try await found(in: house) { try trick.change($0, place) }
            #expect(problem == AuditChain.ChainError(seq: place, fault: trick.fault), "\(trick.name) at \(place), seed \(random.seed)")
        }
    }

    @Test("Removing or changing an entry's subject is reported")
    func subjects() async throws {
        let house = try await TestHouse.withAuditLog()
        let seq = try await house.store.read {
            try #require(try Int64.fetchOne($0, sql: "SELECT min(seq) FROM audit WHERE subject IS NOT NULL"))
        }
        #expect(
            try await found(in: house) {
                try $0.execute(sql: "UPDATE audit SET subject = NULL, subject_sealed = NULL WHERE seq = ?", arguments: [seq])
            } == .init(seq: seq, fault: .altered))
        #expect(try await found(in: house) { try Self.flip("subject_sealed", at: seq, $0) } == .init(seq: seq, fault: .forged))
    }

    @Test("An exchanged or removed key is reported at the first entry that needs it; cutting unsigned entries is not reported")
    func keys() async throws {
        let house = try await TestHouse.withAuditLog()
        let (key, first) = try await house.store.read { db in
            let row = try #require(
                try Row.fetchOne(db, sql: "SELECT actor, seq FROM audit WHERE actor <> event_key AND subject IS NULL ORDER BY seq LIMIT 1"))
            let key: Int64 = row[0]
            return (
                key, try #require(try Int64.fetchOne(db, sql: "SELECT min(seq) FROM audit WHERE ? IN (actor, subject)", arguments: [key]))
            )
        }
        // The last one looks like an erasure, and the log records none.
        for change in [
            "UPDATE audit_keys SET wrapped = randomblob(60) WHERE id = ?", "DELETE FROM audit_keys WHERE id = ?",
            "UPDATE audit_keys SET wrapped = NULL, subject = NULL, destroyed_at = 1 WHERE id = ?",
        ] {
            #expect(
                try await found(in: house) { try $0.execute(sql: change, arguments: [key]) } == .init(seq: first, fault: .keyless),
                "\(change)")
        }
        // A plaintext name proves nothing, and a house without its signing key had one: its log records the creation.
        for more in ["SELECT 1", "DELETE FROM audit_signer"] {
            let problem = try await found(in: house) { db in
                try Self.deleteKey(key, db)
                try db.execute(sql: more)
            }
            #expect(problem == .init(seq: first, fault: .keyless), "\(more)")
        }
        // The house's own key must not be destroyed: without it the log is unreadable.
        let destroyed = try await found(in: house) {
            try $0.execute(sql: "UPDATE audit_keys SET wrapped = NULL, destroyed_at = 1 WHERE purpose = 'house'")
        }
        #expect(destroyed == .init(seq: 1, fault: .forged))
        // This needs a signed root from before the cut.
        #expect(try await found(in: house) { try $0.execute(sql: "DELETE FROM audit WHERE seq > 20") } == nil)
    }

    // The search uses the index, and nothing compared it with the entries. An entry deleted from it was never found, and the log counted as
    // intact.
    @Test("A missing or altered index row is reported at its entry")
    func index() async throws {
        let house = try await TestHouse.withAuditLog()
        try await house.hub.auditCheckpointer.updateIndex()
        #expect(try await house.auditBreak() == nil)
        let changes =
            ["DELETE FROM audit_index"]
            + [
                "at = at + 1", "actor = 7", "subject = coalesce(subject, 0) + 1", "device = coalesce(device, 0) + 1", "result = result + 1",
                "command = coalesce(command, 0) + 1", "action = action + 1", "action = NULL",
            ].map { "UPDATE audit_index SET \($0)" }
        for change in changes {
            let problem = try await found(in: house) { try $0.execute(sql: "\(change) WHERE seq = 17") }
            #expect(problem == .init(seq: 17, fault: .misfiled), "\(change)")
        }
        // The last entries are indexed a while after they are written, and are scanned until then.
        #expect(try await found(in: house) { try $0.execute(sql: "DELETE FROM audit_index WHERE seq > 20") } == nil)
        // An older hub's entry is marked in both at once.
        let unmarked = try await found(in: house) {
            try $0.execute(sql: "UPDATE audit SET action = NULL; UPDATE audit_index SET action = NULL")
        }
        #expect(unmarked == nil)
    }

    /// Destroys a key like an older hub, and records it in an older house's list.
    private static func deleteKey(_ key: Int64, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE audit_keys SET wrapped = NULL, subject = NULL, destroyed_at = 1 WHERE id = ?", arguments: [key])
        try db.execute(sql: "INSERT INTO audit_gone (name, at) VALUES (?, 1)", arguments: [AuditKeys.entryName(of: key)])
    }

    /// Turns the house into one from before the log recorded deletions, judged by its signing key.
    private static func makeOld(_ store: Store, _ sealing: SealingKey) async throws {
        try await store.write { db in
            let sealed = try #require(try Data.fetchOne(db, sql: "SELECT key FROM audit_signer"))
            let old = try sealing.seal(sealing.open(sealed, for: AuditSigner.sealingLabel), for: "audit_signer/1/key")
            try db.execute(sql: "UPDATE audit_signer SET key = ?", arguments: [old])
        }
    }

    // A person with write access to the file deleted a key and wrote its name into an older house's list of deletions. The verification
    // trusted it, and the next start recorded it as the house's own statement.
    @Test("Erasures from before the log recorded them are imported once and marked so; later forged records are rejected")
    func before() async throws {
        let sealing = SealingKey.random()
        let house = try await TestHouse.withAuditLog(sealing: sealing)
        let keys = try await house.store.read {
            try Int64.fetchAll($0, sql: "SELECT DISTINCT actor FROM audit WHERE actor <> event_key ORDER BY actor LIMIT 2")
        }
        let (gone, taken) = (try #require(keys.first), try #require(keys.last))
        let first = try await house.store.read {
            try #require(try Int64.fetchOne($0, sql: "SELECT min(seq) FROM audit WHERE ? IN (actor, subject)", arguments: [taken]))
        }
        try await Self.makeOld(house.store, sealing)
        try await house.store.write { try Self.deleteKey(gone, $0) }
        #expect(try await AuditVerification.problem(in: house.store, sealing: sealing) == nil)

        let next = try await TestHouse.make(store: house.store, sealing: sealing, clock: house.clock)

        func told() async throws -> [UnsealedAuditEntry] { try await next.auditNotes().filter { $0.action == AuditKeys.destroyAction } }
        #expect(try await told().map(\.entityID) == [AuditKeys.entryName(of: gone)])
        #expect(try await told().map(\.reason) == [.beforeRecord])
        #expect(next.hub.auditCheckpointer.signer.key.rawRepresentation == house.hub.auditCheckpointer.signer.key.rawRepresentation)
        #expect(try await house.store.read { try AuditSigner.generation(sealing: sealing, in: $0) } == .current)
        #expect(try await house.store.read { try String.fetchAll($0, sql: "SELECT name FROM audit_gone") } == [])
        #expect(try await AuditVerification.problem(in: house.store, sealing: sealing) == nil)

        try await house.store.write { try Self.deleteKey(taken, $0) }
        let broken = AuditChain.ChainError(seq: first, fault: .keyless)
        #expect(try await next.auditBreak() == broken)
        _ = try await TestHouse.make(store: house.store, sealing: sealing, clock: house.clock)
        #expect(try await told().count == 1)
        #expect(try await next.auditBreak() == broken)
        // Nor with a copy of the key sealed as before: by then the log itself records the deletions.
        try await Self.makeOld(house.store, sealing)
        #expect(try await AuditVerification.problem(in: house.store, sealing: sealing) == broken.description)
        _ = try await TestHouse.make(store: house.store, sealing: sealing, clock: house.clock)
        #expect(try await told().count == 1)
        #expect(try await next.auditBreak() == broken)
    }

    @Test("A segment dropped by an older hub is recorded at the next start with the reason `before_record`")
    func beginningBefore() async throws {
        let sealing = SealingKey.random()
        let house = try await TestHouse.withAuditLog(300, sealing: sealing)
        try await house.hub.auditCheckpointer.sign(at: house.clock.now)
        try await Self.makeOld(house.store, sealing)
        try await house.store.write { db in
            try db.execute(
                sql: """
                    UPDATE audit_segments SET dropped_at = 1 WHERE number = 0; DELETE FROM audit WHERE seq <= 256;
                    INSERT INTO audit_gone (name, at) VALUES ('audit_segment:0', 1)
                    """)
        }
        #expect(try await AuditVerification.problem(in: house.store, sealing: sealing) == nil)

        let next = try await TestHouse.make(store: house.store, sealing: sealing, clock: house.clock)

        let told = try await next.auditNotes().filter { $0.action == AuditCheckpointer.dropAction }
        #expect(told.map(\.entityID) == [AuditCheckpointer.segmentName(of: 0)])
        #expect(told.map(\.reason) == [.beforeRecord])
        #expect(try await house.store.read { try String.fetchAll($0, sql: "SELECT name FROM audit_gone") } == [])
        #expect(try await AuditVerification.problem(in: house.store, sealing: sealing) == nil)
    }

    // When nothing had been deleted yet, the upgrade left no entry. A person with a copy of the key sealed as before restored it, deleted a
    // key, and was trusted.
    @Test("The upgrade renews the signing key on record, so that restoring the old key excuses no erasure")
    func keptKey() async throws {
        let sealing = SealingKey.random()
        let house = try await TestHouse.withAuditLog(sealing: sealing)
        try await Self.makeOld(house.store, sealing)
        let kept = try await house.store.read { try #require(try Data.fetchOne($0, sql: "SELECT key FROM audit_signer")) }
        let next = try await TestHouse.make(store: house.store, sealing: sealing, clock: house.clock)
        #expect(try await next.auditNotes().filter { $0.action == "key.renew" }.map(\.reason) == [.auditSigner])
        #expect(try await AuditVerification.problem(in: house.store, sealing: sealing) == nil)

        let first = try await house.store.write { db in
            let key = try #require(try Int64.fetchOne(db, sql: "SELECT actor FROM audit WHERE actor <> event_key ORDER BY seq LIMIT 1"))
            try db.execute(sql: "UPDATE audit_signer SET key = ?", arguments: [kept])
            try Self.deleteKey(key, db)
            return try #require(try Int64.fetchOne(db, sql: "SELECT min(seq) FROM audit WHERE ? IN (actor, subject)", arguments: [key]))
        }

        let broken = AuditChain.ChainError(seq: first, fault: .keyless)
        #expect(try await AuditVerification.problem(in: house.store, sealing: sealing) == broken.description)
        _ = try await TestHouse.make(store: house.store, sealing: sealing, clock: house.clock)
        #expect(try await next.auditNotes().allSatisfy { $0.action != AuditKeys.destroyAction })
        #expect(try await next.auditBreak() == broken)
    }

    @Test("Triggers refuse changing, deleting or restoring audit entries and keys")
    func triggers() async throws {
        let house = try await TestHouse.withAuditLog(6)
        for change in [
            "UPDATE audit SET at = 0", "DELETE FROM audit", "DELETE FROM audit_keys",
            "INSERT INTO audit_keys (id, purpose, wrapped, created_at) VALUES (1, 'house', x'00', 0)",
        ] {
            await #expect(throws: DatabaseError.self, "\(change)") { try await house.store.write { try $0.execute(sql: change) } }
        }
        let now = house.clock.now
        try await house.store.write { try house.hub.activity.auditLogWriter.keys.destroy(of: "person:person_0", at: now, in: $0) }
        await #expect(throws: DatabaseError.self) {
            try await house.store.write {
                try $0.execute(sql: "UPDATE audit_keys SET wrapped = x'00', destroyed_at = NULL WHERE destroyed_at IS NOT NULL")
            }
        }
    }

    @Test("Verification messages name an intact log, a broken entry, or a key that does not belong to the house")
    func words() async throws {
        let key = SealingKey.random()
        #expect(try await AuditVerification.problem(in: .inMemory(), sealing: key) == nil)
        let house = try await TestHouse.withAuditLog(10, sealing: key)
        #expect(try await AuditVerification.problem(in: house.store, sealing: key) == nil)
        let problem = try await AuditVerification.problem(in: house.store, sealing: .random())
        #expect(problem?.contains("Put back the hub.key that belongs to this house.sqlite") == true)
        await #expect(throws: AuditKeyError.self) { _ = try await TestHouse.make(store: house.store, sealing: .random()) }
        // The signing key's error was once in a crypto library's words.
        let (kept, damaged) = (
            try await house.store.read { try Data.fetchOne($0, sql: "SELECT key FROM audit_signer") },
            HouseKeyError.doesNotOpen(table: "audit_signer")
        )
        // One that cannot be decrypted, and one that can and is not a signing key.
        for wrong in [Data([0]), try key.seal(Data(count: 31), for: AuditSigner.sealingLabel)] {
            try await house.store.write { try $0.execute(sql: "UPDATE audit_signer SET key = ?", arguments: [wrong]) }
            await #expect(throws: damaged) { _ = try await AuditVerification.problem(in: house.store, sealing: key) }
            await #expect(throws: damaged) { _ = try await TestHouse.make(store: house.store, sealing: key) }
        }
        #expect(damaged.description.contains("signs the audit log") && damaged.description.contains("Restore the house from a backup"))
        try await house.store.write { try $0.execute(sql: "UPDATE audit_signer SET key = ?", arguments: [kept]) }
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER audit_is_kept; DELETE FROM audit WHERE seq = 4") }
        #expect(
            try await AuditVerification.problem(in: house.store, sealing: key) == "Entry 4 of the audit log is missing.")
        // A house that was in use has keys and a log.
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER audit_keys_stay; DELETE FROM audit_keys") }
        #expect(
            try await AuditVerification.problem(in: house.store, sealing: key) == "Entry 1 of the audit log has lost its key.")
        try await house.store.write { try $0.execute(sql: "DELETE FROM audit; UPDATE house SET claimed_at = 1") }
        #expect(try await AuditVerification.problem(in: house.store, sealing: key) != nil)
    }

    @Test("An empty database verifies; a database with traces of a record but no key does not")
    func neverServed() async throws {
        let key = SealingKey.random()
        let traces = [
            "INSERT INTO house (id, house_id, name, time_zone, claimed_at) VALUES (1, 'house', 'Lime House', 'Europe/Berlin', 1)",
            "INSERT INTO audit_segments (number, root, hash, last_at) VALUES (0, zeroblob(32), zeroblob(32), 0)",
            "INSERT INTO audit_checkpoints (size, at, root, signature) VALUES (1, 0, zeroblob(32), zeroblob(64))",
        ]
        for trace in traces {
            let store = try Store.inMemory()
            // An older hub's plaintext entries.
            try await store.write { try $0.execute(sql: "DROP TABLE audit_plain") }
            #expect(try await AuditVerification.problem(in: store, sealing: key) == nil)
            let kept = try await AuditVerification.verifyStored(at: store, sealing: key, against: ["a note of some house"])
            #expect(kept.problem == ForeignCheckpointError().description && kept.uncompared.isEmpty)

            try await store.write { try $0.execute(sql: trace) }

            let keyless = AuditChain.ChainError(seq: 1, fault: .keyless).description
            #expect(try await AuditVerification.problem(in: store, sealing: key) == keyless, "\(trace)")
        }
    }
}
