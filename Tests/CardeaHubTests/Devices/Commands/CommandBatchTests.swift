import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Command batches", .timeLimit(.minutes(10)))
struct CommandBatchTests {
    private func submit(
        _ items: [CommandBatches.Item], as principal: Principal, key: String? = nil, in house: TestHouse
    ) async throws -> CommandBatches.Outcome {
        let call = key.map {
            IdempotencyKey(key: $0, method: "POST", path: "/api/v1/devices/batch-control", body: Data("\(items.map(\.action))".utf8))
        }
        let batch = try await house.hub.batches.submit(items, by: principal, call: call, origin: .house)
        return try await house.hub.batches.outcome(of: batch)
    }

    private func describe(_ batch: CommandBatches.Outcome) -> [String] {
        batch.results.map { result in
            switch result.status {
            case .command(let command): command.status.rawValue
            case .refused(let refusal): "\(refusal)"
            }
        }
    }

    @Test("A batch of fifty commands is one database commit")
    func fifty() async throws {
        // No command is carried out here, so that nothing else commits.
        let house = try await TestHouse.make(store: .inMemory(), doorCount: 50)
        let (owner, _) = try await house.claim()
        let doors = house.hub.devices.all.devices.filter { $0.deviceClass == .security }.map(\.id)
        let watch = house.store.observe(["commands", "journal", "audit"])

        let batch = try await house.hub.batches.submit(
            doors.map { .init(deviceID: $0, action: "unlock") }, by: owner, call: nil, origin: .house)

        #expect(watch.changeCount == 1)
        #expect(describe(batch) == Array(repeating: "dispatching", count: 50))
    }

    @Test("Each of fifty batch items reports its own device's outcome")
    func outcomes() async throws {
        try await TestHouse.open(doorCount: 50) { house in
            let (owner, _) = try await house.claim()
            let doors = house.hub.devices.all.devices.filter { $0.deviceClass == .security }.map(\.id)
            house.doorBackend.set(.jams, at: "lock.back_door")

            let batch = try await submit(doors.map { .init(deviceID: $0, action: "unlock") }, as: owner, in: house)

            #expect(describe(batch) == doors.map { $0 == "back-door" ? "failed" : "confirmed" })
            #expect(Set(house.doorBackend.backendCommands.map(\.deviceID)) == Set(doors) && house.doorBackend.backendCommands.count == 50)
        }
    }

    @Test("Each batch item is authorized separately, and refused items are audited")
    func perItem() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("Ben", role: "member", by: owner)
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)

            let batch = try await submit(
                [
                    .init(deviceID: "front-door", action: "unlock"), .init(deviceID: "back-door", action: "unlock"),
                    .init(deviceID: "hall-light", action: "fly"), .init(deviceID: "cellar", action: "on"),
                    .init(deviceID: "hall-light", action: "set_brightness", value: 101),
                ], as: member, in: house)

            #expect(
                describe(batch) == [
                    "\(CommandRefusal.gate(.securityDevice))", "confirmed", "\(CommandRefusal.unknownAction("fly"))",
                    "\(CommandRefusal.deviceNotFound)", "\(CommandRefusal.invalidValue(.setBrightness))",
                ])
            #expect(house.doorBackend.backendCommands.map(\.deviceID) == ["back-door"])
            let refused = try await house.hub.activity.entries(.init(result: "refused"), seenBy: owner)
            #expect(Set(refused.compactMap(\.reason)) == ["security_device", "device_not_found", "invalid_value"])
        }
    }

    @Test("A batch removes duplicate items and rejects contradicting items and invalid sizes")
    func twice() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()

            let batch = try await submit(
                [.init(deviceID: "front-door", action: "unlock"), .init(deviceID: "front-door", action: "door.open")], as: owner, in: house)

            #expect(describe(batch) == ["confirmed"])
            #expect(house.doorBackend.backendCommands.count == 1)
            await #expect(throws: CommandBatches.BatchError.contradiction(deviceID: "hall-light")) {
                try await submit(
                    [
                        .init(deviceID: "hall-light", action: "set_brightness", value: 10),
                        .init(deviceID: "hall-light", action: "set_brightness", value: 20),
                    ], as: owner, in: house)
            }
            await #expect(throws: CommandBatches.BatchError.size) { try await submit([], as: owner, in: house) }
            await #expect(throws: CommandBatches.BatchError.size) {
                try await submit((0...50).map { .init(deviceID: "door-\($0)", action: "lock") }, as: owner, in: house)
            }
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("Two batch commands for one light are sent in order; a door accepts only the first")
    func backendCommand() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "lock.front_door")

            let door = try await house.hub.batches.submit(
                [.init(deviceID: "front-door", action: "unlock"), .init(deviceID: "front-door", action: "lock")], by: owner, call: nil,
                origin: .house)
            let light = try await house.hub.batches.submit(
                [.init(deviceID: "hall-light", action: "off"), .init(deviceID: "hall-light", action: "on")], by: owner, call: nil,
                origin: .house)
            _ = try await house.hub.batches.outcome(of: light)

            #expect(describe(door) == ["dispatching", "\(CommandRefusal.busy(retryAfter: 1))"])
            #expect(house.doorBackend.backendCommands.filter { $0.deviceID == "hall-light" }.map(\.verb) == [.off, .on])
        }
    }

    @Test("A batch repeated with the same idempotency key is replayed and not executed again")
    func replay() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let items: [CommandBatches.Item] = [
                .init(deviceID: "front-door", action: "unlock"), .init(deviceID: "cellar", action: "on"),
                .init(deviceID: "hall-light", action: "fly"),
            ]

            let first = try await submit(items, as: owner, key: "k", in: house)
            let again = try await submit(items, as: owner, key: "k", in: house)

            #expect(!first.isReplay && again.isReplay && again.id == first.id && describe(again) == describe(first))
            #expect(house.doorBackend.backendCommands.count == 1)
            await #expect(throws: IdempotencyKeyReusedError.self) {
                try await submit([.init(deviceID: "back-door", action: "lock")], as: owner, key: "k", in: house)
            }
            house.doorBackend.set(.silent, at: "lock.back_door")
            let slow: [CommandBatches.Item] = [.init(deviceID: "back-door", action: "lock")]
            let call = IdempotencyKey(key: "slow", method: "POST", path: "/", body: Data())
            let running = try await house.hub.batches.submit(slow, by: owner, call: call, origin: .house)
            guard case .command(let command)? = running.results.first?.status else { return }
            await #expect(throws: CommandRefusal.inFlight(commandID: command.id)) {
                try await house.hub.batches.submit(slow, by: owner, call: call, origin: .house)
            }
        }
    }
}
