import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@Suite("The path of a door command")
struct CommandTests {
    @Test("A guest's open command is confirmed by the door's own report", .timeLimit(.minutes(10)))
    func confirmed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(uses: 2), by: owner)

            let command = try await house.run(house.open(as: guest))

            #expect(command.status == .confirmed && command.usedCount == 1)
            #expect(command.newState?.value == "unlocked")
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.unlock])
            #expect(house.hub.devices.device("front-door")?.entities.first?.state.value == "unlocked")
            let (pass, history) = try await house.hub.guests.one(id, seenBy: owner)
            #expect(pass.grant.useCount == 1)
            #expect(history.map(\.result) == ["confirmed", "done", "done"])
        }
    }

    @Test("The last use of a pass opens once under 64 concurrent requests", .timeLimit(.minutes(10)))
    func lastUse() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            for round in 1...TestRepetitions.of(50, full: 1000) {
                let (guest, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
                let before = house.doorBackend.backendCommands.count

                let opened = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<64 {
                        group.addTask { (try? await house.run(house.open(as: guest)))?.status == .confirmed }
                    }
                    return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }

                try #require(opened == 1, "round \(round)")
                try #require(house.doorBackend.backendCommands.count == before + 1, "round \(round)")
                let used = try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount
                try #require(used == 1, "round \(round)")
            }
        }
    }

    @Test("A silent lock is not sure, and the use is kept", .timeLimit(.minutes(10)))
    func silent() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(uses: 2), by: owner)
            house.doorBackend.set(.silent, at: "lock.front_door")

            guard case .command(let command, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }
            let ended = Mutex(false)
            async let outcome = {
                defer { ended.withLock { $0 = true } }
                return try await house.hub.commands.outcome(of: command)
            }()
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }
            // The clock is moved until the deadline is noticed, whenever its watcher started.
            try await waitUntil {
                house.clock.advance(by: 1)
                return ended.withLock { $0 }
            }
            let unknown = try await outcome

            #expect(unknown.status == .unknown && unknown.reason == "no_answer")
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 1)
        }
    }

    @Test("A jammed lock fails the command and returns the pass use", .timeLimit(.minutes(10)))
    func jammed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
            house.doorBackend.set(.jams, at: "lock.front_door")

            let command = try await house.run(house.open(as: guest))

            #expect(command.status == .failed && command.reason == "jammed" && command.life.useReturned && command.usedCount == 0)
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)
            house.doorBackend.set(.obeys, at: "lock.front_door")
            #expect(try await house.run(house.open(as: guest)).status == .confirmed)
        }
    }

    @Test("An order that cannot be handed over fails as not executed", .timeLimit(.minutes(10)))
    func unreachable() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.unreachable, at: "lock.front_door")
            let command = try await house.run(house.unlock(as: owner))
            #expect(command.status == .failed && command.reason == "unreachable")

            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["front-door"])
            await #expect(throws: CommandRefusal.unreachable) { try await house.run(house.unlock(as: owner)) }
            house.hub.commands.unregister("scripted")
            try await house.hub.devices.reportAvailability(.online, deviceIDs: ["front-door"])
            await #expect(throws: CommandRefusal.integrationNotReady) { try await house.run(house.unlock(as: owner)) }
        }
    }

    /// A hue for a lamp that only supports colour temperatures once counted as an unreachable lamp, to be retried in five seconds.
    @Test("An unsupported action fails the command, is audited so, and returns the pass use", .timeLimit(.minutes(10)))
    func unable() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
            house.doorBackend.set(.unable, at: "lock.front_door")

            let command = try await house.run(house.open(as: guest))

            #expect(command.status == .failed && command.reason == "unsupported_action" && command.life.useReturned)
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)
            #expect(try await house.auditNotes().last { $0.commandID == command.id }?.reason == .unsupportedAction)
        }
    }

    @Test("Two requests with one idempotency key execute once and return the same command", .timeLimit(.minutes(10)))
    func idempotent() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let first = try await house.run(house.unlock(as: owner, key: "k1"))
            let second = try await house.run(house.unlock(as: owner, key: "k1"))
            #expect(first.id == second.id && second.status == .confirmed)
            #expect(house.doorBackend.backendCommands.count == 1)

            let other = CommandRequest(
                principal: owner, target: .device(id: "front-door", entityID: nil, verb: .lock),
                idempotencyKey: IdempotencyKey(key: "k1", method: "PUT", path: "/", body: Data("lock".utf8)), origin: .house)
            await #expect(throws: CommandRefusal.callNameReused) { try await house.run(other) }
        }
    }

    @Test("A repeated key of a running command is refused as in flight, another key as busy", .timeLimit(.minutes(10)))
    func inFlight() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "lock.front_door")
            guard case .command(let running, _) = try await house.hub.commands.submit(house.unlock(as: owner, key: "k1")) else { return }

            await #expect(throws: CommandRefusal.inFlight(commandID: running.id)) {
                try await house.hub.commands.submit(house.unlock(as: owner, key: "k1"))
            }
            await #expect(throws: CommandRefusal.busy(retryAfter: 1)) {
                try await house.hub.commands.submit(house.unlock(as: owner, key: "k2"))
            }
        }
    }

    @Test("A door runs one command at a time, and the next one starts when the first has ended", .timeLimit(.minutes(10)))
    func turns() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (other, _) = try await house.resident("second", role: "member", by: owner)
            house.doorBackend.set(.silent, at: "lock.front_door")
            guard case .command(let first, _) = try await house.hub.commands.submit(house.unlock(as: owner)),
                case .command(let second, _) = try await house.hub.commands.submit(house.unlock(as: other))
            else { return }
            #expect(first.status == .dispatching && second.status == .accepted)
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }

            house.doorBackend.set(.obeys, at: "lock.front_door")
            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            #expect(try await house.hub.commands.outcome(of: first).status == .confirmed)
            #expect(try await house.hub.commands.outcome(of: second).status == .confirmed)
            #expect(house.doorBackend.backendCommands.count == 2)
        }
    }

    @Test("A queued command whose turn comes too late expires and returns the pass use", .timeLimit(.minutes(10)))
    func turnTooLate() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
            house.doorBackend.set(.silent, at: "lock.front_door")
            guard case .command(let first, _) = try await house.hub.commands.submit(house.unlock(as: owner)) else { return }
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }
            guard case .command(let second, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }

            house.clock.jump(to: house.clock.now.addingTimeInterval(11))
            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            #expect(try await house.hub.commands.outcome(of: first).status == .confirmed)
            try await waitUntil {
                house.clock.advance(by: 1)
                return try await house.hub.commands.command(second.id)?.status.isOver == true
            }
            let ended = try await house.hub.commands.command(second.id)
            #expect(ended?.status == .expired && ended?.life.useReturned == true)
            #expect(house.doorBackend.backendCommands.count == 1)
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)
        }
    }

    @Test("Earlier reports and retained reports do not confirm a command", .timeLimit(.minutes(10)))
    func staleReports() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            house.doorBackend.set(.silent, at: "lock.front_door")
            guard case .command(let command, _) = try await house.hub.commands.submit(house.unlock(as: owner)) else { return }
            try await waitUntil { house.doorBackend.backendCommands.count == 1 }

            try await house.doorBackend.report("locked", at: "lock.front_door", isFresh: false)
            try await house.doorBackend.report("unlocked", at: "lock.front_door", isFresh: false)
            #expect(try await house.hub.commands.command(command.id)?.status == .dispatching)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            #expect(try await house.hub.commands.outcome(of: command).status == .confirmed)
        }
    }

    @Test("A newer setting ends the command it overtook as unknown", .timeLimit(.minutes(10)))
    func overtaken() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.silent, at: "light.hall")
            let ask = { (level: JSONValue) in
                CommandRequest(
                    principal: owner, target: .device(id: "hall-light", entityID: nil, verb: .setBrightness), value: level, origin: .house)
            }
            guard case .command(let first, _) = try await house.hub.commands.submit(ask(30)),
                case .command(let second, _) = try await house.hub.commands.submit(ask(60))
            else { return }
            try await waitUntil { house.doorBackend.backendCommands.count == 2 }
            try await house.hub.devices.report([
                EntityReport(entityID: "light.hall", state: EntityState("on", attributes: ["brightness": 60]))
            ])
            #expect(try await house.hub.commands.outcome(of: second).status == .confirmed)
            let older = try await house.hub.commands.outcome(of: first)
            #expect(older.status == .unknown && older.reason == "overtaken")
        }
    }

    // MARK: Requests

    @Test("A pass that asks each time waits for an approval before opening", .timeLimit(.minutes(10)))
    func asksEachTime() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(uses: 3, asksEachTime: true), by: owner)

            guard case .command(let asked, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }
            #expect(asked.isAwaitingApproval && house.doorBackend.backendCommands.isEmpty)
            #expect(try await house.hub.guests.pendingApprovals(seenBy: owner).map(\.command?.id) == [asked.id])
            _ = try await house.hub.commands.decide(asked.id, approve: true, by: owner, origin: .house)
            #expect(try await house.hub.commands.outcome(of: asked).status == .confirmed)

            guard case .command(let again, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }
            let refused = try await house.hub.commands.decide(again.id, approve: false, by: owner, origin: .house)
            #expect(refused.status == .expired && refused.reason == "rejected" && refused.life.useReturned)
            #expect(house.doorBackend.backendCommands.count == 1)
            await #expect(throws: Commands.ApprovalError.self) {
                try await house.hub.commands.decide(again.id, approve: true, by: owner, origin: .house)
            }
        }
    }

    @Test("Approving a request of a revoked pass sends no order", .timeLimit(.minutes(10)))
    func revokedWhileAsking() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            guard case .command(let asked, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }
            _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
            let answered = try await house.hub.commands.decide(asked.id, approve: true, by: owner, origin: .house)
            #expect(answered.status == .expired && answered.reason == "revoked")
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("An unanswered approval expires and returns the pass use", .timeLimit(.minutes(10)))
    func unanswered() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(uses: 1, asksEachTime: true), by: owner)
            guard case .command(let asked, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }
            try await waitUntil {
                house.clock.advance(by: 30)
                return try await house.hub.commands.command(asked.id)?.status.isOver == true
            }
            let ended = try await house.hub.commands.command(asked.id)
            #expect(ended?.status == .expired && ended?.reason == "unanswered" && ended?.life.useReturned == true)
        }
    }

    // MARK: After a crash

    @Test("After a crash no command that may have been sent is sent again", .timeLimit(.minutes(10)))
    func recovery() async throws {
        let store = try Store.inMemory()
        let (sealing, clock) = (SealingKey.random(), ManualClock())
        // A house whose services never ran: its commands stay as after a crash.
        let before = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (owner, _) = try await before.claim()
        let (member, _) = try await before.resident("member", role: "member", by: owner)
        guard case .command(let sent, _) = try await before.hub.commands.submit(before.unlock(as: owner)),
            case .command(let waiting, _) = try await before.hub.commands.submit(before.unlock(as: member)),
            case .command(let stale, _) = try await before.hub.commands.submit(before.unlock("back-door", as: owner)),
            case .command(let late, _) = try await before.hub.commands.submit(before.unlock("back-door", as: member))
        else { return }
        try await store.write { db in
            try db.execute(
                sql: "UPDATE commands SET not_after = accepted_at - 1 WHERE id IN (?, ?)", arguments: [stale.id, late.id])
        }

        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let unknown = try await house.hub.commands.command(sent.id)
            #expect(unknown?.status == .unknown && unknown?.reason == "restarted")
            #expect(try await house.hub.commands.command(stale.id)?.status == .unknown)
            #expect(try await house.hub.commands.command(late.id)?.status == .expired)
            // The accepted command is sent now, once.
            #expect(try await house.hub.commands.outcome(of: waiting).status == .confirmed)
            #expect(house.doorBackend.backendCommands.map(\.commandID) == [waiting.id])
            try await waitUntil { house.doorBackend.refreshed.contains("lock.front_door") }
        }
    }
}
