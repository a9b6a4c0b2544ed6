import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Testing

@Suite("Device announcements and reports of integrations", .timeLimit(.minutes(10)))
struct DeviceSinkTests {
    @Test("An integration cannot announce a device ID that another integration owns")
    func taken() async throws {
        try await TestHouse.open { house in
            let stranger = Device(
                id: "front-door", name: "Another door", deviceClass: .security, integration: "other", stateChangedAt: house.clock.now,
                entities: [Entity(id: "lock.another", kind: .lock, name: "Another door", verbs: [.unlock])])

            await #expect(throws: DeviceIDConflictError.self) { try await house.hub.devices.announce(stranger) }

            #expect(house.hub.devices.device("front-door")?.integration == "scripted")
            #expect(house.hub.devices.device("front-door")?.entities.map(\.id) == ["lock.front_door"])
        }
    }

    @Test("Entity unique IDs and icons survive a restart, and a pass does not see the unique ID")
    func entityMarks() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        var lamp = try #require(house.hub.devices.device("hall-light"))
        lamp.entities[0].uniqueID = "0x00158d0001"
        lamp.entities[0].icon = "mdi:ceiling-light"
        try await house.hub.devices.announce(lamp)

        let again = try await Hub(store: house.store, sealing: house.sealing, environment: house.clock.environment, logger: .silent)
        let kept = try #require(again.devices.device("hall-light"))
        #expect(kept.entities.first?.uniqueID == "0x00158d0001" && kept.entities.first?.icon == "mdi:ceiling-light")

        let pass = Visibility.pass(guestID: nil, entities: Set(kept.entities.map(\.id)), devices: [kept.id])
        let seen = try #require(pass.filtered(kept)?.entities.first)
        #expect(seen.uniqueID == nil && seen.icon == "mdi:ceiling-light")

