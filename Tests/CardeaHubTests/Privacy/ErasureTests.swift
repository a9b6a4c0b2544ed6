import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Erasure of a person", .timeLimit(.minutes(10)))
struct ErasureTests {
    /// Records two machine descriptions that name a person: one by a camera program that recognises faces, one by a picture describer.
    private static func see(_ name: String, in house: TestHouse, by owner: Principal) async throws -> [String] {
        var told = IntegrationEvent(source: "frigate", id: "face", type: .person, at: house.clock.now, place: "yard")
        told.description = "\(name) at the gate"
        try await house.hub.sourceEventRecorder.report(told)
        let draft = Events.Draft(source: "porch", type: DetectionType.person.rawValue, occurredAt: house.clock.now)
        let mute = try await house.hub.events.record(draft, by: owner, call: nil, origin: .house).event
        try await house.store.write { _ = try EventRecords.describe(mute.id, as: "\(name.lowercased()) waits", by: .describer, in: $0) }
        return try await house.hub.events.page(.init(), seenBy: owner).events.map(\.id)
    }

    /// The events found by a word.
    private static func found(_ word: String, in house: TestHouse, by owner: Principal) async throws -> [String] {
        try await house.hub.events.page(.init(words: Events.SearchTerms(word)), seenBy: owner).events.map(\.id)
    }

