import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Command queue of a busy door", .timeLimit(.minutes(10)))
struct CommandQueueTests {
    @Test("A pass revoked while queued is not sent; the command behind it is, and the use is returned")
    func revokedInTheQueue() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let (guest, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
            house.doorBackend.set(.silent, at: "lock.front_door")
            let first = try await house.submit(house.unlock(as: owner))
            let waiting = try await house.submit(house.open(as: guest))
            let behind = try await house.submit(house.unlock(as: member))
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }

            _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
            house.doorBackend.set(.obeys, at: "lock.front_door")
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            _ = try await house.hub.commands.outcome(of: behind)

            #expect(house.doorBackend.backendCommands.map(\.commandID) == [first.id, behind.id])
            #expect(try await house.hub.commands.command(waiting.id)?.status == .accepted)
            try await waitUntil {
                house.clock.advance(by: 1)
                return try await house.hub.commands.command(waiting.id)?.status.isOver == true
            }
            let ended = try await house.hub.commands.outcome(of: waiting)
            #expect(ended.status == .expired && ended.reason == "no_turn" && ended.life.useReturned)
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)
            #expect(house.doorBackend.backendCommands.count == 2)
        }
    }

    @Test("A member who loses the right to a door while queued is not let in")
    func securityDeviceInTheQueue() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            house.doorBackend.set(.silent, at: "lock.front_door")
            let first = try await house.submit(house.unlock(as: owner))
            _ = try await house.submit(house.unlock(as: member))
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }

            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            #expect(try await house.hub.commands.outcome(of: first).status == .confirmed)
            let sent = try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM commands WHERE answer_by IS NOT NULL") }
            #expect(sent == 1)
        }
    }

    @Test("A queued command whose use is reserved still runs after the pass hours end")
    func reservedInTheQueue() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (from, to) = (try #require(TimeOfDay("14:00")), try #require(TimeOfDay("15:01")))
            let hours = WeeklySchedule(lines: [.init(days: [.sat], from: from, to: to)])
            let (guest, _, _) = try await house.guest(house.draft(uses: 1, schedule: hours, localOnly: true), by: owner)
            // 15:00:55 in Berlin; the pass's hours end five seconds later, while it waits.
            house.clock.jump(to: house.clock.now.addingTimeInterval(55))
            house.doorBackend.set(.silent, at: "lock.front_door")
            _ = try await house.submit(house.unlock(as: owner))
            let waiting = try await house.submit(house.open(as: guest))
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }

            house.clock.jump(to: house.clock.now.addingTimeInterval(6))
            house.doorBackend.set(.obeys, at: "lock.front_door")
            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            #expect(try await house.hub.commands.outcome(of: waiting).status == .confirmed)
        }
    }

    @Test("Eight pending approvals do not block a resident; eight queued commands do")
    func eightAsks() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            for _ in 0..<8 {
                let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
                #expect(try await house.submit(house.open(as: guest)).isAwaitingApproval)
            }
            #expect(try await house.run(house.unlock(as: owner)).status == .confirmed)

            house.doorBackend.set(.silent, at: "lock.front_door")
            for _ in 0..<8 {
                let (guest, _, _) = try await house.guest(house.draft(), by: owner)
                _ = try await house.submit(house.open(as: guest))
            }
            await #expect(throws: CommandRefusal.busy(retryAfter: 1)) { try await house.hub.commands.submit(house.unlock(as: owner)) }
        }
    }
}

@Suite("Device answers and missing answers", .timeLimit(.minutes(10)))
struct CommandReportTests {
    @Test("A report from before the order was sent does not confirm the command")
    func saidBeforeAsked() async throws {
        // No backend takes commands yet.
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let command = try await house.submit(house.unlock(as: owner))

        try await house.doorBackend.report("unlocked", at: "lock.front_door")

        #expect(try await house.status() == "dispatching")
        let ended = try await house.withRunningServices { try await $0.hub.commands.outcome(of: command) }
        #expect(ended.status == .confirmed && house.doorBackend.backendCommands.count == 1)
    }

