import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("House and room preferences", .timeLimit(.minutes(10)))
struct HousePreferenceTests {
    /// A room with the hall's lamp and, on request, a motion sensor.
    @discardableResult
    private func furnish(
        _ house: TestHouse, by owner: Principal, _ lighting: (inout LightingPreferences) -> Void
    ) async throws -> String {
        var traits = RoomTraits(name: "Hall")
        lighting(&traits.lighting)
        let (room, _) = try await house.hub.rooms.add(traits, position: nil, by: owner, call: nil, origin: .house)
        _ = try await house.hub.devices.edit("hall-light", .init(room: .room(room.id)), by: owner, origin: .house)
        let sensor = Entity(
            id: "binary_sensor.hall", kind: .binarySensor, name: "Hall motion", deviceClass: "motion", verbs: [], state: EntityState("off"))
        try await house.hub.devices.announce(
            Device(
                id: "hall-motion", name: "Hall motion", deviceClass: .sensor, roomID: room.id, integration: "scripted", status: .online,
                stateChangedAt: house.clock.now, entities: [sensor]))
        // A device's state is unknown before its first report.
        for id in ["light.hall", sensor.id] { try await house.doorBackend.report("off", at: id) }
        return room.id
    }

    private func submit(_ verb: Verb, _ value: JSONValue? = nil, of house: TestHouse, as who: Principal) async throws -> Command {
        try await house.submit(
            CommandRequest(principal: who, target: .device(id: "hall-light", entityID: nil, verb: verb), value: value, origin: .house))
    }

    private func away(_ isAway: Bool, in house: TestHouse, by who: Principal) async throws {
        _ = try await house.hub.house.change(
            {
                var preferences = $0
                preferences.isOnVacation = isAway
                return preferences
            }, seen: .any, by: who, origin: .house, at: house.clock.now)
    }

    // MARK: Brightness

    @Test("A light turned on from off uses its room's default brightness, unless another brightness is requested")
    func brightness() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await furnish(house, by: owner) { $0.defaultBrightness = 40 }
            let (guest, _, _) = try await house.guest(house.draft(actions: ["light.on"], device: "hall-light"), by: owner)
            let on = try #require(ActionName("light.on"))

            /// Waits until the lamp has confirmed its command, and sets it to off again, or on.
            func settle(_ count: Int, _ done: Verb = .on, _ state: String = "off") async throws {
                try await waitUntil {
                    house.doorBackend.backendCommands.count == count
                        && house.hub.devices.device("hall-light")?.entities.first?.state.value == done.rawValue
                }
                try await house.doorBackend.report(state, at: "light.hall")
            }

            let asked = try await submit(.on, of: house, as: owner)
            #expect(asked.verb == .on && asked.value == 40)
            // The lamp reports that it is on, without a brightness: that is all that was requested.
            #expect(try await house.hub.commands.outcome(of: asked).status == .confirmed)
            try await settle(1)
            _ = try await house.submit(
                CommandRequest(principal: guest, target: .pass(on, spoken: "light.on", entityID: nil), origin: .house))
            try await settle(2)
            _ = try await house.hub.batches.submit(
                [.init(deviceID: "hall-light", action: "on")], by: owner, call: nil, origin: .house)
            try await settle(3)
            _ = try await submit(.setBrightness, 70, of: house, as: owner)
            try await settle(4, .setBrightness, "on")
            // It is on already, at a brightness that a person chose.
            #expect(try await submit(.on, of: house, as: owner).value == nil)

