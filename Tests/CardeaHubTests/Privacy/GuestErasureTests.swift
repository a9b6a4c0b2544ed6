import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Erasure of a guest", .timeLimit(.minutes(5)))
struct GuestErasureTests {
    /// Invites a guest who opens the front door, guesses wrong, and is mentioned by the house, the mind and a camera program.
    static func visit(_ name: String, by host: Principal, in house: TestHouse) async throws -> String {
        var draft = house.draft()
        draft.name = name
        let (who, id, _) = try await house.guest(draft, by: host)
        let call = IdempotencyKey(key: "key-\(name)", method: "POST", path: "/api/guest_access/action", body: Data("open".utf8))
        _ = try await house.submit(house.open(as: who, call: call, remote: "192.168.1.77"))
        let (owner, now) = ("SELECT id FROM people WHERE role = 'owner'", house.clock.now.milliseconds)
        try await house.store.write { db in
            try ThrottleRecords.recordFailure(.refusedPass, id, at: house.clock.now, in: db)
            try db.execute(
                sql: """
                    INSERT INTO kept_answers (principal, key, fingerprint, sealed, at)
                        VALUES ('guest:' || :id, 'answer-\(name)', randomblob(32), randomblob(32), :now);
                    UPDATE commands SET spoken = 'Spoken\(name)', request_id = 'request-\(name)' WHERE guest_id = :id;
                    INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                        SELECT 'notice-\(name)', id, 'automation', 'of \(name)', 'of \(name)', 'x', 'x', :now, :now, 0, '\(name) came in'
                        FROM (\(owner));
                    INSERT INTO memories (id, created_at, memory_type, category, importance, title, content, details, source, confidence,
                        access_count, tags, related_devices, is_pinned, version) VALUES ('memory-\(name)', :now, 'semantic', 'note', 0.5,
                        'Who comes', '\(name) comes on Mondays', '{}', 'learned', 1, 0, '[]', '[]', 0, 1);
                    INSERT INTO happenings (at, kind, device_id, actor, value, words, source)
                        VALUES (:now, 'seen', 'front-door', 'guest:' || :id, 'person', '\(name) at the gate', hex(randomblob(8)));
                    """, arguments: ["id": id, "now": now])
            try Journal.append(
                .mindChanged, subject: "memory", data: ["notice": "unusual", "words": .string("\(name) is late")], at: house.clock.now,
                in: db)
        }
        var told = IntegrationEvent(source: "frigate", id: UUID().uuidString, type: .person, at: house.clock.now, place: "yard")
        told.description = "\(name) waits"
        try await house.hub.sourceEventRecorder.report(told)
        return id
    }

    /// The audit keys that still identify a guest.
    private static func keys(of id: String, in house: TestHouse) async throws -> Int {
        try await house.store.read { try house.hub.activity.auditLogWriter.keys.ids(of: "guest:\(id)", in: $0).count }
    }

    @Test("Guest erasure removes the name from all files and notifications, keeps other guests, and the audit log verifies")
    func byName() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let store = try Store(folder: folder)
            let house = try await TestHouse.make(store: store)
            let (owner, _) = try await house.claim()
            let (gone, stays) = (
                try await Self.visit("Thistlewood", by: owner, in: house), try await Self.visit("Merryweather", by: owner, in: house)
            )
            let start = try await house.hub.journal.last()
            #expect(try await Self.keys(of: gone, in: house) == 1)

            let job = try await house.hub.jobs.erase(guest: gone, by: owner, origin: .house)
            #expect(try await house.hub.jobs.erase(guest: gone, by: owner, origin: .house).id == job.id, "one at a time")
            try await house.hub.jobs.runAll()