    @Test("A rejection that arrives before the submission returns reaches the caller")
    func rejectedBeforeHeardOf() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let executor = SteppedExecutor()
            let asking = Task(executorPreference: executor) { try await house.hub.commands.submit(house.open(as: guest)) }
            try await waitUntil { executor.isReady }
            try await house.withBlockedWriter { executor.step() }
            try await waitUntil { try await house.status() == "accepted" && executor.isReady }
            let id = try #require(try await house.store.read { try String.fetchOne($0, sql: "SELECT id FROM commands") })

            _ = try await house.hub.commands.decide(id, approve: false, by: owner, origin: .house)

            async let asked = asking.value
            executor.step()
            guard case .command(let command, false) = try await asked else {
                Issue.record("it was not taken on")
                return
            }
            #expect(try await house.hub.commands.outcome(of: command).status == .expired)
        }
    }

    private func light(_ verb: Verb, _ who: Principal) -> CommandRequest {
        CommandRequest(principal: who, target: .device(id: "hall-light", entityID: nil, verb: verb), origin: .house)
    }

    @Test("An order that waits until its command ended is not sent, and the next order is")
    func endedInLine() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.blocks, at: "light.hall")
            let first = try await house.submit(light(.on, owner))
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }
            let second = try await house.submit(light(.off, owner))
            try await waitUntil {
                house.clock.advance(by: 1)
                return try await house.hub.commands.command(second.id)?.status == .unknown
            }

            house.doorBackend.set(.silent, at: "light.hall")
            let third = try await house.submit(light(.on, owner))

            try await waitUntil { house.doorBackend.backendCommands.count == 2 }
            #expect(house.doorBackend.backendCommands.map(\.commandID) == [first.id, third.id])
        }
    }

    @Test("A device that does not answer has a limited number of pending orders")
    func tooManyPending() async throws {
        var limits = CommandLimits()
        limits.pending = 2
        try await TestHouse.open(limits: limits) { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "light.hall")
            for _ in 0..<2 { _ = try await house.submit(light(.on, owner)) }
            await #expect(throws: CommandRefusal.busy(retryAfter: 1)) { try await house.submit(light(.off, owner)) }
        }
    }

    @Test("After the clock is set back, the deadline is rescheduled until the command is settled")
    func clockSetBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "lock.front_door")
            let sentAt = house.clock.now
            guard case .command(let command, _) = try await house.hub.commands.submit(house.unlock(as: owner)) else { return }
            try await waitUntil { house.clock.isAwaited(sentAt.addingTimeInterval(10)) }

            house.clock.setBack(by: 3600)
            try await waitUntil { house.clock.isAwaited(sentAt.addingTimeInterval(-3599)) }
            #expect(try await house.hub.commands.command(command.id)?.status == .dispatching)
            try await waitUntil {
                house.clock.advance(by: 60)
                return try await house.hub.commands.command(command.id)?.status.isOver == true
            }

            let ended = try await house.hub.commands.outcome(of: command)
            #expect(ended.status == .unknown && ended.reason == "no_answer")
            #expect(house.clock.now >= sentAt.addingTimeInterval(10))
        }
    }

    @Test("A repeated `jammed` report does not fail a command; a new jam does")
    func jammedBefore() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await house.doorBackend.report("jammed", at: "lock.front_door")
            house.doorBackend.set(.silent, at: "lock.front_door")
            guard case .command(let command, _) = try await house.hub.commands.submit(house.unlock(as: owner)) else { return }
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }

            try await house.doorBackend.report("jammed", at: "lock.front_door")
            #expect(try await house.hub.commands.command(command.id)?.status == .dispatching)
            try await house.doorBackend.report("unlocking", at: "lock.front_door")
            try await house.doorBackend.report("jammed", at: "lock.front_door")

            let failed = try await house.hub.commands.outcome(of: command)
            #expect(failed.status == .failed && failed.reason == "jammed")
        }
    }
}

extension TestHouse {
    /// The newest command's stored status.
    fileprivate func status() async throws -> String? {
        try await store.read { try String.fetchOne($0, sql: "SELECT status FROM commands ORDER BY rowid DESC LIMIT 1") }
    }
}
