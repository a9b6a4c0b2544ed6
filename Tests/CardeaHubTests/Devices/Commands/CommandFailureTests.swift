import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CardeaHub

@Suite("Command failures", .timeLimit(.minutes(10)))
struct CommandFailureTests {
    /// A disk on which nothing of this kind can be written until `body` has ended.
    private func outage(_ write: String, in house: TestHouse, _ body: () async throws -> Void) async throws {
        try await house.store.write {
            try $0.execute(sql: "CREATE TRIGGER outage BEFORE \(write) ON commands BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        try await body()
        try await house.store.write { try $0.execute(sql: "DROP TRIGGER outage") }
    }

    @Test("A command that cannot be stored is not executed, and the door is free for the next command")
    func notWritten() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await outage("INSERT", in: house) {
                await #expect(throws: DatabaseError.self) { try await house.run(house.unlock(as: owner)) }
            }
            #expect(house.doorBackend.backendCommands.isEmpty)
            #expect(try await house.run(house.unlock(as: owner)).status == .confirmed)
        }
    }

    @Test("An outcome that cannot be stored is logged, and the deadline later sets the command to unknown")
    func endNotWritten() async throws {
        let log = LogRecorder()
        try await TestHouse.open(logger: log.logger) { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.unreachable, at: "lock.front_door")
            let command = try await house.submit(house.unlock("back-door", as: owner))
            _ = try await house.hub.commands.outcome(of: command)
            var lost: Command?
            try await outage("UPDATE", in: house) {
                lost = try await house.submit(house.unlock(as: owner))
                try await waitUntil { log.entries.contains("command outcome could not be stored error=DatabaseError what=outcome") }
            }
            let id = try #require(lost?.id)
            #expect(try await house.hub.commands.command(id)?.status == .dispatching)

            try await waitUntil {
                house.clock.advance(by: 1)
                return try await house.hub.commands.command(id)?.status.isOver == true
            }

            #expect(try await house.hub.commands.command(id)?.status == .unknown)
        }
    }

    @Test("A command past its freshness limit is not sent, and its pass use is returned")
    func tooLate() async throws {
        var limits = CommandLimits()
        limits.freshness = 5
        let house = try await TestHouse.make(store: .inMemory(), limits: limits)
        let (owner, _) = try await house.claim()
        let (guest, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
        let command = try await house.submit(house.open(as: guest))

        house.clock.jump(to: house.clock.now.addingTimeInterval(6))
        let ended = try await house.withRunningServices { try await $0.hub.commands.outcome(of: command) }

        #expect(ended.status == .failed && ended.reason == "too_late" && ended.life.useReturned)
        #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)
        #expect(house.doorBackend.backendCommands.isEmpty)
    }

    @Test("A command whose integration unregistered before sending fails as not executed")
    func integrationWentAway() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let command = try await house.submit(house.unlock(as: owner))

        house.hub.commands.unregister("scripted")
        let ended = try await house.withRunningServices { try await $0.hub.commands.outcome(of: command) }

        #expect(ended.status == .failed && ended.reason == "integration_not_ready")
    }

    @Test("A waiter for a command with a stored but unannounced outcome gets it at the deadline")
    func writtenAndNotTold() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "lock.front_door")
            let command = try await house.submit(house.unlock(as: owner))
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }
            async let ended = house.hub.commands.outcome(of: command)
            let deadline = house.clock.now.addingTimeInterval(CommandLimits().report)
            try await waitUntil { house.clock.isAwaited(deadline) }
            try await house.store.write { db in
                try db.execute(
                    sql: "UPDATE commands SET status = 'confirmed', finished_at = accepted_at WHERE id = ?", arguments: [command.id])
            }

            house.clock.advance(by: CommandLimits().report)

            #expect(try await ended.status == .confirmed)
        }
    }

    @Test("A command to a door that never reports state ends at once as unknown")
    func mute() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.neverReports, at: "lock.front_door")
            let ended = try await house.run(house.unlock(as: owner))
            #expect(ended.status == .unknown && ended.reason == "no_report")
        }
    }

    @Test("Withdrawing a device expires its queued command and returns the pass use")
    func withdrawnInTheQueue() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
            house.doorBackend.set(.silent, at: "lock.front_door")
            let first = try await house.submit(house.unlock(as: owner))
            house.clock.jump(to: house.clock.now.addingTimeInterval(5))
            let waiting = try await house.submit(house.open(as: guest))
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }

            try await house.hub.devices.withdraw(deviceID: "front-door", integration: "scripted")
            for command in [first, waiting] {
                try await waitUntil {
                    house.clock.advance(by: 1)
                    return try await house.hub.commands.command(command.id)?.status.isOver == true
                }
            }

            #expect(try await house.hub.commands.command(first.id)?.status == .unknown)
            #expect(try await house.hub.commands.command(waiting.id)?.status == .expired)
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A finished command keeps its outcome")
    func endedTwice() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let ended = try await house.run(house.unlock(as: owner))
            let now = house.clock.now

            let again = try await house.store.write { db in
                try CommandCompletion.complete(
                    ended.id, by: .failed(executed: false), reason: "unreachable", at: now, limits: CommandLimits(), in: db)?.command
            }

            #expect(again == nil)
            #expect(try await house.hub.commands.command(ended.id) == ended)
        }
    }

    @Test("A deadline that passes during delivery of an outcome returns that outcome")
    func deadlineWhileTelling() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "lock.front_door")
            let sentAt = house.clock.now
            let command = try await house.submit(house.unlock(as: owner))
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }
            let executor = SteppedExecutor()
            let isOver = Mutex(false)
            let telling = Task(executorPreference: executor) {
                defer { isOver.withLock { $0 = true } }
                try await house.doorBackend.report("unlocked", at: "lock.front_door")
            }
            try await waitUntil { executor.isReady }
            try await house.withBlockedWriter { executor.step() }
            try await waitUntil { try await house.hub.commands.command(command.id)?.status == .confirmed && executor.isReady }

            let told = Task { try await house.hub.commands.outcome(of: command) }
            try await waitUntil { house.clock.isAwaited(sentAt.addingTimeInterval(10)) }
            house.clock.advance(by: 10)

            #expect(try await told.value.status == .confirmed)
            try await waitUntil {
                executor.step()
                return isOver.withLock { $0 }
            }
            try await telling.value
        }
    }
}
