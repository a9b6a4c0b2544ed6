import Foundation
import GRDB
import Testing

@testable import CardeaStore

@Suite("Migrations of existing houses")
struct MigrationTests {
    /// A house after migration 3, with a lamp that has reported, a discovered room and an edited one.
    private func oldHouse() throws -> DatabaseQueue {
        let columns = SealingFunctions()
        let database = try DatabaseQueue(configuration: Store.configuration(columns))
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number <= 3 })
        try database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO rooms (id, name, position, version) VALUES ('hall', 'Hall', 0, 1), ('study', 'My study', 1, 4);
                    INSERT INTO devices (id, integration, name, device_class, room_id, connection, status, attributes, version, state_changed_at)
                    VALUES ('lamp', 'home-assistant', 'Lamp', 'light', 'hall', 'local', 'online', '{}', 812, 0),
                        ('desk', 'home-assistant', 'Desk', 'light', 'study', 'local', 'online', '{}', 3, 0);
                    """)
        }
        return database
    }

    private let another = (number: 4, statements: ["CREATE TABLE another (id INTEGER PRIMARY KEY) STRICT"])

    @Test("A device version read before a migration stays valid for edits, with or without the earlier step", arguments: [false, true])
    func versions(afterAnother: Bool) throws {
        let database = try oldHouse()
        let mine = Migrations.steps.filter { $0.number <= 3 || $0.number == 5 }
        let all = (mine + [another]).sorted { $0.number < $1.number }

        try Migrations.run(on: database, steps: afterAnother ? all : mine)

        let lamp = try database.read { try Row.fetchOne($0, sql: "SELECT version, revision FROM devices WHERE id = 'lamp'") }
        #expect(lamp?["version"] == 812 && lamp?["revision"] == 812)
        let found = try database.read { try String.fetchAll($0, sql: "SELECT id FROM rooms WHERE found_name = name") }
        #expect(found == ["hall"])
        let names = try database.read { try $0.columns(in: "commands").map(\.name) }
        #expect(names.contains("moving_since"))
        #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: "UPDATE devices SET version = 0") } }
        #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: "UPDATE devices SET revision = 0") } }
    }

    @Test("A room's chosen brightness is kept, and a zero becomes the light's own brightness")
    func brightness() throws {
        let database = try oldHouse()
        try database.write {
            try $0.execute(
                sql: """
                    INSERT INTO rooms (id, name, position, default_brightness) VALUES ('bath', 'Bath', 2, 40);
                    UPDATE rooms SET default_brightness = 0 WHERE id = 'study';
                    """)
        }
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number <= 3 || $0.number == 57 })

        let rooms = try database.read { db in
            try Row.fetchAll(db, sql: "SELECT id, default_brightness, version FROM rooms ORDER BY position")
                .map { [$0["id"] as String, ($0["default_brightness"] as Int?).map(String.init) ?? "-", String($0["version"] as Int)] }
        }
        #expect(rooms == [["hall", "-", "1"], ["study", "-", "4"], ["bath", "40", "1"]])
    }

    @Test(
        "A time zone offset becomes a name with the same offset, and others are unchanged",
        arguments: [
            ("GMT+0200", "Etc/GMT-2"), ("GMT-0500", "Etc/GMT+5"), ("GMT+1400", "Etc/GMT-14"), ("GMT-1400", "GMT-1400"),
            ("GMT+0530", "GMT+0530"), ("GMT", "GMT"), ("Europe/Berlin", "Europe/Berlin"),
        ])
    func zones(_ former: String, _ name: String) throws {
        let database = try DatabaseQueue(configuration: Store.configuration(SealingFunctions()))
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number < 59 })
        try database.write { db in
            try db.execute(sql: "INSERT INTO house (id, house_id, name, time_zone) VALUES (1, 'house', 'Home', ?)", arguments: [former])
        }

        try Migrations.run(on: database)

        #expect(try database.read { try String.fetchOne($0, sql: "SELECT time_zone FROM house") } == name)
        let (before, after) = (TimeZone(identifier: former), TimeZone(identifier: name))
        #expect(before?.secondsFromGMT() == after?.secondsFromGMT())
    }

    @Test("A step added late still runs, and no step runs twice")
    func late() throws {
        let database = try oldHouse()
        let mine = Migrations.steps.filter { $0.number <= 3 || $0.number == 5 }
        try Migrations.run(on: database, steps: mine)

        let all = (mine + [another]).sorted { $0.number < $1.number }
        try Migrations.run(on: database, steps: all)
        try Migrations.run(on: database, steps: all)

        #expect(try database.read { try $0.tableExists("another") })
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT revision FROM devices WHERE id = 'lamp'") } == 812)
    }

    @Test("A pass from before phone keys stays valid and unbound")
    func unbound() throws {
        let columns = SealingFunctions()
        let database = try DatabaseQueue(configuration: Store.configuration(columns))
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number < 7 })
        try database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO guests (id, name, created_by, created_at, expires_at, use_limit, requires_approval, asks_each_time, local_only)
                    VALUES ('guest_1', 'Plumber', 'p', 0, 1, 0, 0, 0, 0);
                    INSERT INTO guest_tokens (hash, guest_id, created_at) VALUES (x'01', 'guest_1', 0);
                    """)
        }

        try Migrations.run(on: database)

        let token = try database.read { try Row.fetchOne($0, sql: "SELECT * FROM guest_tokens") }
        #expect(token?["replaced_at"] == nil && token?["public_key"] == nil && token?["device_id"] == nil)
        #expect(throws: DatabaseError.self) {
            try database.write { try $0.execute(sql: "UPDATE guest_tokens SET device_id = 'phone', public_key = zeroblob(32)") }
        }
        for (device, key) in [("'phone'", "NULL"), ("NULL", "zeroblob(32)"), ("'phone'", "zeroblob(31)")] {
            #expect(throws: DatabaseError.self) {
                try database.write {
                    try $0.execute(
                        sql: """
                            INSERT INTO guest_tokens (hash, guest_id, created_at, replaced_at, device_id, public_key)
                            VALUES (x'02', 'guest_1', 0, 0, \(device), \(key))
                            """)
                }
            }
        }
    }

    @Test("A door accepts one command at a time before and after the index migration", arguments: [42, 43])
    func oneAtTheDoor(step: Int) throws {
        let database = try DatabaseQueue(configuration: Store.configuration(SealingFunctions()))
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number <= step })
        func ask(_ id: String, at entity: String, isWayIn: Bool = true, _ status: String) throws {
            try database.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO commands (id, principal, integration, device_id, entity_id, verb, grant_id, is_way_in, risk, status, asks,
                            accepted_at, not_after) VALUES (?, 'person:p', 'virtual', ?, ?, 'unlock', 'role:p', ?, 'open', ?, 0, 1, 2)
                        """, arguments: [id, entity, entity, isWayIn, status])
            }
        }
        try ask("on-its-way", at: "lock", "dispatching")
        try ask("next", at: "lock", "accepted")
        try ask("after-it", at: "lock", "accepted")
        try ask("elsewhere", at: "garage", "dispatching")
        for lamp in ["one", "two"] { try ask(lamp, at: "lamp", isWayIn: false, "dispatching") }

        #expect(throws: DatabaseError.self) { try ask("beside-it", at: "lock", "dispatching") }
        #expect(throws: DatabaseError.self) {
            try database.write { try $0.execute(sql: "UPDATE commands SET status = 'dispatching' WHERE id = 'next'") }
        }
        try Migrations.run(on: database, steps: Migrations.steps)
        #expect(throws: DatabaseError.self) {
            try database.write { try $0.execute(sql: "UPDATE commands SET status = 'dispatching' WHERE id = 'next'") }
        }
        try database.write { db in
            try db.execute(sql: "UPDATE commands SET status = 'confirmed', finished_at = 3 WHERE id = 'on-its-way'")
            try db.execute(sql: "UPDATE commands SET status = 'dispatching' WHERE id = 'next'")
        }
    }

    @Test("The journal's numbering continues, with its last rows present or dropped", arguments: [nil, 1, 2] as [Int64?])
    func journalGoesOn(droppedFrom: Int64?) throws {
        let database = try DatabaseQueue(configuration: Store.configuration(SealingFunctions()))
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number < 44 })
        let told = "INSERT INTO journal (at, kind, device_id, subject, data) VALUES (5, 'device_changed', 'lamp', 's', '{}')"
        try database.write { db in
            for _ in 1...3 { try db.execute(sql: told) }
            if let droppedFrom { try db.execute(sql: "DELETE FROM journal WHERE seq >= ?", arguments: [droppedFrom]) }
        }

        try Migrations.run(on: database)

        try database.write { db in
            let kept = try Row.fetchAll(db, sql: "SELECT * FROM journal WHERE device_id = 'lamp' ORDER BY seq")
            #expect(kept.map { $0[0] as Int64 } == [1, 2, 3].filter { $0 < droppedFrom ?? 4 })
            #expect(kept.allSatisfy { $0["at"] == 5 && $0["kind"] == "device_changed" && $0["subject"] == "s" && $0["data"] == "{}" })
            #expect(try Journal.last(in: db) == 3)
            try db.execute(sql: told)
            #expect(db.lastInsertedRowID == 4)
        }
        for forbidden in ["DELETE FROM journal WHERE seq = 4", "UPDATE journal SET at = 6"] {
            #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: forbidden) } }
        }
    }

    @Test("Sessions from before phones stay valid with their refresh tokens, and ended ones stay ended")
    func sessionsBeforePhones() throws {
        let columns = SealingFunctions()
        let database = try DatabaseQueue(configuration: Store.configuration(columns))
        try Migrations.run(on: database, steps: Migrations.steps.filter { $0.number < 8 })
        try database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO people (id, name, role, created_at) VALUES ('ada', 'Ada', 'member', 0);
                    INSERT INTO sessions (id, person_id, created_at, expires_at, last_used_at, ended_at, device, remote, is_local,
                        signed_in_by, proven_at, proven_by)
                    VALUES ('open', 'ada', 1, 2, 3, NULL, 'Firefox', '10.0.0.1', 1, 'passkey', 4, 'passkey'),
                        ('over', 'ada', 1, 2, 3, 5, NULL, NULL, 0, 'password', NULL, NULL);
                    INSERT INTO refresh_tokens (hash, session_id, expires_at) VALUES (x'01', 'open', 9);
                    """)
        }
        let names = try database.read { try $0.columns(in: "sessions").map(\.name).joined(separator: ", ") }
        let before = try database.read { try Row.fetchAll($0, sql: "SELECT \(names) FROM sessions ORDER BY id") }

        try Migrations.run(on: database)

        #expect(try database.read { try Row.fetchAll($0, sql: "SELECT \(names) FROM sessions ORDER BY id") } == before)
        #expect(try database.read { try String.fetchAll($0, sql: "SELECT session_id FROM refresh_tokens") } == ["open"])
        #expect(throws: DatabaseError.self) { try database.write { try $0.execute(sql: "UPDATE sessions SET ended_at = NULL") } }
        try database.write { try $0.execute(sql: "DELETE FROM sessions WHERE id = 'open'") }
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM refresh_tokens") } == 0)
    }
}
