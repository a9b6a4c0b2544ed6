import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHomeAssistant

@Suite("Entity ids after renames in Home Assistant", .timeLimit(.minutes(5)))
struct EntityIDAllocatorTests {
    /// A house as stored across restarts: the integration's memory, and what the hub stores of it.
    struct StoredHouse {
        var household = HomeAssistantMirror()
        var names = DeviceIDAllocator()
        private var rooms = DeviceIDAllocator()
        private var roster = AnnouncementTracker()

        init(known: [Device] = [], former: [Device] = [], reserved: Set<String> = []) {
            household = HomeAssistantMirror(known: known, former: former, reserved: reserved)
            names = DeviceIDAllocator(known: known, former: former, reserved: reserved)
            roster = AnnouncementTracker(known: known)
            household.isComplete = true
        }

        mutating func read(_ entries: [Entry]) {
            let devices = Set(entries.map(\.device)).sorted().map { JSONValue.object(["id": .string($0), "name": .string($0)]) }
            household.read(areas: [], devices: .array(devices), entities: .array(entries.map(\.json)))
        }

        mutating func readStates(_ states: [String: String]) {
            let said = states.map { id, state in JSONValue.object(["entity_id": .string(id), "state": .string(state), "attributes": [:]]) }
            household.read(states: .array(said))
        }

        /// The devices that the hub has now.
        mutating func arrange() -> [Device] {
            let arranged = household.arrangedDevices(with: &names, rooms: &rooms, owners: roster.owners)
            let changes = roster.changes(to: arranged, isComplete: true)
            for id in changes.withdrawn { roster.recordWithdrawn(id) }
            for device in changes.announced { roster.recordAnnounced(device) }
            return arranged
        }
    }

    /// An entry of the entity registry.
    struct Entry {
        var entityID: String
        var id: String
        var uniqueID: String?
        var platform = "zha"
        var device: String

        init(_ entityID: String, _ id: String, _ uniqueID: String? = nil, platform: String = "zha", device: String? = nil) {
            self.entityID = entityID
            self.id = id
            self.uniqueID = uniqueID
            self.platform = platform
            self.device = device ?? "device-\(id)"
        }

        var json: JSONValue {
            [
                "entity_id": .string(entityID), "id": .string(id), "unique_id": uniqueID.map(JSONValue.string) ?? .null,
                "platform": .string(platform), "device_id": .string(device),
            ]
        }
    }

    /// A device of a version that stored no entity keys.
    private func old(_ deviceID: String, _ key: String, _ entities: [(String, String?)]) -> Device {
        Device(
            id: deviceID, name: deviceID, deviceClass: .security, integration: HomeAssistantIntegration.name, status: .online,
            attributes: [HomeAssistantMirror.keyAttribute: .string(key)], stateChangedAt: .distantPast,
            entities: entities.map { id, uniqueID in
                Entity(id: id, uniqueID: uniqueID, kind: .lock, name: id, verbs: [.lock, .unlock])
            })
    }

    private func entities(_ devices: [Device]) -> [String: [String]] {
        Dictionary(devices.map { ($0.id, $0.entities.map(\.id)) }, uniquingKeysWith: { first, _ in first })
    }

    @Test("A renamed entity keeps device and id; an entity that reuses its old entity id gets a new one, also after restarts")
    func renamed() {
        var house = StoredHouse()
        house.read([Entry("lock.front", "e1", "f"), Entry("lock.shed", "e2", "s")])
        house.readStates(["lock.front": "locked", "lock.shed": "unlocked"])
        let first = entities(house.arrange())

        house.read([Entry("lock.main", "e1", "f"), Entry("lock.shed", "e2", "s"), Entry("lock.front", "e3", "n")])
        house.readStates(["lock.main": "locked", "lock.shed": "unlocked", "lock.front": "jammed"])
        let devices = house.arrange()
        var again = StoredHouse(known: devices)
        again.read([Entry("lock.shed", "e1", "f"), Entry("lock.main", "e2", "s"), Entry("lock.front", "e3", "n")])
        again.readStates(["lock.shed": "locked", "lock.main": "unlocked", "lock.front": "jammed"])

        #expect(first == ["device-e1": ["lock.front"], "device-e2": ["lock.shed"]])
        let stranger = "lock.front_\(Slug.fingerprint("e3"))"
        #expect(entities(devices) == first.merging(["device-e3": [stranger]]) { first, _ in first })
        let later = again.arrange()
        #expect(entities(later) == entities(devices), "two that changed names, over a restart")
        #expect(again.household.entityID(of: "lock.front") == "lock.shed" && again.household.entityID(of: "lock.shed") == "lock.main")
        #expect(again.household.state(of: "lock.shed")?.value == "locked" && again.household.houseID(of: "lock.shed") == "lock.front")
    }

