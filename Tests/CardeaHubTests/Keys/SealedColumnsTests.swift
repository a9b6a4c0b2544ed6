import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CardeaHub
@testable import CardeaStore

@Suite("Sealed columns with personal data", .timeLimit(.minutes(5)))
struct SealedColumnsTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "cardea-columns-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// The files of a folder that contain a text, in any letter case.
    private func files(_ folder: URL, holding text: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).filter {
            String(decoding: try Data(contentsOf: $0), as: UTF8.self).lowercased().contains(text.lowercased())
        }.map(\.lastPathComponent)
    }

    /// A house from a hub with the migrations before `number`, with these rows, opened by this hub. Its files contained `mark` before, and
    /// do not any more.
    private func sealedAnew(before number: Int, telling mark: String, _ rows: String, _ body: (Store) async throws -> Void) async throws {
        try await withFolder { folder in
            let database = try DatabasePool(
                path: folder.appending(path: "house.sqlite").path, configuration: Store.configuration(SealingFunctions()))
            try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number < number })
            try await database.write { try $0.execute(sql: "INSERT INTO column_seal (only, at) VALUES (1, 1); \(rows)") }
            try database.close()
            #expect(try !files(folder, holding: mark).isEmpty)

            let store = try Store(folder: folder)
            _ = try await TestHouse.make(store: store)

            #expect(try files(folder, holding: mark) == [])
            try await body(store)
            try store.close()
        }
    }

    @Test("The upgrade seals a plaintext house at the next start, leaves no plaintext in files, and loses no data")
    func upgrade() async throws {
        try await withFolder { folder in
            let (sealing, mark) = (SealingKey.random(), "Quillfeather")
            let store = try Store(folder: folder)
            let house = try await TestHouse.make(store: store, sealing: sealing)
            let (owner, _) = try await house.claim()
            let id = try #require(owner.personID)
            try await store.write { try PlaintextRows.insert(mark, of: id, in: $0) }
            try await store.checkpoint()
            #expect(try !files(folder, holding: mark).isEmpty)
            let before = try await store.read { try Self.plaintextRows($0) }
            #expect(before.count { $0.lowercased().contains(mark.lowercased()) } >= SealedColumns.personal.count)

            let next = try await TestHouse.make(store: store, sealing: sealing)

            #expect(try files(folder, holding: mark) == [])
            // The start adds its own row: the devices' states are unknown yet.
            let after = try await store.read { try Self.plaintextRows($0) }
            #expect(Set(before).isSubset(of: after) && after.count == before.count + 1)
            try await store.read { try SealedColumns.verify(with: sealing, in: $0) }
            for column in SealedColumns.personal {
                let sealed = try await store.read {
                    try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM \(column.table) WHERE \(column.isSealed))")
                }
                #expect(sealed == true, "\(column.table).\(column.column)")
            }
            let tokens = try await next.hub.sessions.login(username: "Quillfeatheruser", password: TestHouse.password, origin: .house)
            let who = try await next.hub.sessions.authenticate(tokens.access)
            #expect(who.personID == id)
            let found = try await next.hub.events.page(.init(words: .init("waiting quillfeather")), seenBy: who)
            #expect(found.events.map(\.description) == ["\(mark) waits at the gate"])
            #expect(try await next.hub.events.page(.init(words: .init("quill")), seenBy: who).events.isEmpty)
            // The index can be rebuilt, whatever its content.
            try await store.write { try $0.execute(sql: "INSERT INTO event_words (event_words) VALUES ('rebuild')") }
            // A finished step is not searched again.
            #expect(try await SealedColumns.sealAll(in: store, at: house.clock.now) == 0)
            try store.close()
        }
    }

    // Failure reasons were in plaintext in a house whose columns had been sealed before this one was among them.
    @Test("The upgrade seals failure reasons that an older hub stored in plaintext")
    func reasons() async throws {
        let mark = "Quillfeather"
        let rows = """
            INSERT INTO people (id, name, role, created_at) VALUES ('person_1', 'Olga', 'owner', 0);
            INSERT INTO commands (id, principal, integration, device_id, entity_id, verb, grant_id, is_way_in, risk, status, asks,
                accepted_at, not_after, finished_at, reason) VALUES ('command-of-old', 'person:person_1', 'scripted', 'front-door',
                'lock.front_door', 'unlock', 'role:owner', 1, 'open', 'failed', 0, 1, 2, 2, '\(mark) has locked it');
            INSERT INTO journal (at, kind, device_id, subject, data) VALUES (1, 'command_changed', 'front-door', 'command-of-old',
                '{"reason":"\(mark) has locked it","status":"failed"}');
            INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                VALUES ('rule-of-old', 'Evening', 'person_1', 0, '[]', '[]', '[]', 1, 1, 1);
            INSERT INTO automation_runs (automation_id, at, result, is_dry, outcomes) VALUES ('rule-of-old', 1, 'ran', 0,
                '[{"action":"control","status":"failed","reason":"\(mark) has locked it"}]');
            """
        try await sealedAnew(before: 39, telling: mark, rows) { store in
            let told = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT opened(reason, 'commands.reason', id) FROM commands
                        UNION ALL SELECT opened(data, 'journal.data', seq) FROM journal WHERE subject = 'command-of-old'
                        UNION ALL SELECT opened(outcomes, 'automation_runs.outcomes', number) FROM automation_runs
                        """)
            }
            #expect(told.count == 3 && told.allSatisfy { $0.contains("\(mark) has locked it") }, "\(told)")
        }
    }

    // The disk without the key once revealed the automations and a person's mute settings.
    @Test("The upgrade seals automations and display and notification preferences that an older hub stored in plaintext")
    func wishes() async throws {
        let mark = "Quillfeather"
        let rows = """
            INSERT INTO people (id, name, role, created_at) VALUES ('person_1', 'Olga', 'owner', 0);
            INSERT INTO preferences VALUES ('person_1', 'fahrenheit', 0.15, 0.006, '{"hall":"\(mark)"}', 3);
            INSERT INTO notice_preferences (person_id, is_on, kinds, muted, lets_critical_through, cooldown, version)
                VALUES ('person_1', 1, 'ring', 'porch' || char(10) || '\(mark)', 1, 60, 2);
            INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, off_because, version, created_at,
                changed_at) VALUES ('rule-of-old', '\(mark) evening', 'person_1', 0, '[{"type":"seen","event_type":"\(mark)"}]',
                '[{"type":"state","entity_id":"lock.front_door","is":"\(mark)"}]',
                '[{"type":"notify","words":"\(mark) waits","to":"owner"}]', 'owner_left', 4, 1, 1);
            INSERT INTO automation_runs (automation_id, at, result, is_dry, outcomes) VALUES ('rule-of-old', 1, 'tried', 1, '[]');
            """
        try await sealedAnew(before: 41, telling: mark, rows) { store in
            let told = try await store.read { db in
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT opened(name, 'automations.name', id) FROM automations
                        UNION ALL SELECT opened(triggers, 'automations.triggers', id) FROM automations
                        UNION ALL SELECT opened(conditions, 'automations.conditions', id) FROM automations
                        UNION ALL SELECT opened(actions, 'automations.actions', id) FROM automations
                        """)
            }
            #expect(
                told == [
                    "\(mark) evening", #"[{"type":"seen","event_type":"\#(mark)"}]"#,
                    #"[{"type":"state","entity_id":"lock.front_door","is":"\#(mark)"}]"#,
                    #"[{"type":"notify","words":"\#(mark) waits","to":"owner"}]"#,
                ])
            let preferences = try await store.read { try PeoplePreferences.read("person_1", $0) }
            #expect(preferences.displayByRoom == ["hall": .string(mark)] && preferences.temperatureUnit == .fahrenheit)
            let notices = try await store.read { try NoticePreferenceRecords.one(of: "person_1", $0) }
            #expect(notices.mutedPlaces == ["porch", mark] && notices.cooldown == 60 && notices.kinds == [.ring])
            let left = try await store.read { db in
                try String.fetchOne(
                    db,
                    sql: """
                        SELECT off_because || ' ' || version || ' ' || (SELECT count(*) FROM automation_runs WHERE automation_id = automations.id)
                        FROM automations
                        """)
            }
            #expect(left == "owner_left 4 1")
            #expect(try await store.integrityProblems().isEmpty)
        }
    }

    @Test("Preferences are sealed when written and read back unchanged")
    func wishesAsWritten() async throws {
        try await withFolder { folder in
            let mark = "Quillfeather"
            let store = try Store(folder: folder)
            let house = try await TestHouse.make(store: store)
            let (owner, _) = try await house.claim()
            let id = try #require(owner.personID)
            var shown = Preferences()
            shown.displayByRoom = ["hall": .string("\(mark) first")]
            var heard = NoticePreferences()
            heard.mutedPlaces = ["porch", "\(mark) gate"]

            _ = try await house.hub.preferences.change(shown, seen: .any, by: owner, origin: .house)
            _ = try await house.hub.notices.change(heard, of: id, seen: .any, by: owner, origin: .house)

            #expect(try files(folder, holding: mark) == [])
            #expect(try await house.hub.preferences.preferences(of: owner).displayByRoom == shown.displayByRoom)
            #expect(try await house.hub.notices.preferences(of: id, seenBy: owner).mutedPlaces == heard.mutedPlaces)
            try store.close()
        }
    }

    @Test("A sealed value moved to another row or column, or read without the key, does not decrypt")
    func bound() async throws {
        let (store, sealing) = (try Store.inMemory(), SealingKey.random())
        let house = try await TestHouse.make(store: store, sealing: sealing)
        let (owner, _) = try await house.claim()
        _ = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        let (other, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        try await store.write { db in
            try db.execute(
                sql: "UPDATE guests SET name = (SELECT name FROM guests WHERE id <> :id) WHERE id = :id", arguments: ["id": other.guestID])
        }
        #expect(try await house.hub.guests.all(seenBy: owner).map(\.name).sorted().first == "")
        #expect(
            try await store.read { db in
                do { try SealedColumns.verify(with: sealing, in: db) } catch let problem as HouseKeyError { return problem }
                return nil
            } == .doesNotOpen(table: "guests"))

        let locked = try Store.inMemory()
        #expect(try await locked.read { try String.fetchOne($0, sql: "SELECT opened('as it was', 'guests.name', 'x')") } == "as it was")
        await #expect(throws: DatabaseError.self) {
            try await locked.read { try String.fetchOne($0, sql: "SELECT sealed('x', 'guests.name', 'x')") }
        }
    }

    @Test("Sealing for an unlisted column fails, and a sealed value there reads as empty and is reported")
    func nowhere() async throws {
        let store = try Store.inMemory()
        store.sealColumns(with: PersonalKeys(.random()).seal)
        let told = Mutex<[String]>([])
        store.onDamage { column in told.withLock { $0.append(column) } }

        for place in ["'house_keys.mark', 1", "NULL, NULL"] {
            await #expect(throws: DatabaseError.self) {
                try await store.read { try String.fetchOne($0, sql: "SELECT sealed('x', \(place))") }
            }
            #expect(try await store.read { try String.fetchOne($0, sql: "SELECT opened(char(1) || 'AAAA', \(place))") } == "")
        }

        #expect(told.withLock(\.self) == ["house_keys.mark", ""])
        // No tokens match nothing.
        #expect(try await store.read { try String.fetchOne($0, sql: "SELECT keyed(NULL)") } == "")
    }

    // One damaged value once made its whole list, the password of the person it concerned, or every job of the house fail.
    @Test(
        "A damaged sealed value does not break lists or sign-in; it is reported once by column and found by verification")
    func damaged() async throws {
        let (store, sealing) = (try Store.inMemory(), SealingKey.random())
        let house = try await TestHouse.make(store: store, sealing: sealing)
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("ada", role: "member", by: owner)
        let id = try #require(ada.personID)
        let told = Mutex<[String]>([])
        try await store.write { db in
            try db.execute(
                sql: """
                    UPDATE people SET name = char(1) || 'AAAA' WHERE id = :id;
                    UPDATE sessions SET remote = char(1) || 'no base64', device = char(1) || 'AAAA' WHERE person_id = :id;
                    INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet, words)
                        VALUES ('damaged', :id, 'unusual', 'x', 'x', 'porch', 'Porch', 1, 1, 0, char(1) || 'AAAA');
                    INSERT INTO journal (at, kind, subject, data) VALUES (1, 'house_asked', 'mind', char(1) || 'AAAA');
                    """, arguments: ["id": id])
        }
        store.onDamage { column in told.withLock { $0.append(column) } }

        let from = RequestOrigin(remote: "192.168.1.5", isLocal: true, requestID: "r1")
        let tokens = try await house.hub.sessions.login(username: "ada", password: TestHouse.password, origin: from)
        let who = try await house.hub.sessions.authenticate(tokens.access)
        let people = try await house.hub.people.all(seenBy: owner)
        let sessions = try await house.hub.sessions.open(seenBy: who)
        let notices = try await house.hub.notices.page(of: who).notices
        let rows = try await store.read { try Journal.rows(after: 0, limit: 1000, in: $0).rows }
        _ = try await house.hub.jobs.erase(id, by: owner, origin: .house)
        try await house.hub.jobs.runAll()

        #expect(who.personID == id)
        #expect(people.first { $0.id == id }?.name == "")
        #expect(notices.count == 1 && sessions.count == 2)
        #expect(rows.contains { $0.kind == .houseAsked && $0.data.isEmpty })
        #expect(try await house.hub.people.person(id) == nil)
        let columns = told.withLock(\.self)
        #expect(Set(columns).count == columns.count)
        #expect(Set(columns).isSuperset(of: ["people.name", "sessions.remote", "notices.words"]), "\(columns)")
        // A late listener gets the earlier reports.
        let late = Mutex<[String]>([])
        store.onDamage { column in late.withLock { $0.append(column) } }
        #expect(late.withLock(\.self) == columns.sorted())
        await #expect(throws: HouseKeyError.self) { try await store.read { try SealedColumns.verify(with: sealing, in: $0) } }
    }

    /// Every row of personal data, decrypted.
    private static func plaintextRows(_ db: Database) throws -> [String] {
        try DataInventory.policies.filter { !$0.sealedColumns.isEmpty && $0.table != "audit" }.flatMap { holding in
            try holding.sealedColumns.flatMap { column in
                try String?.fetchAll(
                    db,
                    sql:
                        "SELECT opened(\(column), '\(holding.table).\(column)', \(holding.sealingIDColumn)) FROM \(holding.table) ORDER BY \(holding.sealingIDColumn)"
                )
            }
        }.compactMap { $0 }
    }
}
