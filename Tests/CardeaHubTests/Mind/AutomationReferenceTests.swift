import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Automation references to departed people", .timeLimit(.minutes(5)))
struct AutomationReferenceTests {
    /// Each rule in readable form: its name, whether it is on and why not, its version, and its parts.
    private func rules(in store: Store) async throws -> [[String]] {
        try await store.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT opened(name, 'automations.name', id), is_on || ' ' || coalesce(off_because, '-') || ' ' || version,
                        opened(triggers, 'automations.triggers', id), opened(conditions, 'automations.conditions', id),
                        opened(actions, 'automations.actions', id) FROM automations ORDER BY id
                    """
            ).map { row in (0..<5).map { row[$0] as String } }
        }
    }

    // An automation on a departed person's presence once stayed enabled, and their id outlived them.
    @Test("The next start removes presence triggers of departed people and keeps the others")
    func before() async throws {
        let (store, sealing) = (try Store.inMemory(), SealingKey.random())
        let house = try await TestHouse.make(store: store, sealing: sealing)
        let (owner, _) = try await house.claim()
        let id = try #require(owner.personID)
        let time = #"{"at":"07:30","type":"time","weekdays":["mon"]}"#
        let mine = #"{"change":"arrives","person_id":"\#(id)","type":"presence"}"#
        let theirs = #"{"change":"leaves","person_id":"person_gone","type":"presence"}"#
        try await store.write { db in
            for (name, triggers) in [("both", "[\(theirs),\(time),\(mine)]"), ("gone", "[\(theirs)]"), ("mine", "[\(mine)]")] {
                try db.execute(
                    sql: """
                        INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                        VALUES (:name, :name, :id, 1, :triggers, '[]', '[]', 1, 1, 1)
                        """, arguments: ["name": name, "id": id, "triggers": triggers])
            }
            try db.execute(
                sql: """
                    INSERT INTO automation_runs (automation_id, at, trigger_place, result, is_dry, outcomes) VALUES ('both', 1, 0, 'ran', 0, '[]'),
                        ('both', 2, 1, 'ran', 0, '[]'), ('both', 3, 2, 'ran', 0, '[]'), ('both', 4, NULL, 'tried', 1, '[]'),
                        ('mine', 5, 0, 'ran', 0, '[]')
                    """)
        }

        // The work of one start is not repeated at the next.
        for _ in 0..<2 {
            let next = try await TestHouse.make(store: store, sealing: sealing)
            #expect(
                try await rules(in: store) == [
                    ["both", "1 - 2", "[\(time),\(mine)]", "[]", "[]"], ["gone", "0 person_left 2", "[]", "[]", "[]"],
                    ["mine", "1 - 1", "[\(mine)]", "[]", "[]"],
                ])
            let places = try await store.read { try Int?.fetchAll($0, sql: "SELECT trigger_place FROM automation_runs ORDER BY number") }
            #expect(places == [nil, 0, 1, nil, 0])
            #expect(try await next.auditNotes().count { $0.action == "automation.off" } == 1)
        }
    }

    @Test("Erasure ignores names that are words of the house vocabulary and keeps the rest of the automation")
    func words() async throws {
        let store = try Store.inMemory()
        let house = try await TestHouse.make(store: store)
        let (owner, _) = try await house.claim()
        try await store.write { [now = house.clock.now] db in
            try db.execute(
                sql: """
                    INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                    VALUES ('one', 'Unlock for Wilhelmina', ?, 0, '[{"entity_id":"sensor.wish","to":"unlock","type":"state"}]',
                        '[{"conditions":[{"entity_id":"sensor.face","is":"wilhelmina","type":"state"}],"type":"any"}]',
                        '[{"action":"on","device_id":"wilhelmina","type":"control","value":"Wilhelmina"},
                        {"type":"notify","words":"WILHELMINA, not Wilhelminas","to":"residents"}]', 1, 1, 1)
                    """, arguments: [owner.personID])
            let counts = try (0..<2).map { _ in
                try AutomationReferences.erase(["person_gone"], names: ["Unlock", "", "Wilhelmina"], at: now, in: db).count
            }
            #expect(counts == [1, 0])
        }

        #expect(
            try await rules(in: store) == [
                [
                    "Unlock for somebody", "0 - 2", #"[{"entity_id":"sensor.wish","for_seconds":0,"to":"unlock","type":"state"}]"#,
                    #"[{"conditions":[{"entity_id":"sensor.face","is":"erased","type":"state"}],"type":"any"}]"#,
                    #"[{"action":"on","device_id":"wilhelmina","entity_id":null,"type":"control","value":"erased"},"#
                        + #"{"to":"residents","type":"notify","words":"somebody, not Wilhelminas"}]"#,
                ]
            ])
    }

    // A pass named "Unlocked" once removed all automations on an unlocked door with its erasure.
    @Test("Erasure ignores names that equal entity states or are only part of another word")
    func saidOfThings() async throws {
        let store = try Store.inMemory()
        let house = try await TestHouse.make(store: store)
        let (owner, _) = try await house.claim()
        let names = [
            "Unlocked", "LOCKED", "closed", "Auto", "fan_only", "fan only", "heat_cool", "Home", "away", "Unavailable", "Ada", "Standby",
        ]
        try await store.write { [now = house.clock.now] db in
            try db.execute(
                sql: """
                    INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                    VALUES ('one', 'Home is locked', ?, 1, '[{"entity_id":"lock.front_door","to":"unlocked","type":"state"},
                        {"entity_id":"sensor.phone","to":"Phone of Ada","type":"state"}]',
                        '[{"condition":{"entity_id":"cover.garage","is":"closed","type":"state"},"type":"not"},
                        {"entity_id":"sensor.phone","is":"Phone of Ada","type":"state"}]',
                        '[{"action":"set_mode","device_id":"heating","type":"control","value":"auto"},
                        {"action":"set_mode","device_id":"heating","type":"control","value":"fan_only"},
                        {"type":"notify","words":"The door is locked, and nobody home","to":"residents"}]', 1, 1, 1)
                    """, arguments: [owner.personID])
            #expect(try AutomationReferences.erase(["person_gone"], names: names, at: now, in: db).isEmpty)
            for name in EntityState.knownValues { #expect(try HouseVocabulary.contains(name.capitalized, db), "\(name)") }
        }
    }

    // An automation for everyone but one face would have run for every face.
    @Test("Erasure turns off automations whose condition depended on the name; double negations stay on")
    func denied() async throws {
        let store = try Store.inMemory()
        let house = try await TestHouse.make(store: store)
        let (owner, _) = try await house.claim()
        let face = #"{"entity_id":"sensor.face","is":"Wilhelmina","type":"state"}"#
        func not(_ part: String) -> String { #"{"condition":\#(part),"type":"not"}"# }
        func oneOf(_ part: String) -> String { #"{"conditions":[\#(part)],"type":"any"}"# }
        let conditions = [
            ("a", face), ("b", not(face)), ("c", not(oneOf(face))), ("d", not(not(face))), ("e", not(oneOf(not(not(face))))),
            ("f", not(face.replacing("Wilhelmina", with: "Tess"))),
        ]
        try await store.write { [now = house.clock.now] db in
            for (id, condition) in conditions {
                try db.execute(
                    sql: """
                        INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                        VALUES (:id, :id, :owner, 1, '[{"entity_id":"button.bell","for_seconds":0,"to":"pressed","type":"state"}]', :conditions,
                            '[{"to":"owner","type":"notify","words":"A stranger rings"}]', 1, 1, 1)
                        """, arguments: ["id": id, "owner": owner.personID, "conditions": "[\(condition)]"])
            }
            let named = try AutomationReferences.erase(["person_gone"], names: ["Wilhelmina"], at: now, in: db)
            #expect(named == ["a", "b", "c", "d", "e"])
        }

        let left = try await rules(in: store)
        #expect(left.map { $0[1] } == ["1 - 2", "0 person_left 2", "0 person_left 2", "1 - 2", "0 person_left 2", "1 - 1"])
        #expect(left.map { $0[3] } == conditions.map { "[\($0.1.replacing("Wilhelmina", with: "erased"))]" })
        #expect(left.allSatisfy { $0[2].contains("button.bell") })
        #expect(try await house.auditNotes().count { $0.action == "automation.off" } == 3)
    }

    @Test("The erasure receipt counts an automation that references and names the person once")
    func counted() async throws {
        let store = try Store.inMemory()
        let house = try await TestHouse.make(store: store)
        let (owner, _) = try await house.claim()
        let (ada, _) = try await house.resident("zuleika", role: "member", by: owner)
        let adaID = try #require(ada.personID)
        try await store.write { db in
            for (id, person, words) in [("hers", adaID, "Zuleika is home"), ("other", "person_gone", "Somebody is home")] {
                try db.execute(
                    sql: """
                        INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                        VALUES (:id, :id, :owner, 1, :triggers, '[]', :actions, 1, 1, 1)
                        """,
                    arguments: [
                        "id": id, "owner": owner.personID,
                        "triggers": #"[{"change":"arrives","person_id":"\#(person)","type":"presence"}]"#,
                        "actions": #"[{"to":"owner","type":"notify","words":"\#(words)"}]"#,
                    ])
            }
        }

        let job = try await house.hub.jobs.erase(adaID, by: owner, origin: .house)
        try await house.hub.jobs.runAll()

        let done = try await house.hub.jobs.one(job.id, seenBy: owner)
        #expect(done.receipt?["rows"]?["automations"] == 1 && done.receipt?["automations"] == nil)
        let actions = try await rules(in: store).map { $0[4] }
        #expect(actions.map { $0.contains("somebody is home") } == [true, false])
    }

    @Test("An automation with an undecryptable part is left unchanged")
    func damaged() async throws {
        let store = try Store.inMemory()
        let house = try await TestHouse.make(store: store)
        let (owner, _) = try await house.claim()
        try await store.write { [now = house.clock.now] db in
            try db.execute(
                sql: """
                    INSERT INTO automations (id, name, owner, is_on, triggers, conditions, actions, version, created_at, changed_at)
                    VALUES ('one', 'One', ?, 1, '[{"type":"presence","change":"leaves","person_id":"person_gone"}]', char(1) || 'AAAA', '[]', 1, 1, 1)
                    """, arguments: [owner.personID])
            #expect(try AutomationReferences.removeDepartedPeople(at: now, in: db).isEmpty)
            #expect(try AutomationReferences.erase(["person_gone"], names: [], at: now, in: db).isEmpty)
        }
    }
}