    @Test("A device with a removed device's name gets another id after a restart; the first regains its own")
    func former() {
        var house = StoredHouse()
        house.read([Entry("lock.front", "e1", "f", device: "d1")])
        house.readStates(["lock.front": "locked"])
        let gone = house.arrange()
        #expect(entities(gone) == ["d1": ["lock.front"]])

        var again = StoredHouse(former: gone, reserved: ["lock.gate"])
        let namesakes = [Entry("lock.front", "e8", "n", device: "D1"), Entry("lock.gate", "e9", "g", device: "d3")]
        again.read(namesakes)
        again.readStates(["lock.front": "locked", "lock.gate": "locked"])
        let others = entities(again.arrange())
        #expect(
            others == [
                "d1-\(Slug.fingerprint("D1"))": ["lock.front_\(Slug.fingerprint("e8"))"],
                "d3": ["lock.gate_\(Slug.fingerprint("e9"))"],
            ])

        again.read(namesakes + [Entry("lock.old", "e1", "f", device: "d1")])
        again.readStates(["lock.front": "locked", "lock.gate": "locked", "lock.old": "locked"])
        #expect(entities(again.arrange()) == others.merging(["d1": ["lock.front"]]) { first, _ in first })
    }

    @Test("A store without registry keys keeps every id and learns the keys from the first registry")
    func upgrade() throws {
        let known = [
            old("front-door", "device-e1", [("lock.front", "f"), ("lock.latch", nil)]), old("shed", "device-e2", [("lock.shed", "s")]),
            old("cellar", "entity:lock.cellar", [("lock.cellar", nil)]), old("gate", "device-e5", [("lock.gate", "before")]),
        ]
        var house = StoredHouse(known: known)
        house.read([
            Entry("lock.front", "e1", "f"), Entry("lock.latch", "e3", "l", device: "device-e1"), Entry("lock.shed", "e2", "s"),
            // Its integration has given it another unique id.
            Entry("lock.gate", "e5", "after"),
        ])
        house.readStates([
            "lock.front": "locked", "lock.latch": "locked", "lock.shed": "locked", "lock.cellar": "locked", "lock.gate": "locked",
        ])
        let devices = house.arrange()

        #expect(
            entities(devices) == [
                "front-door": ["lock.front", "lock.latch"], "shed": ["lock.shed"], "cellar": ["lock.cellar"], "gate": ["lock.gate"],
            ])
        let front = try #require(devices.first { $0.id == "front-door" })
        #expect(
            DeviceIDAllocator.entityKeys(of: front)["e1"] == "lock.front" && DeviceIDAllocator.entityKeys(of: front)["e3"] == "lock.latch")

        house.read([Entry("lock.gate", "e1", "f"), Entry("lock.front", "e5", "after")])
        house.readStates(["lock.gate": "locked", "lock.front": "locked"])
        let later = house.arrange()
        #expect(entities(later) == ["front-door": ["lock.front"], "gate": ["lock.gate"]])
    }

    @Test("Two entities that swapped names during an upgrade are told apart by unique id")
    func upgradeOverRenaming() {
        var house = StoredHouse(known: [
            old("front-door", "device-e1", [("lock.front", "f")]), old("shed", "device-e2", [("lock.shed", "s")]),
        ])

        house.read([Entry("lock.shed", "e1", "f"), Entry("lock.front", "e2", "s")])
        house.readStates(["lock.front": "locked", "lock.shed": "locked"])

        let devices = house.arrange()
        #expect(entities(devices) == ["front-door": ["lock.front"], "shed": ["lock.shed"]])
        #expect(house.household.entityID(of: "lock.front") == "lock.shed")
    }

    @Test("A deleted and recreated registry entry of the same integration keeps its id; another integration's does not")
    func madeAnew() {
        var first = StoredHouse()
        first.read([Entry("lock.front", "e1", "f", device: "d")])
        first.readStates(["lock.front": "locked"])
        _ = first.arrange()
        var (same, other, late) = (first, first, first)

        same.read([Entry("lock.front", "e2", "f", device: "d")])
        other.read([Entry("lock.front", "e2", "f", platform: "mqtt", device: "d")])
        // The first still exists: then this is another device, whatever its identifiers are.
        late.read([Entry("lock.front", "e2", "f", device: "d"), Entry("lock.main", "e1", "f", device: "d")])
        late.readStates(["lock.front": "locked", "lock.main": "locked"])

        let (kept, changed) = (same.arrange(), other.arrange())
        #expect(kept.flatMap(\.entities).map(\.id) == ["lock.front"])
        #expect(changed.flatMap(\.entities).map(\.id) == ["lock.front_\(Slug.fingerprint("e2"))"])
        #expect(late.household.houseID(of: "lock.main") == "lock.front")
        #expect(late.household.houseID(of: "lock.front") == "lock.front_\(Slug.fingerprint("e2"))")
    }

    @Test("An entry without a registry id is identified by integration and unique id, also after a restart")
    func withoutID() {
        var house = StoredHouse()
        house.read([Entry("lock.front", "", "f", device: "d")])
        house.readStates(["lock.front": "locked"])
        var again = StoredHouse(known: house.arrange())

        again.read([Entry("lock.main", "", "f", device: "d"), Entry("lock.front", "", "n", device: "d")])
        again.readStates(["lock.main": "locked", "lock.front": "locked"])

        #expect(again.household.houseID(of: "lock.main") == "lock.front")
        #expect(again.household.houseID(of: "lock.front")?.hasPrefix("lock.front_") == true)
    }

    @Test("During a rename an entity stays present, first by its old and then by its new name")
    func meanwhile() throws {
        var house = StoredHouse()
        house.read([Entry("lock.front", "e1", "f")])
        house.readStates(["lock.front": "locked"])
        let before = entities(house.arrange())

        house.read([Entry("lock.main", "e1", "f")])
        let renamed = entities(house.arrange())
        #expect(renamed == before && house.household.entityID(of: "lock.front") == "lock.main")
        house.household.handleRemoval("lock.front")
        let gone = entities(house.arrange())
        #expect(gone == before && house.household.isAway("lock.front"), "gone by the old name, not yet told by the new")
        _ = house.household.apply(try #require(StateReport(["entity_id": "lock.main", "state": "unlocked", "attributes": [:]])))
        let told = entities(house.arrange())

        #expect(told == before && !house.household.isAway("lock.front"))
        #expect(house.household.reports.keys.sorted() == ["lock.main"] && house.household.houseID(of: "lock.main") == "lock.front")
    }

    @Test("A state of an entity without a registry entry waits for that entry")
    func early() throws {
        var house = StoredHouse()
        house.read([])
        house.household.isRegistryCurrent = false
        _ = house.household.apply(try #require(StateReport(["entity_id": "lock.new", "state": "locked", "attributes": [:]])))
        let early = house.arrange()
        house.household.isRegistryCurrent = true
        house.read([Entry("lock.new", "e1", "n")])
        let known = house.arrange()
        house.read([Entry("lock.newer", "e1", "n")])
        house.readStates(["lock.newer": "locked"])
        let renamed = house.arrange()

        #expect(early.isEmpty)
        #expect(known.flatMap(\.entities).map(\.id) == ["lock.new"] && renamed.flatMap(\.entities).map(\.id) == ["lock.new"])
    }

    @Test("No id leads to another entity after any renames, deletions, additions and restarts")
    func sequences() {
        var random = SeededGenerator.forTest(33)
        for round in 0..<TestRepetitions.of(20, full: 400) {
            var house = StoredHouse()
            var entries: [Entry] = []
            var given: [String: String] = [:]
            for step in 0..<50 {
                let free = ["a", "b", "c", "d", "e"].map { "lock.\($0)" }.filter { name in !entries.contains { $0.entityID == name } }
                let place = entries.indices.randomElement(using: &random)
                switch (Int.random(in: 0..<5, using: &random), place, free.randomElement(using: &random)) {
                case (0, _, let name?): entries.append(Entry(name, "e\(step)", "u\(step)", device: "d\(step)"))
                case (1, let place?, let name?): entries[place].entityID = name
                case (2, let place?, _):
                    let other = Int.random(in: entries.indices, using: &random)
                    let name = entries[place].entityID
                    entries[place].entityID = entries[other].entityID
                    entries[other].entityID = name
                case (3, let place?, _) where entries.count > 2: entries.remove(at: place)
                case (4, _, _): house = StoredHouse(known: house.arrange())
                default: break
                }
                house.read(entries)
                if Bool.random(using: &random) { _ = house.arrange() }
                house.readStates(Dictionary(entries.map { ($0.entityID, "locked") }, uniquingKeysWith: { first, _ in first }))
                let arranged = house.arrange()

                let seen = arranged.flatMap(\.entities).map(\.id)
                #expect(Set(seen).count == seen.count && seen.count == entries.count, "seed \(random.seed), round \(round), step \(step)")
                for entry in entries {
                    let id = house.household.houseID(of: entry.entityID) ?? "none"
                    #expect(given[entry.id] ?? id == id, "seed \(random.seed), round \(round), step \(step)")
                    #expect(house.household.entityID(of: id) == entry.entityID, "seed \(random.seed), round \(round), step \(step)")
                    given[entry.id] = id
                }
            }
        }
    }
}

@Suite("Renames while the hub is connected", .serialized, .timeLimit(.minutes(5)))
struct LiveRenamingTests {
    private static func registry(_ front: String, state: String = "locked") -> [String: String] {
        [
            "config/device_registry/list": #"[{"id": "d1", "name": "Front door", "name_by_user": ""}]"#,
            "config/entity_registry/list":
                #"[{"entity_id": "\#(front)", "id": "e1", "device_id": "d1", "unique_id": "f", "platform": "zha"}]"#,
            "get_states": #"[{"entity_id": "\#(front)", "state": "\#(state)", "attributes": {"supported_features": 0}}]"#,
        ]
    }

    private static let renamed = #"""
        {"type": "event", "id": 3, "event": {"event_type": "entity_registry_updated", "data": {"action": "update",
        "entity_id": "lock.main", "old_entity_id": "lock.front_door", "changes": {"entity_id": "lock.front_door"}}}}
        """#

    private func asked(_ type: String, _ messages: [JSONValue]) -> Int { messages.count(where: { $0["type"]?.string == type }) }

    @Test("A command uses the entity's current name, and its state is reported for the same entity")
    func followed() async throws {
        let fake = FakeHomeAssistant()
        fake.registry.change { $0 = Self.registry("lock.front_door") }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await house.sink.log.waitUntil("the lock is there") { $0.statuses["front-door"] == .online }

                fake.registry.change { $0 = Self.registry("lock.main", state: "jammed") }
                fake.lines.now.last?.send(Self.renamed)
                try await house.sink.log.waitUntil("it is heard by its new name") { $0.last("lock.front_door")?.state.value == "jammed" }
                let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door"))

                #expect(handover == .dispatched)
                #expect(fake.calls.map { $0["target"]?["entity_id"] } == ["lock.main"])
                #expect(house.sink.log.now.withdrawn.isEmpty && house.sink.log.now.devices.keys.sorted() == ["front-door"])
                #expect(house.sink.log.now.devices["front-door"]?.name == "Front door")
                #expect(house.sink.log.now.reports.allSatisfy { $0.entityID == "lock.front_door" })
            }
        }
    }

    @Test("No command is sent before the registry is read")
    func refusedMeanwhile() async throws {
        let fake = FakeHomeAssistant()
        fake.registry.change { $0 = Self.registry("lock.front_door") }
        try await FakeHomeAssistant.run(fake) { fake in
            try await IntegrationFixture("http://127.0.0.1:\(fake.port)").run { house in
                try await house.sink.log.waitUntil("the lock is there") { $0.statuses["front-door"] == .online }
                fake.react { message, _ in message["type"] == "config/entity_registry/list" ? [] : nil }
                let before = asked("config/entity_registry/list", fake.heard.now)

                fake.lines.now.last?.send(Self.renamed)
                try await fake.heard.waitUntil("the registry is asked for") { asked("config/entity_registry/list", $0) > before }
                let handover = await house.integration.perform(house.backendCommand(.unlock, "lock.front_door"))

                #expect(handover == .refused(reason: "Home Assistant has just renamed entities"))
                #expect(fake.calls.isEmpty)
            }
        }
    }
}