            try await waitUntil { house.doorBackend.backendCommands.count == 5 }
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.setBrightness, .setBrightness, .setBrightness, .setBrightness, .on])
            #expect(house.doorBackend.backendCommands.map(\.requestedVerb) == [.on, .on, .on, .setBrightness, .on])
            #expect(house.doorBackend.backendCommands.map(\.value) == [40, 40, 40, 70, nil])
        }
    }

    @Test("An approved pass command turns the light on at the room's default brightness")
    func brightnessWithYes() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await furnish(house, by: owner) { $0.defaultBrightness = 40 }
            let draft = house.draft(actions: ["light.on"], device: "hall-light", asksEachTime: true)
            let (guest, _, _) = try await house.guest(draft, by: owner)
            let on = try #require(ActionName("light.on"))
            let asked = try await house.submit(
                CommandRequest(principal: guest, target: .pass(on, spoken: "light.on", entityID: nil), origin: .house))

            let answered = try await house.hub.commands.decide(asked.id, approve: true, by: owner, origin: .house)
            #expect(try await house.hub.commands.outcome(of: answered).status == .confirmed)
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.setBrightness])
            #expect(house.doorBackend.backendCommands.map(\.value) == [40])
        }
    }

    @Test("A room without default brightness sends a plain `on`")
    func ownBrightness() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await furnish(house, by: owner) { _ in }
        let asked = try await submit(.on, of: house, as: owner)
        #expect(asked.verb == .on && asked.value == nil)
    }

    // MARK: Motion

    @Test("Motion turns the room's lights on and off as a house automation that is on record")
    func motion() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let room = try await furnish(house, by: owner) { $0.motionActivated = true }
            let id = try #require(owner.personID)
            _ = try await house.hub.motionLights.evaluate()

            try await house.doorBackend.report("on", at: "binary_sensor.hall")
            try await waitUntil { house.hub.devices.device("hall-light")?.entities.first?.state.value == "on" }
            let command = try #require(house.doorBackend.backendCommands.first?.commandID)
            #expect(try await house.hub.commands.command(command)?.principal == "automation:motion-lights-\(room):\(id)")
            let entry = try #require(
                try await house.hub.activity.entries(.init(deviceID: "hall-light"), seenBy: owner).first { $0.action == "on" })
            #expect(entry.via?.kind == .automation && entry.via?.name == "Lights with motion")

            try await house.doorBackend.report("off", at: "binary_sensor.hall")
            let end = house.clock.now.addingTimeInterval(MotionLighting.offDelay)
            try await waitUntil { house.clock.isAwaited(end) }
            house.clock.advance(by: MotionLighting.offDelay)
            try await waitUntil { house.doorBackend.backendCommands.map(\.verb) == [.on, .off] }
        }
    }

    @Test("A manual command to a light cancels its motion-activated switch-off")
    func handedOver() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await furnish(house, by: owner) { $0.motionActivated = true }
            _ = try await house.hub.motionLights.evaluate()
            try await house.doorBackend.report("on", at: "binary_sensor.hall")
            try await waitUntil { house.hub.devices.device("hall-light")?.entities.first?.state.value == "on" }

            _ = try await house.hub.commands.outcome(of: try await submit(.on, of: house, as: owner))
            try await house.doorBackend.report("off", at: "binary_sensor.hall")
            _ = try await house.hub.motionLights.evaluate()
            house.clock.advance(by: 2 * MotionLighting.offDelay)
            _ = try await house.hub.motionLights.evaluate()
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.on, .on])
        }
    }

    @Test("Motion lighting is granted only its room's lights, for an owner, and only while enabled")
    func grant() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let room = try await furnish(house, by: owner) { $0.motionActivated = true }
        let (ownerID, memberID) = (try #require(owner.personID), try #require(member.personID))
        func grant(_ person: String) async throws -> Grant? {
            try await house.store.read { try CommandAdmission.grant(of: .automation(id: MotionLights.id(of: room), personID: person), $0) }
        }

        let lights = try #require(try await grant(ownerID)?.only)
        #expect(lights == [Grant.Item(deviceID: "hall-light", entityID: "light.hall", verbs: [.on, .off, .setBrightness])])
        #expect(try await grant(memberID) == nil)
        _ = try await house.hub.rooms.replace(
            room, with: RoomTraits(name: "Hall"), position: nil, seen: .any, by: owner, origin: .house)
        #expect(try await grant(ownerID) == nil)
    }

    // MARK: Vacation

    @Test("Away mode marks everyone at home as away, and a later presence report marks them home again")
    func everybodyLeaves() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        func isHome(_ who: Principal) async throws -> Bool? {
            try await house.hub.people.person(try #require(who.personID))?.presence?.isHome
        }
        _ = try await house.hub.people.setPresence(isHome: true, by: owner, origin: .house)

        try await away(true, in: house, by: owner)
        #expect(try await isHome(owner) == false)
        #expect(try await isHome(member) == nil)
        house.clock.advance(by: 3600)
        _ = try await house.hub.people.setPresence(isHome: true, by: owner, origin: .house)
        // A repetition is not an event.
        try await away(true, in: house, by: owner)
        #expect(try await isHome(owner) == true)
    }

    private func notices(_ house: TestHouse) async throws -> [String] {
        try await house.store.read {
            try String.fetchAll(
                $0, sql: "SELECT subject FROM journal WHERE kind = 'mind_changed' AND subject GLOB 'vacation:*' ORDER BY seq")
        }
    }

    @Test("In away mode a door opened without a command notifies everyone; a door opened by a pass does not")
    func opened() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let (guest, _, _) = try await house.guest(house.draft(), by: owner)
            // While a person is at home, a key in the lock is not reported.
            try await house.doorBackend.report("unlocked", at: "lock.back_door")
            try await house.hub.vacationMonitor.check()
            try await house.doorBackend.report("locked", at: "lock.back_door")
            try await away(true, in: house, by: owner)
            try await house.hub.vacationMonitor.check()

            #expect(try await house.run(house.open(as: guest)).status == .confirmed)
            try await house.hub.vacationMonitor.check()
            #expect(try await notices(house).isEmpty)

            try await house.doorBackend.report("unlocked", at: "lock.back_door")
            for who in [owner, member] {
                try await waitUntil { try await house.hub.notices.page(of: who).notices.map(\.kind) == [.danger] }
                let words = try await house.hub.notices.page(of: who).notices.first?.fact.text
                #expect(words?.hasPrefix("“Back door” was opened") == true)
            }
            #expect(try await notices(house).count == 1)
        }
    }

    @Test("In away mode a door last reported locked and now unlocked counts as opened, despite an unknown state between")
    func openedUnseen() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        for door in ["lock.front_door", "lock.back_door"] { try await house.doorBackend.report("locked", at: door) }
        // As after a start: no state is known, and every door has a last report.
        try await house.hub.devices.reportAvailability(.unknown, deviceIDs: ["front-door", "back-door"])
        try await away(true, in: house, by: owner)
        try await house.hub.vacationMonitor.check()
        #expect(try await notices(house).isEmpty)

        try await house.doorBackend.report("locked", at: "lock.front_door")
        try await house.doorBackend.report("unlocked", at: "lock.back_door")
        try await house.hub.vacationMonitor.check()
        #expect(try await notices(house).map { $0.contains("lock.back_door") } == [true])
    }

    @Test("Unknown state does not count as open, and a contact opening is attributed to the lock command before it")
    func contacts() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (guest, _, _) = try await house.guest(house.draft(), by: owner)
        let contact = Entity(
            id: "binary_sensor.front", kind: .binarySensor, name: "Front contact", deviceClass: "door", verbs: [], state: EntityState("off")
        )
        try await house.hub.devices.announce(
            Device(
                id: "front-contact", name: "Front contact", deviceClass: .sensor, integration: "scripted", status: .online,
                stateChangedAt: house.clock.now, entities: [contact]))
        try await away(true, in: house, by: owner)
        try await house.hub.vacationMonitor.check()
        for state in ["unknown", "off"] {
            try await house.doorBackend.report(state, at: "binary_sensor.front")
            try await house.hub.vacationMonitor.check()
        }
        _ = try await house.submit(house.open(as: guest))
        try await house.doorBackend.report("on", at: "binary_sensor.front")
        try await house.hub.vacationMonitor.check()
        #expect(try await notices(house).isEmpty)

        try await house.doorBackend.report("off", at: "binary_sensor.front")
        try await house.hub.vacationMonitor.check()
        house.clock.advance(by: 301)
        try await house.doorBackend.report("on", at: "binary_sensor.front")
        try await house.hub.vacationMonitor.check()
        #expect(try await notices(house).count == 1)
    }
}
