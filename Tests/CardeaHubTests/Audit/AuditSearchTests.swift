import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Audit search by person, device, outcome, action and time, paged")
struct AuditSearchTests {
    /// The ids of the entries that a filter finds, read in pages of seven.
    private func found(_ house: TestHouse, _ filter: ActivityLog.Filter) async throws -> [Int] {
        var (all, filter): ([Int], ActivityLog.Filter) = ([], filter)
        filter.limit = 7
        filter.isWhole = true
        while true {
            let page = try await house.store.read { [filter] in try house.hub.activity.entries(filter, in: $0) }
            all += page.map(\.id)
            guard page.count == 7, let last = page.last else { return all }
            filter.before = last.id
        }
    }

    /// The last entry that the index contains at the time of a search.
    enum Listed: CaseIterable {
        case nothing, whatIsOld, everything
    }

    @Test(
        "Each filter alone and combined returns exactly the matching entries, indexed or not",
        arguments: Listed.allCases)
    func filters(listed: Listed) async throws {
        let house = try await TestHouse.withAuditLog(100)
        house.clock.advance(by: 3600)
        if listed == .whatIsOld { try await house.hub.auditCheckpointer.updateIndex() }
        let later = house.clock.now
        try await house.store.write { db in
            try AuditLog.append(
                .init(who: .person("person_1"), action: "login", result: .refused, reason: .wrongCode), in: .house(db, at: later))
            try AuditLog.append(
                .init(who: .person("person_1"), action: "login", result: .read), in: .house(db, at: later.addingTimeInterval(5)))
        }
        if listed == .everything { try await house.hub.auditCheckpointer.updateIndex() }
        let notes = try await house.auditNotes()
        let rows = try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM audit_index") }
        #expect(rows == [.nothing: 0, .whatIsOld: notes.count - 2, .everything: notes.count][listed])
        func expected(_ fits: (UnsealedAuditEntry) -> Bool) -> [Int] {
            notes.enumerated().filter { fits($0.element) }.map { $0.offset + 1 }.reversed()
        }
        func concerns(_ note: UnsealedAuditEntry, _ name: String) -> Bool {
            note.actor == name || note.subject(besides: note.actor) == name
        }
        #expect(try await found(house, .init()) == expected { _ in true })
        #expect(try await found(house, .init(personID: "person_0")) == expected { concerns($0, "person:person_0") })
        #expect(try await found(house, .init(guestID: "guest_1")) == expected { concerns($0, "guest:guest_1") })
        #expect(try await found(house, .init(deviceID: "front-door")) == expected { $0.deviceID == "front-door" })
        #expect(try await found(house, .init(result: "refused")) == expected { $0.result == "refused" })
        #expect(try await found(house, .init(action: "unlock")) == expected { $0.action == "unlock" })
        #expect(try await found(house, .init(from: later)) == expected { $0.at >= later })
        #expect(try await found(house, .init(to: later)) == expected { $0.at <= later })
        #expect(
            try await found(house, .init(personID: "person_1", result: "refused", action: "login", from: later, to: later))
                == expected { concerns($0, "person:person_1") && $0.result == "refused" && $0.action == "login" && $0.at == later })
        #expect(try await found(house, .init(personID: "nobody")) == [])
        #expect(try await found(house, .init(action: "no.such")) == [])
    }

    @Test("A finished command is listed by its final entry only, wherever the index ends", arguments: 0...4)
    func ended(listedBefore place: Int) async throws {
        let house = try await TestHouse.withAuditLog(10)
        let (now, before) = (house.clock.now, try await house.auditNotes().count)
        let results: [(String, AuditLog.Outcome)] = [
            ("cmd_1", .allowed), ("cmd_2", .asked), ("cmd_1", .ended(.confirmed)), ("cmd_3", .allowed),
        ]
        for (number, (command, result)) in results.enumerated() {
            if number == place { try await house.hub.auditCheckpointer.updateIndex() }
            try await house.store.write { db in
                try AuditLog.append(
                    .init(who: .person("person_1"), action: "unlock", result: result, commandID: command), in: .house(db, at: now))
            }
        }
        if place == results.count { try await house.hub.auditCheckpointer.updateIndex() }
        let told = try await house.store.read { try house.hub.activity.entries(.init(action: "unlock", limit: 3), in: $0) }
        #expect(told.prefix(3).map(\.id) == [before + 4, before + 3, before + 2])
    }

    /// Every 64th entry once started the indexing of 64 before the next command's transaction: one door in 32 waited for it.
    @Test("The index is updated by the signing service, starting with existing entries, and shrinks with dropped segments")
    func listing() async throws {
        let house = try await TestHouse.withAuditLog(1000)
        func listed() async throws -> Int {
            try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM audit_index") ?? 0 }
        }
        #expect(try await listed() == 0)
        let notary = house.hub.auditCheckpointer
        let running = Task { try await notary.run() }
        try await waitUntil { try await listed() >= 1000 }
        let now = house.clock.now
        func write(_ count: Int64) async throws {
            try await house.store.write { db in
                for _ in 0..<count {
                    try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: now))
                }
            }
        }
        try await write(AuditIndex.maxUnindexed)
        let many = Int(try await house.store.read { try AuditLogWriter.chainHead($0).seq })
        try await waitUntil { try await listed() == many }
        try await write(AuditIndex.batchSize + 1)
        try await waitUntil {
            house.clock.advance(by: 61)
            return try await listed() == many + Int(AuditIndex.batchSize) + 1
        }
        let busy = Task { while !Task.isCancelled { try await house.store.write { _ in } } }
        try await write(AuditIndex.batchSize + 1)
        try await waitUntil {
            house.clock.advance(by: 61)
            return try await listed() == many + 2 * Int(AuditIndex.batchSize + 1)
        }
        busy.cancel()
        try await busy.value
        running.cancel()
        try await running.value

        try await notary.sign(at: now)
        house.clock.advance(by: 91 * 86_400)
        let (all, today) = (try await listed(), house.clock.now)
        try await house.store.write { db in
            try AuditLog.append(.init(who: .house, action: "x", result: .done), in: .house(db, at: today))
        }
        let dropped = try await notary.drop(before: now.addingTimeInterval(1))
        #expect(dropped >= 1024)
        #expect(try await listed() == all - Int(dropped))
    }

    @Test("Entries without action marks get them at the next hub start; an entry that cannot be decrypted stays unmarked")
    func marked() async throws {
        let (sealing, count) = (SealingKey.random(), 1200)
        let house = try await TestHouse.withAuditLog(count, sealing: sealing)
        let before = try await found(house, .init(action: "unlock"))
        #expect(before.count == count)
        try await house.store.write { db in
            let trigger = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = 'audit_is_append_only'") ?? ""
            try db.execute(
                sql:
                    "DROP TRIGGER audit_is_append_only; UPDATE audit SET action = NULL; UPDATE audit SET event = zeroblob(40) WHERE seq = \(before[600])"
            )
            try db.execute(sql: trigger)
        }
        #expect(try await house.auditBreak() == .init(seq: Int64(before[600]), fault: .forged))
        #expect(try await found(house, .init(action: "unlock")) == [])
        let again = try await TestHouse.make(store: house.store, sealing: sealing)
        let left = try await again.store.read { try Int.fetchAll($0, sql: "SELECT seq FROM audit WHERE action IS NULL") }
        #expect(left == [before[600]])
        // A marked entry stays marked.
        for change in [
            "UPDATE audit SET action = 1", "UPDATE audit SET action = NULL", "UPDATE audit SET action = 1, at = 0 WHERE action IS NULL",
        ] {
            await #expect(throws: DatabaseError.self, "\(change)") { try await house.store.write { try $0.execute(sql: change) } }
        }
        try await house.store.write { try $0.execute(sql: "UPDATE audit SET action = 1 WHERE action IS NULL") }
    }
}