    @Test("Erasure removes all of a person's data from every file, keeps other people's, and the audit log still verifies")
    func erasure() async throws {
        try await PersonalDataTraces.withFolder { folder in
            let store = try Store(folder: folder)
            let house = try await TestHouse.make(store: store, exports: folder.appending(path: "exports"))
            let (owner, _) = try await house.claim()
            let (ada, tokens) = try await house.resident("zuleika", role: "admin", by: owner)
            try await PersonalDataTraces.create(owner, mark: "Oak", in: house)
            try await PersonalDataTraces.create(ada, mark: "Elm", in: house)
            let adaID = try #require(ada.personID)
            // What the house and other people were notified of about them.
            try await store.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                        SELECT 'of-them', id, 'automation', 'of', 'of', 'x', 'x', 1, \(house.clock.now.milliseconds), 0, 'NameElm came home'
                        FROM people WHERE role = 'owner'
                        """)
                try Journal.append(
                    .mindChanged, subject: "memory-of-them", data: ["notice": "unusual", "words": "NameElm is late"], at: house.clock.now,
                    in: db)
                // And another person's automation about them.
                try db.execute(
                    sql: """
                        INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                        SELECT 'rule-of-others', 'NameElm is late', id, 1, :triggers, :conditions, :actions, 1, 1, 1 FROM people WHERE role = 'owner'
                        """,
                    arguments: [
                        "triggers": """
                        [{"type":"presence","change":"arrives","person_id":"\(adaID)"},{"type":"state","entity_id":"sensor.face","to":"NameElm"}]
                        """,
                        "conditions": #"[{"type":"not","condition":{"type":"state","entity_id":"sensor.face","is":"NameElm"}}]"#,
                        "actions": #"[{"type":"notify","words":"Tell nameelm that it rings","to":"owner"}]"#,
                    ])
            }
            let seen = try await Self.see("NameElm", in: house, by: owner)
            #expect(try await Self.found("nameelm", in: house, by: owner).sorted() == seen.sorted())
            _ = try await house.hub.jobs.export(adaID, by: ada, origin: .house)
            try await house.hub.jobs.runAll()
            _ = try await house.hub.auditCheckpointer.sign(at: house.clock.now)
            let pass = try #require(
                try await store.read {
                    try String.fetchOne($0, sql: "SELECT id FROM guests WHERE opened(name, 'guests.name', id) = 'VisitorElm'")
                })

            let job = try await house.hub.jobs.erase(adaID, by: ada, origin: .house)
            try await house.hub.jobs.runAll()

            let done = try await house.hub.jobs.one(job.id, seenBy: owner)
            #expect(done.state == .done && done.receipt?["rows"]?["sign_in"] != nil && done.receipt?["names"] == nil)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
            #expect(try await store.read { try Bool.fetchOne($0, sql: "SELECT 1 FROM guests WHERE id = ?", arguments: [pass]) } == nil)
            #expect(try await store.read { try String.fetchAll($0, sql: "SELECT person_id FROM erasures") } == [adaID])
            // Their actions in the house remain.
            let doers = try await store.read {
                try String?.fetchAll($0, sql: "SELECT completed_by FROM maintenance_history ORDER BY number")
            }
            #expect(doers == [owner.personID, nil])
            let trail = try await house.hub.activity.entries(.init(limit: 100), seenBy: owner)
            #expect(trail.contains { $0.whoKind == "erased" && $0.whoID == nil })
            #expect(!trail.contains { $0.whoID == adaID })
            #expect(try await house.auditBreak() == nil)

            // Other people's automations no longer wait for them, and do not name them.
            let rule = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT opened(name, 'automations.name', id) || ' ' || is_on || ' ' || off_because FROM automations WHERE id = 'rule-of-others'
                        UNION ALL SELECT opened(triggers, 'automations.triggers', id) FROM automations WHERE id = 'rule-of-others'
                        UNION ALL SELECT opened(conditions, 'automations.conditions', id) FROM automations WHERE id = 'rule-of-others'
                        UNION ALL SELECT opened(actions, 'automations.actions', id) FROM automations WHERE id = 'rule-of-others'
                        """)
            }
            #expect(
                rule == [
                    "somebody is late 0 person_left", "[]",
                    #"[{"condition":{"entity_id":"sensor.face","is":"erased","type":"state"},"type":"not"}]"#,
                    #"[{"to":"owner","type":"notify","words":"Tell somebody that it rings"}]"#,
                ])

            // Notifications that named them are not repeated, and the events are still there, without the name.
            #expect(try await Self.found("nameelm", in: house, by: owner) == [])
            let events = try await house.hub.events.page(.init(), seenBy: owner).events
            #expect(Set(seen).isSubset(of: events.map(\.id)) && events.allSatisfy { $0.description.isEmpty && $0.describedBy == nil })

            // The disk contains none of it.
            let planted = PersonalDataTraces.markers("Elm") + PersonalDataTraces.secretMarkers("Elm") + ["zuleika", "Zuleika", "of-them"]
            #expect(Set(planted).count >= 30)
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                let bytes = (try? Data(contentsOf: folder.appending(path: name))) ?? Data()
                for word in planted { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)") }
            }
            // Nor does the house itself with its keys.
            let told = try await PersonalDataTraces.allText(in: store)
            for word in planted { #expect(!told.contains(word), "\(word)") }
            for word in PersonalDataTraces.markers("Oak") where !word.hasPrefix("key-") { #expect(told.contains(word), "\(word)") }
            #expect(try await store.integrityProblems().isEmpty)
        }
    }

    @Test("The last owner cannot be erased, owners erase other people, and removed people are erased after retention")
    func whoErases() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
        let (ben, _) = try await house.resident("ben", role: "member", by: owner)
        let jobs = house.hub.jobs
        let (ownerID, adaID, benID) = (try #require(owner.personID), try #require(ada.personID), try #require(ben.personID))
        await #expect(throws: People.PersonError.self) { try await jobs.erase(ownerID, by: owner, origin: .house) }
        await #expect(throws: People.PersonError.self) { try await jobs.erase(benID, by: ada, origin: .house) }
        _ = try await jobs.erase(adaID, by: owner, origin: .house)
        try await jobs.runAll()
        #expect(try await house.hub.people.person(adaID) == nil)

        try await house.hub.people.remove(benID, by: owner, origin: .house)
        for days in [89.0, 2.5] {
            #expect(
                try await house.store.read { try Bool.fetchOne($0, sql: "SELECT 1 FROM people WHERE id = ?", arguments: [benID]) } == true)
            house.clock.advance(by: days * 86_400)
            try await house.hub.clock.trust(at: house.clock.now)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
            try await jobs.runAll()
        }
        #expect(try await house.store.read { try Bool.fetchOne($0, sql: "SELECT 1 FROM people WHERE id = ?", arguments: [benID]) } == nil)
    }

    @Test("Erasure deletes the person's failed password attempts, but not the house's code attempts")
    func guesses() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (who, _) = try await house.resident("house", role: "member", by: owner)
        _ = try? await house.hub.sessions.login(username: "house", password: Secret("not this one"), origin: .house)
        let home = RequestOrigin(remote: "192.168.1.5", isLocal: true, requestID: nil)
        _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: home)
        _ = try? await house.hub.sessions.login(username: "owner", password: Secret("not this one"), origin: home)
        // Deletes the earlier ones, so that the erasure below covers both kinds.
        _ = try await house.hub.sessions.login(username: "house", password: TestHouse.password, origin: home)
        for origin in [RequestOrigin.house, home] {
            _ = try? await house.hub.sessions.login(username: "house", password: Secret("not this one"), origin: origin)
        }
        _ = try? await house.hub.guestAccess.pair("ABCDEFGHJK", origin: .house)
        func guessed() async throws -> [String] {
            try await house.store.read {
                try String.fetchAll(
                    $0, sql: "SELECT scope FROM throttles WHERE scope IN ('account', 'account_address', 'code_house') ORDER BY scope")
            }
        }
        #expect(try await guessed() == ["account", "account_address", "account_address", "code_house"])
        // A typed user name was once stored as it was, including a password in the wrong field.
        #expect(
            try await house.store.read { try String.fetchAll($0, sql: "SELECT subject FROM throttles WHERE scope = 'account'") }
                .allSatisfy { $0.count == 64 })

        _ = try await house.hub.jobs.erase(try #require(who.personID), by: owner, origin: .house)
        try await house.hub.jobs.runAll()

        // The owner's own, from the same address, stay.
        #expect(try await guessed() == ["account_address", "code_house"])
    }

    // A failed erasure was once picked first forever, and no export was made any more.
    @Test("A failed erasure does not block other jobs and resumes later")
    func failingErasure() async throws {
        try await PersonalDataTraces.withFolder { folder in
            let house = try await TestHouse.make(store: .inMemory(), exports: folder.appending(path: "exports"))
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
            let erasure = try await house.hub.jobs.erase(try #require(ada.personID), by: owner, origin: .house)
            let export = try await house.hub.jobs.export(try #require(owner.personID), by: owner, origin: .house)
            try await house.store.write { db in
                try db.execute(
                    sql: """
                        CREATE TRIGGER stops BEFORE UPDATE OF done ON jobs
                        WHEN NEW.done = 3 AND NEW.kind = 'erasure' AND NEW.state = 'running'
                        BEGIN SELECT RAISE(ABORT, 'it fails'); END
                        """)
            }

            try await house.hub.jobs.runAll()
            let half = try await house.hub.jobs.one(erasure.id, seenBy: owner).state
            try await house.store.write { try $0.execute(sql: "DROP TRIGGER stops") }
            try await house.hub.jobs.runAll()

            #expect(half == .running)
            #expect(try await house.hub.jobs.one(export.id, seenBy: owner).state == .done)
            #expect(try await house.hub.jobs.one(erasure.id, seenBy: owner).state == .done)
        }
    }

    @Test("Erasure removes a person's former rights from the journal, and keeps other people's")
    func turns() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "member", by: owner)
        let (ben, _) = try await house.resident("ben", role: "member", by: owner)
        let (adaID, benID) = (try #require(ada.personID), try #require(ben.personID))
        for id in [adaID, benID] {
            _ = try await house.hub.people.change(
                id, .init(name: nil, role: "admin", canInviteGuests: nil, disabled: nil), by: owner, origin: .house)
        }
        func turned() async throws -> Set<String> {
            try await house.store.read { db in
                Set(try RuleChange.since(Date(timeIntervalSince1970: 0), db).filter { $0.data["role"] != nil }.map(\.subject))
            }
        }
        #expect(try await turned() == [adaID, benID])

        _ = try await house.hub.jobs.erase(benID, by: owner, origin: .house)
        try await house.hub.jobs.runAll()

        #expect(try await turned() == [adaID])
        // The rows themselves stay in place, without a person.
        let nobodys = try await house.store.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE kind = 'person_changed' AND subject IS NULL")
        }
        #expect(nobodys ?? 0 > 0)
    }

    // Only the current name was once searched, and only in its exact case.
    @Test("Erasure finds a person's former names regardless of case")
    func formerNames() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "member", by: owner)
        let id = try #require(ada.personID)
        for name in ["Wilhelmina", "Tess"] {
            _ = try await house.hub.people.change(
                id, .init(name: name, role: nil, canInviteGuests: nil, disabled: nil), by: ada, origin: .house)
        }
        try await house.store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                    SELECT 'then', id, 'automation', 'of 1', 'of 1', 'x', 'x', 1, 1, 0, 'wilhelmina came home' FROM people WHERE role = 'owner'
                    UNION ALL SELECT 'now', id, 'automation', 'of 2', 'of 2', 'x', 'x', 1, 1, 0, 'TESS is late' FROM people WHERE role = 'owner'
                    UNION ALL SELECT 'other', id, 'automation', 'of 3', 'of 3', 'x', 'x', 1, 1, 0, 'Tessa is late' FROM people WHERE role = 'owner'
                    """)
        }
        #expect(try await house.store.read { try PreviousNames.names(id, $0).suffix(1) } == ["Wilhelmina"])
        let kept = try await house.store.read {
            try String.fetchOne($0, sql: "SELECT former_names FROM people WHERE id = ?", arguments: [id])
        }
        #expect(kept?.contains("Wilhelmina") == false, "it is sealed")

        _ = try await house.hub.jobs.erase(id, by: owner, origin: .house)
        try await house.hub.jobs.runAll()

        #expect(try await house.store.read { try String.fetchAll($0, sql: "SELECT id FROM notices") } == ["other"])
    }

    // Failure reasons contain device texts, which may name people. They were stored with the command, in the journal and with the
    // automation, and erasure did not search there.
    @Test("Erasure removes device messages that name the person and keeps the failure itself")
    func deviceWords() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "member", by: owner)
            let id = try #require(ada.personID)
            _ = try await house.hub.people.change(
                id, .init(name: "Wilhelmina", role: nil, canInviteGuests: nil, disabled: nil), by: ada, origin: .house)
            house.doorBackend.set(.refuses("Wilhelmina has locked it from within"), at: "lock.front_door")
            let refused = try await house.run(house.unlock("front-door", as: owner))
            house.doorBackend.set(.loses("it went away while WILHELMINA held it"), at: "lock.back_door")
            let lost = try await house.run(house.unlock("back-door", as: owner))
            house.doorBackend.set(.refuses("Wilhelm has locked it from within"), at: "lock.front_door")
            let other = try await house.run(house.unlock("front-door", as: owner))
            #expect([refused.status, lost.status, other.status] == [.failed, .unknown, .failed])
            try await house.store.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                            VALUES ('evening', 'Evening', ?, 0, '[]', '[]', '[]', 1, 1, 1);
                        INSERT INTO automation_runs (automation_id, at, result, is_dry, outcomes) VALUES ('evening', ?, 'ran', 0,
                            '[{"action":"control","status":"failed","reason":"Wilhelmina has locked it"},
                            {"action":"control","status":"expired","reason":"no_turn"}]')
                        """, arguments: [owner.personID, house.clock.now.milliseconds])
            }

            let job = try await house.hub.jobs.erase(id, by: owner, origin: .house)
            try await waitUntil { try await house.hub.jobs.one(job.id, seenBy: owner).state == .done }

            let told = try await PersonalDataTraces.allText(in: house.store)
            #expect(!told.lowercased().contains("wilhelmina"))
            #expect(told.contains("Wilhelm has locked it from within") && told.contains("no_turn"))
            func ended(_ command: Command) async throws -> [String?] {
                let kept = try #require(try await house.store.read { try CommandRecords.one(command.id, $0) })
                return [kept.status.rawValue, kept.reason]
            }
            #expect(try await ended(refused) == ["failed", "turned_down"])
            #expect(try await ended(lost) == ["unknown", "uncertain"])
            #expect(try await ended(other) == ["failed", "Wilhelm has locked it from within"])
        }
    }

    // A command's origin was once kept in memory until its door answered, and so reached the audit log after its person was erased.
    @Test("A person erased during a running command leaves no address in the final audit entry")
    func movingDoor() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "member", by: owner)
            let id = try #require(ada.personID)
            house.doorBackend.set(.silent, at: "lock.front_door")
            let command = try await house.submit(
                CommandRequest(
                    principal: ada, target: .device(id: "front-door", entityID: nil, verb: .unlock),
                    origin: RequestOrigin(remote: "192.168.1.7", isLocal: true, requestID: "request-of-hers")))
            try await waitUntil { house.doorBackend.backendCommands.contains { $0.commandID == command.id } }
            let job = try await house.hub.jobs.erase(id, by: owner, origin: .house)
            try await waitUntil { try await house.hub.jobs.one(job.id, seenBy: owner).state == .done }

            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            let notes = try await house.auditNotes().filter { $0.commandID == command.id }
            #expect(notes.map(\.result) == ["allowed", "confirmed"])
            #expect(notes.allSatisfy { $0.remote == nil && $0.requestID == nil && $0.id != id })
        }
    }

    @Test("During an erasure the person's names are sealed in the job")
    func sealedReceipt() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "member", by: owner)
        let id = try #require(ada.personID)
        _ = try await house.hub.people.change(
            id, .init(name: "Wilhelmina", role: nil, canInviteGuests: nil, disabled: nil), by: ada, origin: .house)
        let job = try await house.hub.jobs.erase(id, by: owner, origin: .house)
        try await house.store.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER stops BEFORE UPDATE OF done ON jobs WHEN NEW.done = 1 AND NEW.state = 'running'
                    BEGIN SELECT RAISE(ABORT, 'power is gone'); END
                    """)
        }

        await #expect(throws: (any Error).self) { try await house.hub.erasure.erase(job) }

        let kept = try await house.store.read { try String.fetchOne($0, sql: "SELECT receipt FROM jobs") }
        #expect(kept?.contains("Wilhelmina") == false)
        guard case .array(let names)? = try await house.hub.jobs.one(job.id, seenBy: owner).receipt?["names"] else {
            Issue.record("the names are kept until it is done")
            return
        }
        #expect(names.contains("Wilhelmina"))
    }

    @Test("An erasure interrupted at any step resumes and completes", arguments: 0..<6)
    func brokenOff(step: Int) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "admin", by: owner)
        try await PersonalDataTraces.create(ada, mark: "Elm", in: house)
        let adaID = try #require(ada.personID)
        let job = try await house.hub.jobs.erase(adaID, by: owner, origin: .house)
        // The house stops at this step: its store accepts no more writes.
        try await house.store.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER stops BEFORE UPDATE OF done ON jobs WHEN NEW.done = \(step) AND NEW.state = 'running'
                    BEGIN SELECT RAISE(ABORT, 'power is gone'); END
                    """)
        }
        await #expect(throws: (any Error).self) { try await house.hub.erasure.erase(job) }
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER stops") }
        try await house.hub.jobs.runAll()
        #expect(try await house.hub.jobs.one(job.id, seenBy: owner).state == .done)
        let left = try await house.store.read { db in
            try DataInventory.policies.compactMap { holding -> String? in
                guard let condition = holding.condition, holding.table != "jobs" else { return nil }
                let count = try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM \(holding.table) WHERE \(condition)", arguments: ["id": adaID])
                return count == 0 ? nil : holding.table
            }
        }
        #expect(left == [])
    }
}