        // An integration that no longer names them does not remove them.
        lamp.entities[0].uniqueID = nil
        lamp.entities[0].icon = nil
        try await house.hub.devices.announce(lamp)
        #expect(house.hub.devices.device("hall-light")?.entities.first?.uniqueID == nil)
        #expect(house.hub.devices.device("hall-light")?.entities.first?.icon == nil)
    }

    @Test("A room follows its integration's name until it is renamed here, and new rooms are added")
    func rooms() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let devices = house.hub.devices
            try await devices.announce(rooms: [Room(id: "hall", name: "Hall"), Room(id: "study", name: "Study")])
            _ = try await devices.edit("hall-light", .init(room: .room("hall")), by: owner, origin: .house)
            _ = try await house.hub.rooms.replace(
                "study", with: RoomTraits(name: "Den"), position: nil, seen: .any, by: owner, origin: .house)
            _ = try await house.hub.rooms.add(RoomTraits(name: "Cellar"), position: nil, by: owner, call: nil, origin: .house)
            let (light, seq) = (try #require(devices.device("hall-light")), try await house.hub.journal.last())

            try await devices.announce(rooms: [
                Room(id: "hall", name: "Flur"), Room(id: "study", name: "Arbeitszimmer"), Room(id: "cellar", name: "Keller"),
                Room(id: "attic", name: "Attic"),
            ])

            #expect(Set(house.hub.house.current.rooms.map(\.name)) == ["Flur", "Den", "Cellar", "Attic"])
            // Its room's name is shown with it, so it is announced again; people's edits are kept.
            let after = try #require(devices.device("hall-light"))
            #expect(after.revision == light.revision + 1 && after.version == light.version)
            let told = try await house.hub.journal.events(after: seq, limit: 10).events.map(\.name)
            #expect(told == [.roomUpdate, .deviceUpdate, .roomUpdate])
        }
    }

    @Test("A device follows its integration's room assignment until it is moved here")
    func moved() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let devices = house.hub.devices
            try await devices.announce(rooms: [Room(id: "hall", name: "Hall"), Room(id: "attic", name: "Attic")])
            var lamp = try #require(devices.device("hall-light"))
            for room in ["hall", "attic", nil, "hall"] {
                lamp.roomID = room
                try await devices.announce(lamp)
                #expect(devices.device("hall-light")?.roomID == room)
            }

            _ = try await devices.edit("hall-light", .init(room: .room("attic")), by: owner, origin: .house)
            try await devices.announce(lamp)

            #expect(devices.device("hall-light")?.roomID == "attic")
        }
    }

    @Test("An entity moves to another device only of its integration and after its old device is withdrawn")
    func entityMoves() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            var back = try #require(devices.device("back-door"))
            back.entities += try #require(devices.device("front-door")).entities
            await #expect(throws: EntityIDConflictError.self) { try await devices.announce(back) }
            try await devices.withdraw(deviceID: "front-door", integration: "scripted")
            let stranger = Device(
                id: "other", name: "Other", deviceClass: .security, integration: "other", stateChangedAt: house.clock.now,
                entities: Array(back.entities.suffix(1)))
            await #expect(throws: EntityIDConflictError.self) { try await devices.announce(stranger) }

            try await devices.announce(back)

            #expect(devices.device("back-door")?.entities.map(\.id) == ["lock.back_door", "lock.front_door"])
            try await devices.report([EntityReport(entityID: "lock.front_door", state: EntityState("unlocked"))])
            #expect(devices.device("back-door")?.entities.last?.state.value == "unlocked")
        }
    }

    @Test("A hundred reports do not change a device's version, so an edit based on it succeeds")
    func versions() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let devices = house.hub.devices
            let seen = try #require(devices.device("hall-sensor"))
            for number in 0..<100 {
                try await devices.report([EntityReport(entityID: "sensor.hall", state: EntityState("\(number)"))])
            }
            try await devices.reportAvailability(.offline, deviceIDs: ["hall-sensor"])
            #expect(devices.device("hall-sensor")?.version == seen.version)
            #expect(devices.device("hall-sensor")?.revision == seen.revision + 101)

            let named = try await devices.edit(
                "hall-sensor", .init(name: "Thermometer"), seen: .oneOf([seen.version]), by: owner, origin: .house)

            #expect(named.name == "Thermometer" && named.version == seen.version + 1)
            await #expect(throws: Devices.EditError.self) {
                try await devices.edit("hall-sensor", .init(name: "Late"), seen: .oneOf([seen.version]), by: owner, origin: .house)
            }
        }
    }

    @Test("An unchanged announcement writes nothing; a changed one increments the version")
    func announcedAgain() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            var lamp = try #require(devices.device("hall-light"))
            let seq = try await house.hub.journal.last()

            try await devices.announce(lamp)
            #expect(try await house.hub.journal.last() == seq && devices.device("hall-light") == lamp)
            lamp.model = "Mark II"
            try await devices.announce(lamp)

            let after = try #require(devices.device("hall-light"))
            #expect(after.version == lamp.version + 1 && after.revision == lamp.revision + 1)
            #expect(try await house.hub.journal.last() == seq + 1)
            // Withdrawn and announced again, it counts as returned, though it is unchanged.
            try await devices.withdraw(deviceID: "hall-light", integration: "scripted")
            try await devices.announce(lamp)
            #expect(devices.device("hall-light")?.model == "Mark II")
            #expect(try await house.hub.journal.last() == seq + 3)
        }
    }

    @Test("Reports of one batch are adjacent in the journal, before the command updates they cause")
    func together() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            for entity in ["lock.front_door", "lock.back_door"] { house.doorBackend.set(.silent, at: entity) }
            for door in ["front-door", "back-door"] { _ = try await house.hub.commands.submit(house.unlock(door, as: owner)) }
            try await waitUntil { house.doorBackend.backendCommands.count == 2 }
            let seq = try await house.hub.journal.last()

            try await house.hub.devices.report(
                ["lock.front_door", "lock.back_door"].map { EntityReport(entityID: $0, state: EntityState("unlocked")) })

            let told = try await house.hub.journal.events(after: seq, limit: 10).events
            #expect(told.map(\.name) == [.deviceUpdate, .deviceUpdate, .commandUpdate, .commandUpdate])
        }
    }

    @Test("Unlocked and locked in one batch ends as locked, with both reports in the journal")
    func thereAndBack() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            try await devices.report([EntityReport(entityID: "lock.front_door", state: EntityState("locked"))])
            let seq = try await house.hub.journal.last()

            try await devices.report(
                ["unlocked", "locked"].map { EntityReport(entityID: "lock.front_door", state: EntityState($0)) })

            #expect(devices.device("front-door")?.entities.first?.state.value == "locked")
            let said = try await house.hub.journal.events(after: seq, limit: 10).events.map { event in
                if case .device(_, let said?) = event.fact { said.state.value } else { "" }
            }
            #expect(said == ["unlocked", "locked"])
        }
    }

    @Test("Device attributes reported back and forth in one batch end at the last value")
    func attributesThereAndBack() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            var back = try #require(devices.device("back-door"))
            back.entities.append(Entity(id: "sensor.back_door", kind: .sensor, name: "Battery", verbs: []))
            try await devices.announce(back)
            func report(_ entity: String, battery: Double) -> EntityReport {
                let known = devices.device("back-door")?.entities.first { $0.id == entity }
                return EntityReport(
                    entityID: entity, state: known?.state ?? EntityState(), deviceAttributes: ["battery": .number(battery)])
            }
            try await devices.report([report("lock.back_door", battery: 90)])

            try await devices.report([report("lock.back_door", battery: 80), report("sensor.back_door", battery: 90)])

            #expect(devices.device("back-door")?.attributes["battery"] == 90)
        }
    }
}
