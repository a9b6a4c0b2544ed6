import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Command admission", .timeLimit(.minutes(10)))
struct CommandAdmissionTests {
    private func ask(_ name: String, of entityID: String? = nil, as guest: Principal) throws -> CommandRequest {
        CommandRequest(
            principal: guest, target: .pass(try #require(ActionName(name)), spoken: name, entityID: entityID), origin: .house)
    }

    private func request(_ verb: Verb, _ device: String, of entityID: String? = nil, as person: Principal) -> CommandRequest {
        CommandRequest(principal: person, target: .device(id: device, entityID: entityID, verb: verb), origin: .house)
    }

    private func reading(_ ask: CommandRequest, in house: TestHouse) async throws -> String? {
        guard case .state(_, let entity) = try await house.hub.commands.submit(ask) else { return nil }
        return entity.id
    }

    @Test("Reading consumes no pass use: a used-up pass can still read, a suspended pass cannot")
    func looking() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(uses: 1), by: owner)
            #expect(try await reading(ask("door.read", as: guest), in: house) == "lock.front_door")
            #expect(try await house.run(house.open(as: guest)).usedCount == 1)

            await #expect(throws: CommandRefusal.gate(.usedUp(limit: 1))) { try await house.run(house.open(as: guest)) }
            #expect(try await reading(ask("door.read", as: guest), in: house) == "lock.front_door")
            let (paused, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
            _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: .house)
            await #expect(throws: CommandRefusal.gate(.suspended)) { try await house.run(ask("door.read", as: paused)) }
        }
    }

    @Test("A command for a device with two locks must name one; a read uses the first")
    func twoDoors() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let doors = ["lock.left", "lock.right"].map { Entity(id: $0, kind: .lock, name: $0, verbs: [.lock, .unlock]) }
            try await house.hub.devices.announce(
                Device(
                    id: "gate", name: "Gate", deviceClass: .security, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: doors))

            await #expect(throws: CommandRefusal.entityRequired(["lock.left", "lock.right"])) {
                try await house.run(request(.unlock, "gate", as: owner))
            }
            #expect(try await reading(request(.read, "gate", as: owner), in: house) == "lock.left")
            #expect(try await house.run(request(.unlock, "gate", of: "lock.right", as: owner)).entityID == "lock.right")
            await #expect(throws: CommandRefusal.unsupported(.on)) {
                try await house.run(request(.on, "gate", of: "lock.right", as: owner))
            }
        }
    }

    @Test("A pass for a removed device is refused as not found, and a read-only pass cannot operate a device")
    func goneAndReadOnly() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(), by: owner)
            let (looker, id, _) = try await house.guest(house.draft(actions: ["sensor.read"], device: "hall-sensor"), by: owner)
            try await house.hub.devices.withdraw(deviceID: "front-door", integration: "scripted")

            await #expect(throws: CommandRefusal.deviceNotFound) { try await house.run(house.open(as: guest)) }
            await #expect(throws: CommandRefusal.readOnly) { try await house.run(house.open(as: looker)) }
            #expect(try await reading(ask("sensor.read", as: looker), in: house) == "sensor.hall")
            #expect(try await house.hub.guests.one(id, seenBy: owner).history.first?.reason == "read_only_entity")
        }
    }

    @Test("A resident cannot use pass actions")
    func residentByPass() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            await #expect(throws: CommandRefusal.gate(.noGrant)) { try await house.run(ask("door.open", as: owner)) }
        }
    }

    @Test("A pass use that cannot be counted sends no order")
    func uncounted() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(uses: 1), by: owner)
            try await house.store.write {
                try $0.execute(sql: "CREATE TRIGGER uncounted BEFORE UPDATE OF use_count ON guests BEGIN SELECT RAISE(IGNORE); END")
            }

            await #expect(throws: CommandRefusal.gate(.usedUp(limit: 1))) { try await house.run(house.open(as: guest)) }

            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("In-flight and reused idempotency keys are not audited as refusals")
    func repeats() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "lock.front_door")
            guard case .command(let running, _) = try await house.hub.commands.submit(house.unlock(as: owner, key: "k1")) else { return }
            let before = try await house.hub.activity.entries(.init(), seenBy: owner)

            await #expect(throws: CommandRefusal.inFlight(commandID: running.id)) {
                try await house.run(house.unlock(as: owner, key: "k1"))
            }
            await #expect(throws: CommandRefusal.callNameReused) { try await house.run(house.unlock("back-door", as: owner, key: "k1")) }

            #expect(try await house.hub.activity.entries(.init(), seenBy: owner) == before)
        }
    }

    @Test("Damaged command records are not completed with guessed values")
    func damagedRecords() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "lock.front_door")
            guard case .command(let command, _) = try await house.hub.commands.submit(house.unlock(as: owner, key: "k1")) else { return }
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            func damage(_ change: String) async throws {
                try await house.store.write { try $0.execute(sql: "UPDATE commands SET \(change)") }
            }

            try await damage("new_state = '{\"attributes\":{}}'")
            #expect(try await house.hub.commands.command(command.id)?.newState?.value == "unknown")
            try await damage("fingerprint = NULL")
            await #expect(throws: CommandRefusal.callNameReused) { try await house.run(house.unlock(as: owner, key: "k1")) }
            // A newer hub knew more verbs.
            try await damage("verb = 'juggle'")
            #expect(try await house.hub.commands.command(command.id) == nil)
            #expect(try await house.hub.commands.outcome(of: command) == command)
        }
    }
}
