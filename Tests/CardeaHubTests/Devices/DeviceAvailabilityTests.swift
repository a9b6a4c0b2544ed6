import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Device availability", .timeLimit(.minutes(10)))
struct DeviceAvailabilityTests {
    private static let lost = ["front-door", "hall-light"]

    private func state(of id: String, in house: TestHouse) -> Entity? { house.hub.devices.device(id)?.entities.first }

    private func report(_ value: String, _ entityID: String = "lock.front_door", isFresh: Bool = true, in house: TestHouse) async throws {
        try await house.hub.devices.report([EntityReport(entityID: entityID, state: EntityState(value), isFresh: isFresh)])
    }

    @Test("A lost device has unknown state and keeps its last report until it reports again")
    func lost() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            try await report("locked", in: house)
            let said = house.clock.now
            let before = try #require(devices.device("front-door"))
            house.clock.advance(by: 600)

            try await devices.reportAvailability(.unknown, deviceIDs: ["front-door"])

            let after = try #require(devices.device("front-door"))
            #expect(after.status == .unknown && after.revision > before.revision && after.version == before.version)
            #expect(
                after.entities.first?.state == EntityState()
                    && after.entities.first?.lastReport == LastReport(EntityState("locked"), at: said))

            // Reachable again, it has not reported its state yet.
            try await devices.reportAvailability(.online, deviceIDs: ["front-door"])
            #expect(state(of: "front-door", in: house)?.state.value == "unknown")
            try await report("locked", in: house)
            #expect(state(of: "front-door", in: house)?.state.value == "locked" && state(of: "front-door", in: house)?.lastReport == nil)
        }
    }

    @Test("A repeated report updates the last report time and writes no journal row")
    func repeated() async throws {
        try await TestHouse.open { house in
            try await report("locked", in: house)
            let seq = try await house.hub.journal.last()
            house.clock.advance(by: 300)
            try await report("locked", in: house)
            let said = house.clock.now
            #expect(try await house.hub.journal.last() == seq)

            house.clock.advance(by: 300)
            try await house.hub.devices.reportAvailability(.unknown, deviceIDs: ["front-door"])
            #expect(state(of: "front-door", in: house)?.lastReport?.at == said)
        }
    }

    @Test("An offline device has unknown state whatever it reports, until it is online again")
    func offline() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            try await report("locked", in: house)
            try await devices.reportAvailability(.offline, deviceIDs: ["front-door"])
            #expect(devices.device("front-door")?.status == .offline)
            #expect(state(of: "front-door", in: house)?.state.value == "unknown")

            try await report("unlocked", in: house)
            #expect(state(of: "front-door", in: house)?.state.value == "unknown")
            #expect(state(of: "front-door", in: house)?.lastReport?.state.value == "unlocked")

            try await devices.reportAvailability(.online, deviceIDs: ["front-door"])
            #expect(state(of: "front-door", in: house)?.state.value == "unlocked")
        }
    }

    @Test("An entity that reports `unknown` keeps its last report and its descriptive attributes")
    func doesNotKnow() async throws {
        try await TestHouse.open { house in
            let bright = EntityState("on", attributes: ["brightness": 60, "effect_list": ["rainbow"]])
            try await house.hub.devices.report([EntityReport(entityID: "light.hall", state: bright)])
            try await report("unknown", "light.hall", in: house)

            let lamp = try #require(state(of: "hall-light", in: house))
            #expect(lamp.state == EntityState(attributes: ["effect_list": ["rainbow"]]))
            #expect(lamp.lastReport?.state == bright)
        }
    }

    @Test("After a restart states are unknown until reported, and retained reports keep their original time")
    func restarted() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await report("locked", in: house)
        let said = house.clock.now
        house.clock.advance(by: 60)

        let again = try await Hub(store: house.store, sealing: house.sealing, environment: house.clock.environment, logger: .silent)
        let door = try #require(again.devices.device("front-door"))
        #expect(door.status == .unknown && door.entities.first?.state.value == "unknown")
        #expect(door.entities.first?.lastReport == LastReport(EntityState("locked"), at: said))

        try await again.devices.report([EntityReport(entityID: "lock.front_door", state: EntityState("locked"), isFresh: false)])
        #expect(again.devices.device("front-door")?.entities.first?.state.value == "locked")
        try await again.devices.reportAvailability(.unknown, deviceIDs: ["front-door"])
        #expect(again.devices.device("front-door")?.entities.first?.lastReport?.at == said)
    }

    @Test("A retained report with an unchanged state updates no timestamps")
    func kept() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            try await report("unlocked", in: house)
            let before = try #require(devices.device("front-door"))
            house.clock.advance(by: 3600)
            try await devices.reportAvailability(.unknown, deviceIDs: ["front-door"])
            house.clock.advance(by: 60)

            try await report("unlocked", isFresh: false, in: house)

            let after = try #require(devices.device("front-door"))
            #expect(after.entities.first?.state.value == "unlocked")
            #expect(after.stateChangedAt == before.stateChangedAt && after.lastSeenAt == before.lastSeenAt)
        }
    }

    @Test("A withdrawn device that returns is unknown until it reports, and an offline device stays offline when lost")
    func back() async throws {
        try await TestHouse.open { house in
            let devices = house.hub.devices
            try await report("locked", in: house)
            let door = try #require(devices.device("front-door"))
            try await devices.withdraw(deviceID: "front-door", integration: door.integration)
            try await devices.announce(door)
            #expect(state(of: "front-door", in: house)?.state.value == "unknown")

            try await devices.reportAvailability(.offline, deviceIDs: ["front-door"])
            let revision = devices.device("front-door")?.revision
            try await devices.reportAvailability(.unknown, deviceIDs: ["front-door"])
            #expect(devices.device("front-door")?.status == .offline && devices.device("front-door")?.revision == revision)
        }
    }

    @Test("After a restart, lost devices are dated by the last sign of life of the previous run")
    func off() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        house.clock.advance(by: 45)
        try await report("unlocked", in: house)
        let last = house.clock.now
        let before = try await house.hub.journal.last()
        house.clock.advance(by: 4 * 3600)

        let again = try await Hub(store: house.store, sealing: house.sealing, environment: house.clock.environment, logger: .silent)
        let told = try await again.mindFeed.read { try again.mindFeed.journalEvents(after: before, limit: 10, in: $0).occurrences }
        let lost = told.filter { if case .deviceStatus(_, .unknown) = $0.fact { true } else { false } }
        #expect(!lost.isEmpty && lost.allSatisfy { $0.at == last })
    }

    @Test("Losing many devices at once writes one journal row and one numbered event per device")
    func oneRow() async throws {
        try await TestHouse.open { house in
            let journal = house.hub.journal
            for id in Self.lost { try await house.hub.devices.reportAvailability(.online, deviceIDs: [id]) }
            let before = try await journal.last()

            try await house.hub.devices.reportAvailability(.unknown, deviceIDs: Self.lost)

            #expect(try await house.store.read { try Journal.rows(after: before, limit: 10, in: $0).rows.map(\.kind) } == [.reachChanged])
            let events = try await journal.events(after: before, limit: 10).events
            #expect(events.map(\.seq) == [before + 1, before + 2])
            #expect(
                events.compactMap(Self.device).map(\.id) == Self.lost && events.compactMap(Self.device).allSatisfy { $0.status == .unknown }
            )
            // A client that received the first reconnects for the second.
            let rest = try await journal.events(after: before + 1, limit: 10).events
            #expect(rest.compactMap(Self.device).map(\.id) == ["hall-light"])
        }
    }

    @Test("A pass sees only its own door among devices lost together")
    func partOfARow() async throws {
        try await TestHouse.open { house in
            for id in Self.lost { try await house.hub.devices.reportAvailability(.online, deviceIDs: [id]) }
            let before = try await house.hub.journal.last()
            try await house.hub.devices.reportAvailability(.unknown, deviceIDs: Self.lost)

            let viewer = Visibility.pass(guestID: nil, entities: ["lock.front_door"], devices: ["front-door"])
            let seen = try await house.hub.journal.changes(after: before, limit: 10, seenBy: viewer)
            #expect(seen.events.compactMap(Self.device).map(\.id) == ["front-door"] && seen.next == before + 1)
            #expect(try await house.hub.journal.last(seenBy: viewer) == before + 1)
        }
    }

    private static func device(_ event: JournalEvent) -> Device? { if case .device(let device, _) = event.fact { device } else { nil } }
}
