import CardeaHub
import CardeaModel
import CardeaTestSupport
import Foundation
import Testing

@Suite("Planned devices")
struct PlannedDeviceTests {
    private static let lamp = PlannedDevices.Plan(name: " Reading lamp ", kind: .light, deviceClass: .light, manufacturer: "Hue")

    @Test("A planned device is created once per idempotency key, with an ID that is not reused", .timeLimit(.minutes(5)))
    func once() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let call = IdempotencyKey(key: "k", method: "TEST", path: "/", body: Data())
            let planned = house.hub.plannedDevices
            let first = try await planned.add(Self.lamp, by: owner, call: call, origin: .house)
            let again = try await planned.add(Self.lamp, by: owner, call: call, origin: .house)
            let second = try await planned.add(Self.lamp, by: owner, call: nil, origin: .house)

            #expect(first == again && first.id == "planned-reading-lamp" && first.name == "Reading lamp")
            #expect(first.entities.map(\.id) == ["light.planned_reading_lamp"] && first.status == .unknown && !first.isGuestAccessible)
            #expect(second.id == "planned-reading-lamp-2")
            #expect(house.hub.devices.device(first.id) == first)
            try await house.hub.devices.remove(first.id, by: owner, origin: .house)
            await #expect(throws: Devices.EditError.self) { try await planned.add(Self.lamp, by: owner, call: call, origin: .house) }
            let third = try await planned.add(Self.lamp, by: owner, call: nil, origin: .house)
            #expect(third.id == "planned-reading-lamp-3", "what was taken out keeps its id, which a pass may name")
        }
    }

    @Test("Commands to a planned device are refused as not connected and audited", .timeLimit(.minutes(5)))
    func unmoved() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let door = try await house.hub.plannedDevices.add(
                .init(name: "Cellar", kind: .lock, deviceClass: .security), by: owner, call: nil, origin: .house)
            await #expect(throws: CommandRefusal.notConnected) { try await house.run(house.unlock(door.id, as: owner)) }
            _ = try await house.hub.devices.edit(door.id, .init(isGuestAccessible: true), by: owner, origin: .house)
            let (guest, _, _) = try await house.guest(house.draft(uses: 1, device: door.id), by: owner)
            await #expect(throws: CommandRefusal.notConnected) { try await house.run(house.open(as: guest)) }
            let last = try await house.hub.activity.entries(.init(limit: 1), seenBy: owner).first
            #expect(last?.result == "refused" && last?.reason == "integration_not_ready")
            #expect(house.doorBackend.backendCommands.isEmpty)
            #expect(try await house.hub.homeAssistantExport.snapshot().locks.count == 2)
        }
    }

    @Test("Planning a device requires the right to add devices, and the refused attempt is audited", .timeLimit(.minutes(5)))
    func forbidden() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("ben", role: "member", by: owner)
            await #expect(throws: People.PersonError.self) {
                try await house.hub.plannedDevices.add(Self.lamp, by: member, call: nil, origin: .house)
            }
            #expect(try await house.hub.activity.entries(.init(limit: 1), seenBy: owner).first?.action == "device.plan")
            #expect(house.hub.devices.all.devices.allSatisfy { !$0.isPlanned })
        }
    }
}