            let done = try await house.hub.jobs.one(job.id, seenBy: owner)
            #expect(done.state == .done && done.receipt?["rows"]?["passes"] != nil && done.receipt?["rows"]?["memories"] == 1)
            #expect(done.receipt?["names"] == nil && done.receipt?["guests"] == nil)
            await #expect(throws: Guests.GuestError.self) { try await house.hub.guests.guest(gone, seenBy: owner) }
            await #expect(throws: Guests.GuestError.self) { try await house.hub.jobs.erase(guest: gone, by: owner, origin: .house) }
            #expect(try await house.hub.backups.erased().keys.sorted() == [gone])
            #expect(try await Self.keys(of: gone, in: house) == 0)
            #expect(try await Self.keys(of: stays, in: house) == 1)
            let told = try await PersonalDataTraces.allText(in: house.store)
            for word in ["Thistlewood", "thistlewood", "guest:\(gone)"] { #expect(!told.contains(word), "\(word)") }
            for word in ["Merryweather came in", "Merryweather comes on Mondays", "Merryweather at the gate", "Merryweather waits"] {
                #expect(told.contains(word), "\(word)")
            }
            // The command remains, without its person.
            let commands = try await store.read { db in
                try String.fetchSet(
                    db,
                    sql: """
                        SELECT principal || ' ' || coalesce(guest_id, '-') || ' ' || grant_id || ' ' || coalesce(spoken, '-') FROM commands
                        """)
            }
            #expect(commands == ["guest:erased - guest:erased -", "guest:\(stays) \(stays) \(stays) SpokenMerryweather"])
            #expect(try await house.auditBreak() == nil)
            let trail = try await house.hub.activity.entries(.init(limit: 100), seenBy: owner)
            #expect(trail.contains { $0.whoKind == "erased" } && !trail.contains { $0.whoID == gone })
            // Screens read the pass again when it ends, and replicas delete it when all of it is done.
            let names = try await house.hub.journal.events(after: start, limit: 500).events.map(\.name)
            #expect(names.last == .personErased)
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                let bytes = (try? Data(contentsOf: folder.appending(path: name))) ?? Data()
                #expect(bytes.range(of: Data("histlewood".utf8)) == nil, "\(name)")
            }
        }
    }

    // Their passes were deleted, while other people's notifications that named their guests, and those guests' keys, remained.
    @Test("Erasing a host erases only their own guests")
    func withTheirHost() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
        let (theirs, mine) = (
            try await Self.visit("Thistlewood", by: ada, in: house), try await Self.visit("Merryweather", by: owner, in: house)
        )

        _ = try await house.hub.jobs.erase(try #require(ada.personID), by: owner, origin: .house)
        try await house.hub.jobs.runAll()

        let told = try await PersonalDataTraces.allText(in: house.store)
        #expect(!told.contains("Thistlewood") && !told.contains(theirs))
        #expect(told.contains("Merryweather is late") && told.contains("Merryweather waits"))
        #expect(try await Self.keys(of: theirs, in: house) == 0)
        #expect(try await Self.keys(of: mine, in: house) == 1)
        #expect(try await house.hub.backups.erased().keys.sorted() == [try #require(ada.personID)], "an older copy erases them with her")
        #expect(try await house.auditBreak() == nil)
    }

    @Test("Texts with a shared name are kept until the last holder of that name is erased")
    func sharedNames() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        var draft = house.draft()
        draft.name = "DAN"
        let namesake = try await house.guest(draft, by: owner).id
        // An earlier pass of the same name keeps it.
        _ = try await house.hub.people.change(
            try #require(owner.personID), .init(name: "Dan", role: nil, canInviteGuests: nil, disabled: nil), by: owner, origin: .house)
        let (first, second) = (try await house.guest(house.draft(), by: owner).id, try await house.guest(house.draft(), by: owner).id)
        try await house.store.write { db in
            for (id, words) in [("of-plumber", "plumber is late"), ("of-owner", "Dan came home")] {
                try db.execute(
                    sql: """
                        INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                        SELECT ?1, id, 'automation', ?1, ?1, 'x', 'x', 1, 1, 0, ?2 FROM people
                        """, arguments: [id, words])
            }
        }
        func left() async throws -> [String] {
            try await house.store.read { try String.fetchAll($0, sql: "SELECT id FROM notices ORDER BY id") }
        }

        for guest in [namesake, first] { _ = try await house.hub.jobs.erase(guest: guest, by: owner, origin: .house) }
        try await house.hub.jobs.runAll()
        let between = try await left()
        _ = try await house.hub.jobs.erase(guest: second, by: owner, origin: .house)
        try await house.hub.jobs.runAll()

        #expect(between == ["of-owner", "of-plumber"])
        #expect(try await left() == ["of-owner"])
    }

    // A person with the right to invite guests named a pass "Smoke" and erased it, and everyone's smoke notifications were gone; one called
    // "No" turned each `no_turn` into "turned_down".
    @Test("Erasing a pass named like a device or house word removes no device messages")
    func ownWords() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("cleo", role: "member", by: owner)
        _ = try await house.hub.people.change(
            try #require(member.personID), .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: owner, origin: .house)
        let told = ["Smoke in the hall", "Front door stands open", "A person is at the gate", "No, said Tanager"]
        try await house.store.write { db in
            for words in told {
                try db.execute(
                    sql: """
                        INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                        SELECT ?1, id, 'automation', ?1, ?1, 'x', 'x', 1, 1, 0, ?1 FROM people WHERE role = 'owner'
                        """, arguments: [words])
            }
            try db.execute(
                sql: """
                    INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                        VALUES ('evening', 'Evening', ?, 0, '[]', '[]', '[]', 1, 1, 1);
                    INSERT INTO automation_runs (automation_id, at, result, is_dry, outcomes)
                        VALUES ('evening', ?, 'ran', 0, '[{"action":"control","status":"expired","reason":"no_turn"}]')
                    """, arguments: [owner.personID, house.clock.now.milliseconds])
        }
        func left() async throws -> [String] {
            try await house.store.read { db in
                try String.fetchAll(
                    db, sql: "SELECT id FROM notices WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid",
                    arguments: [String(decoding: try JSONEncoder().encode(told), as: UTF8.self)])
            }
        }

        for name in ["Smoke", "front door", "Person", "No", "Tanager"] {
            var draft = house.draft()
            draft.name = name
            let guest = try await house.guest(draft, by: member).id
            _ = try await house.hub.jobs.erase(guest: guest, by: member, origin: .house)
            try await house.hub.jobs.runAll()
            #expect(try await left() == (name == "Tanager" ? Array(told.dropLast()) : told), "\(name)")
        }
        #expect(
            try await house.store.read { try String.fetchOne($0, sql: "SELECT outcomes FROM automation_runs") }
                == #"[{"action":"control","status":"expired","reason":"no_turn"}]"#)
    }

    @Test("Guest erasure requires the inviter or an owner and a step-up, and refusals are audited")
    func whoErases() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
        let (ben, _) = try await house.resident("ben", role: "admin", by: owner)
        let (member, _) = try await house.resident("cleo", role: "member", by: owner)
        let jobs = house.hub.jobs
        let guests = [try await house.guest(house.draft(), by: ada).id, try await house.guest(house.draft(), by: ada).id]

        for (who, id) in [(ben, guests[0]), (member, guests[0]), (member, "guest_nobody")] {
            await #expect(throws: People.PersonError.self) { try await jobs.erase(guest: id, by: who, origin: .house) }
        }
        await #expect(throws: Guests.GuestError.self) { try await jobs.erase(guest: "guest_nobody", by: owner, origin: .house) }
        _ = try await jobs.erase(guest: guests[0], by: ada, origin: .house)
        _ = try await jobs.erase(guest: guests[1], by: owner, origin: .house)
        house.clock.advance(by: 301)
        await #expect(throws: Sessions.SessionError.self) { try await jobs.erase(guest: guests[0], by: ada, origin: .house) }

        let notes = try await house.auditNotes().filter { $0.action == "guest.erase" }
        #expect(notes.map(\.result) == ["refused", "refused", "refused", "done", "done", "refused"])
    }

    @Test("A guest erasure interrupted at any step resumes and completes", arguments: 0..<6)
    func brokenOff(step: Int) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
        let (alone, along) = (
            try await Self.visit("Thistlewood", by: owner, in: house), try await Self.visit("Merryweather", by: ada, in: house)
        )
        let started = [
            try await house.hub.jobs.erase(guest: alone, by: owner, origin: .house),
            try await house.hub.jobs.erase(try #require(ada.personID), by: owner, origin: .house),
        ]
        try await house.store.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER stops BEFORE UPDATE OF done ON jobs WHEN NEW.done = \(step) AND NEW.state = 'running'
                    BEGIN SELECT RAISE(ABORT, 'power is gone'); END
                    """)
        }
        for job in started { await #expect(throws: (any Error).self) { try await house.hub.erasure.erase(job) } }
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER stops") }

        try await house.hub.jobs.runAll()

        for job in started { #expect(try await house.hub.jobs.one(job.id, seenBy: owner).state == .done) }
        let told = try await PersonalDataTraces.allText(in: house.store)
        #expect(!told.contains("Thistlewood") && !told.contains("Merryweather"))
        #expect(try await Self.keys(of: alone, in: house) == 0)
        #expect(try await Self.keys(of: along, in: house) == 0)
        #expect(try await house.auditBreak() == nil)
    }

    // Only the reporter of an event was removed from it; their picture stayed, and so did their notes about the boiler.
    @Test("Erasure deletes the person's pictures and maintenance notes, and keeps the house cameras' pictures")
    func picturesAndNotes() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: PassthroughPictureMaker()))
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let (hub, clock) = (house.hub, house.clock)
            func record(_ who: Principal) async throws -> String {
                let draft = Events.Draft(
                    source: "porch", type: DetectionType.person.rawValue, occurredAt: clock.now, picture: smallestJPEG)
                return try await hub.events.record(draft, by: who, call: nil, origin: .house).event.id
            }
            let (theirs, mine) = (try await record(ada), try await record(owner))
            let task = try await hub.maintenance.add(.init(title: "Boiler"), by: owner, call: nil, origin: .house).0
            let cost = try #require(Money(minor: 9900, currency: "EUR"))
            _ = try await hub.maintenance.complete(
                task.id, .init(cost: cost, notes: "My own hands", serviceProvider: "My brother"), seen: .any, by: ada, call: nil,
                origin: .house)

            _ = try await hub.jobs.erase(try #require(ada.personID), by: owner, origin: .house)
            try await hub.jobs.runAll()

            let events = Dictionary(
                try await hub.events.page(.init(), seenBy: owner).events.map { ($0.id, $0.hasPicture) }, uniquingKeysWith: { $1 })
            #expect(events == [theirs: false, mine: true])
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!files.contains { $0.contains(theirs) } && files.contains { $0.contains(mine) })
            #expect(try await house.store.read { try EventRecords.pictureBytes($0) } > 0)
            let done = try #require(try await hub.maintenance.history(of: task.id, seenBy: owner).completions.first)
            #expect(done.completedBy == nil && done.notes == nil && done.serviceProvider == nil && done.cost == cost)
            // Actions stay as they were recorded.
            await #expect(throws: DatabaseError.self) {
                try await house.store.write { try $0.execute(sql: "UPDATE maintenance_history SET cost_minor = 1") }
            }
        }
    }
}
