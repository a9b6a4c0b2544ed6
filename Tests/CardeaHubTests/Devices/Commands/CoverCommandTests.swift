import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Garage door and cover commands", .timeLimit(.minutes(10)))
struct CoverCommandTests {
    private static let gate = "cover.garage"

    /// A house with a garage door that does not move by itself, and a command to it that was just sent.
    private func ask(
        _ verb: Verb, value: JSONValue? = nil, _ body: @escaping @Sendable (TestHouse, Command) async throws -> Void
    ) async throws {
        try await TestHouse.open { house in
            let cover = Entity(
                id: Self.gate, kind: .cover, name: "Garage", deviceClass: "garage", verbs: [.open, .close, .stop, .setPosition],
                state: EntityState("closed", attributes: ["position": 0]))
            try await house.hub.devices.announce(
                Device(
                    id: "garage", name: "Garage", deviceClass: .security, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: [cover]))
            house.doorBackend.set(.silent, at: Self.gate)
            let (owner, _) = try await house.claim()
            let sent = house.clock.now
            let result = try await house.hub.commands.submit(
                CommandRequest(principal: owner, target: .device(id: "garage", entityID: nil, verb: verb), value: value, origin: .house))
            guard case .command(let command, _) = result else { throw CommandRefusal.readOnly }
            try await waitUntil { house.doorBackend.backendCommands.count == 1 && house.clock.isAwaited(sent.addingTimeInterval(10)) }
            try await body(house, command)
        }
    }

    @Test("A cover that starts within ten seconds and arrives after thirty confirms the command")
    func arrives() async throws {
        try await ask(.open) { house, command in
            house.clock.advance(by: 2)
            try await house.doorBackend.report("opening", at: Self.gate)
            house.clock.advance(by: 28)
            #expect(try await house.hub.commands.command(command.id)?.status == .dispatching)

            try await house.doorBackend.report("open", at: Self.gate)

            let ended = try await house.hub.commands.outcome(of: command)
            #expect(ended.status == .confirmed && ended.executionTime == 30_000)
        }
    }

    @Test("A cover that reports nothing for ten seconds ends as unknown")
    func silent() async throws {
        try await ask(.open) { house, command in
            house.clock.advance(by: 10)

            let ended = try await house.hub.commands.outcome(of: command)
            #expect(ended.status == .unknown && ended.reason == "no_answer")
        }
    }

    @Test("A cover that starts but never arrives ends as unknown, however often it reports movement")
    func neverArrives() async throws {
        try await ask(.open) { house, command in
            house.clock.advance(by: 5)
            let setOut = house.clock.now
            try await house.doorBackend.report("opening", at: Self.gate)
            try await waitUntil { house.clock.isAwaited(setOut.addingTimeInterval(45)) }
            house.clock.advance(by: 44)
            try await house.doorBackend.report("opening", at: Self.gate)
            try await house.doorBackend.report("stopped", at: Self.gate)
            try await house.doorBackend.report("opening", at: Self.gate)
            #expect(try await house.hub.commands.command(command.id)?.status == .dispatching)

            house.clock.advance(by: 1)

            let ended = try await house.hub.commands.outcome(of: command)
            #expect(ended.status == .unknown && ended.reason == "no_answer")
        }
    }

    @Test("A cover that reports only its position confirms the command at the target position")
    func position() async throws {
        try await ask(.setPosition, value: 60) { house, command in
            func say(_ position: Double) async throws {
                let state = EntityState("open", attributes: ["position": .number(position)])
                try await house.hub.devices.report([EntityReport(entityID: Self.gate, state: state)])
            }
            try await say(20)
            house.clock.advance(by: 20)
            try await say(45)
            #expect(try await house.hub.commands.command(command.id)?.status == .dispatching)

            try await say(60)

            #expect(try await house.hub.commands.outcome(of: command).status == .confirmed)
        }
    }

    @Test("After a crash a cover command in progress is unknown")
    func crash() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (owner, _) = try await house.claim()
        let cover = Entity(id: Self.gate, kind: .cover, name: "Garage", deviceClass: "garage", verbs: [.open])
        try await house.hub.devices.announce(
            Device(
                id: "garage", name: "Garage", deviceClass: .security, integration: "scripted", status: .online, stateChangedAt: clock.now,
                entities: [cover]))
        let result = try await house.hub.commands.submit(
            CommandRequest(principal: owner, target: .device(id: "garage", entityID: nil, verb: .open), origin: .house))
        try await house.doorBackend.report("opening", at: Self.gate)
        guard case .command(let command, _) = result else { return }

        let after = try await TestHouse.make(store: store, sealing: sealing, clock: clock)

        #expect(try await after.hub.commands.command(command.id)?.status == .unknown)
    }
}
