import CardeaHub
import CardeaModel
import CardeaTestSupport
import Testing

@Suite("What integrations hand in")
struct DeviceDeskTests {
    @Test("A device of one integration is not taken over by another: a pass for it must open no other door")
    func taken() async throws {
        try await TestHouse.open { house in
            let stranger = Device(
                id: "front-door", name: "Another door", deviceClass: .security, integration: "other", stateChangedAt: house.clock.now,
                entities: [Entity(id: "lock.another", kind: .lock, name: "Another door", verbs: [.unlock])])

            await #expect(throws: DeviceTaken.self) { try await house.hub.devices.announce(stranger) }

            #expect(house.hub.devices.device("front-door")?.integration == "scripted")
            #expect(house.hub.devices.device("front-door")?.entities.map(\.id) == ["lock.front_door"])
        }
    }

    @Test("A room that is there keeps its name, and a new one comes")
    func rooms() async throws {
        try await TestHouse.open { house in
            try await house.hub.devices.announce(rooms: [Room(id: "hall", name: "Hall")])

            try await house.hub.devices.announce(rooms: [Room(id: "hall", name: "Flur"), Room(id: "attic", name: "Attic")])

            #expect(Set(house.hub.house.now.rooms.map(\.name)) == ["Hall", "Attic"])
        }
    }
}
