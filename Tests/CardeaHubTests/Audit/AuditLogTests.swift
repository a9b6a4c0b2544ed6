import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("The audit log", .timeLimit(.minutes(10)))
struct AuditLogTests {
    private struct RollbackError: Error {}

    // MARK: Writing

    @Test("Concurrent writers produce one gapless chain without rolled-back entries")
    func groupCommit() async throws {
        let house = try await TestHouse.withAuditLog(0)
        let now = house.clock.now
        let before = try await house.auditNotes().count
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    do {
                        try await house.store.write { db in
                            try AuditLog.append(
                                .init(who: .person("person_\(number % 7)"), action: "a\(number)", result: .done), in: .house(db, at: now))
                            if number.isMultiple(of: 4) { throw RollbackError() }
                        }
                    } catch is RollbackError {
                    } catch { Issue.record(error) }
                }
            }
        }
        let notes = try await house.auditNotes().dropFirst(before)
        #expect(Set(notes.map(\.action)) == Set((0..<300).filter { !$0.isMultiple(of: 4) }.map { "a\($0)" }) && notes.count == 225)
        #expect(try await house.auditBreak() == nil)
        #expect(try await house.store.read { try Bool.fetchOne($0, sql: "SELECT max(seq) = count(*) FROM audit") } == true)
    }

    @Test("An audit key created in a rolled-back transaction is not reused")
    func keyOfALostTransaction() async throws {
        let house = try await TestHouse.withAuditLog(0)
        let now = house.clock.now
        func append(_ action: String, andBreak breaks: Bool) async throws {
            try await house.store.write { db in
                try AuditLog.append(.init(who: .person("person_new"), action: action, result: .done), in: .house(db, at: now))
                guard breaks else { return }
                // Noticed at the commit, when the entry is already sealed.
                try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
                try db.execute(
                    sql: """
                        INSERT INTO preferences (person_id, temperature_unit, energy_cost_rate, water_cost_rate, display, version)
                            VALUES ('nobody', 'celsius', 0, 0, '{}', 1)
                        """)
            }
        }
        await #expect(throws: DatabaseError.self) { try await append("lost", andBreak: true) }
        try await append("kept", andBreak: false)
        try await append("kept too", andBreak: false)
        #expect(try await house.auditNotes().suffix(2).map(\.id) == ["person_new", "person_new"])
        #expect(try await house.auditBreak() == nil)
    }

    @Test("The audit chain continues after the hub reopens")
    func again() async throws {
        let house = try await TestHouse.withAuditLog(10)
        let before = try await house.auditNotes()
        let again = try await TestHouse.make(store: house.store, sealing: house.sealing)
        _ = try await again.claim()
        let after = try await again.auditNotes()
        #expect(after.prefix(before.count) == before[...] && after.count > before.count)
        #expect(try await again.auditBreak() == nil)
    }

    @Test("No person, action, device or address is readable in the stored audit tables")
    func atRest() async throws {
        let house = try await TestHouse.withAuditLog()
        let cells = try await house.store.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM audit").flatMap { $0.databaseValues }
                + Row.fetchAll(db, sql: "SELECT * FROM audit_keys").flatMap { $0.databaseValues }
        }
        let planted = ["person_", "guest_", "203.0.113", "unlock", "front-door", "wrong_relying", "request_", "cmd_", "refused", "role:"]
        for cell in cells {
            let bytes = (Data.fromDatabaseValue(cell) ?? Data()) + Data((String.fromDatabaseValue(cell) ?? "").utf8)
            for word in planted { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)") }
        }
        // The same value encrypts differently each time.
        let events = try await house.store.read { try Data.fetchAll($0, sql: "SELECT event FROM audit") }
        #expect(Set(events).count == events.count)
        #expect(try await house.auditNotes().suffix(60).map(\.remote) == (0..<60).map { "203.0.113.\($0)" })
    }

    @Test("Search marks are stable and distinct across many values")
    func marks() async throws {
        let keys = try await TestHouse.withAuditLog(1).hub.activity.auditLogWriter.keys
        let first = keys.mark(.device, "front-door")
        let others = Set((0..<1500).map { keys.mark(.device, "door-\($0)") })
        #expect(others.count == 1500 && !others.contains(first) && keys.mark(.device, "front-door") == first)
        #expect(keys.mark(.result, "front-door") != first)
        // Command marks sort by time, and two of one minute still differ.
        let names = ["0192f3a1b2c3", "0192f3a1b2c4", "0192f3b1b2c3"].map { keys.mark(command: "cmd_\($0)7d4e8f5a6b7c8d9e0f11") }
        #expect(names[0] >> 32 == names[1] >> 32 && names[0] != names[1] && names[1] < names[2])
        #expect(keys.mark(command: "nonsense") != keys.mark(command: "nobody's"))
    }

    // MARK: Erasing

    @Test("Destroying a person's audit key anonymizes their entries and leaves the chain intact")
    func erased() async throws {
        let house = try await TestHouse.withAuditLog()
        let (owner, _) = try await house.claim()
        let before = try await house.hub.activity.entries(.init(limit: 500), seenBy: owner)
        #expect(before.contains { $0.whoID == "person_0" } && before.contains { $0.remote == "203.0.113.0" })
        let guests = try await house.hub.activity.entries(.init(guestID: "guest_1", limit: 500), seenBy: owner)
        #expect(!guests.isEmpty)
        let (now, keys) = (house.clock.now, house.hub.activity.auditLogWriter.keys)

        try await house.store.write { try keys.destroy(of: "person:person_0", at: now, in: $0) }

        #expect(try await house.auditBreak() == nil)
        let all = try await house.hub.activity.entries(.init(limit: 500), seenBy: owner)
        // The destruction is recorded under the key's own name, which names no person.
        let ends = all.filter { $0.action == "audit_key.destroy" }
        #expect(ends.count == 1 && ends.allSatisfy { $0.entityID?.hasPrefix("audit_key:") == true && $0.whoID == nil })
        let after = all.filter { $0.action != "audit_key.destroy" }
        #expect(after.map(\.id) == before.map(\.id) && after.map(\.action) == before.map(\.action) && after.map(\.at) == before.map(\.at))
        for (old, new) in zip(before, after) {
            if old.whoID == "person_0" {
                #expect(new.whoKind == "erased" && new.whoID == nil && new.remote == nil)
            } else if old.grantID == "role:person_0" {
                // Other people's actions on them are shown without them.
                #expect(new.grantID == nil && new.whoID == old.whoID && new.action == old.action && new.result == old.result)
            } else {
                #expect(new == old)
            }
        }
        let notes = try await house.auditNotes()
        #expect(!notes.contains { $0.id == "person_0" || $0.grantID == "role:person_0" || $0.remote == "203.0.113.0" })
        #expect(try await house.hub.activity.entries(.init(guestID: "guest_1", limit: 500), seenBy: owner).map(\.id) == guests.map(\.id))

        // A person who stays gets a new key, and not the old entries.
        try await house.store.write { db in
            try AuditLog.append(.init(who: .person("person_0"), action: "again", result: .done), in: .house(db, at: now))
        }
        let own = try await house.store.read { try house.hub.activity.entries(.init(limit: 500), onlyOf: "person_0", in: $0) }
        #expect(own.map(\.action) == ["again"])
        #expect(try await house.auditBreak() == nil)
    }

    @Test("An entry written in the same transaction as its key's destruction stays readable")
    func erasedAtOnce() async throws {
        let house = try await TestHouse.withAuditLog()
        let (now, keys) = (house.clock.now, house.hub.activity.auditLogWriter.keys)
        try await house.store.write { db in
            try AuditLog.append(.init(who: .person("person_1"), action: "last", result: .done), in: .house(db, at: now))
            try keys.destroy(of: "person:person_1", at: now, in: db)
        }
        let last = try await house.auditNotes().suffix(2)
        #expect(last.map(\.action) == ["last", "audit_key.destroy"] && last.first?.id == "person_1")
        #expect(try await house.auditBreak() == nil)
    }

    // MARK: Reading

    @Test("A person's own view lists their actions and actions about them, without other people's addresses")
    func ownView() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let id = try #require(member.personID)
        let elsewhere = RequestOrigin(remote: "198.51.100.7", isLocal: false, requestID: nil)
        _ = try await house.hub.people.change(
            id, .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: owner, origin: elsewhere)
        _ = try await house.hub.commands.submit(
            CommandRequest(principal: member, target: .device(id: "front-door", entityID: nil, verb: .unlock), origin: elsewhere))
        _ = try await house.hub.commands.submit(house.unlock("back-door", as: owner))

        let own = try await house.hub.activity.entries(.init(), seenBy: member)

        #expect(own.map(\.action) == ["unlock", "people.change", "people.join", "people.invite"])
        #expect(own.map(\.whoName) == ["member", "owner", "member", "owner"])
        #expect(own.map(\.remote) == ["198.51.100.7", nil, nil, nil])
        let all = try await house.hub.activity.entries(.init(), seenBy: owner)
        #expect(all.first { $0.action == "people.change" }?.remote == "198.51.100.7")
        // Read page by page, the result is the same.
        var (pages, before): ([ActivityLog.Entry], Int?) = ([], nil)
        while let page = try await Optional(house.hub.activity.entries(.init(before: before, limit: 1), seenBy: member)),
            let last = page.last
        {
            pages += page
            before = last.id
        }
        #expect(pages == own)
    }

    @Test("Reading other people's activity is audited, at most once per quarter hour and reader")
    func readings() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (_, guest, _) = try await house.guest(house.draft(), by: owner)
        func readings() async throws -> [String?] {
            try await house.auditNotes().filter { $0.action == "activity.read" }.map(\.grantID)
        }
        for _ in 0..<3 { _ = try await house.hub.activity.entries(.init(), seenBy: owner) }
        #expect(try await readings() == [nil])
        // One's own data is not visible to others.
        _ = try await house.hub.activity.entries(.init(), seenBy: member)
        _ = try await house.hub.guests.one(guest, seenBy: owner)
        _ = try await house.hub.guests.guest(guest, seenBy: owner)
        #expect(try await readings() == [nil, guest])
        // The person whose actions were read is recorded too.
        let id = try #require(member.personID)
        _ = try await house.hub.activity.entries(.init(personID: id), seenBy: owner)
        #expect(try await readings() == [nil, guest, "role:\(id)"])
        house.clock.advance(by: 900)
        _ = try await house.hub.activity.entries(.init(), seenBy: owner)
        #expect(try await readings() == [nil, guest, "role:\(id)", nil])

        let shown = try await house.hub.activity.entries(.init(result: "read"), seenBy: owner)
        #expect(shown.map(\.action) == Array(repeating: "activity.read", count: 4))
        #expect(try await !house.hub.activity.entries(.init(), seenBy: owner).contains { $0.action == "activity.read" })
        #expect(try await !house.hub.guests.one(guest, seenBy: owner).history.contains { $0.action == "activity.read" })
    }

    @Test("The activity log stays readable when its audit write fails; the failure is logged, and commands are refused")
    func readingOnAFullDisk() async throws {
        let log = LogRecorder()
        let house = try await TestHouse.make(store: .inMemory(), logger: log.logger)
        let (owner, _) = try await house.claim()
        try await house.store.write {
            try $0.execute(sql: "CREATE TRIGGER outage BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        #expect(try await house.hub.activity.entries(.init(), seenBy: owner).map(\.action).contains("house.claim"))
        #expect(log.entries == ["audit log access could not be recorded error=DatabaseError"])
        // A change is refused: no change without its entry.
        await #expect(throws: DatabaseError.self) { try await house.hub.commands.submit(house.unlock(as: owner)) }
    }
}
