import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Command approval", .timeLimit(.minutes(10)))
struct CommandApprovalTests {
    /// The owner's command at the front door has no answer yet, and a guest requests approval there.
    private func busyDoor(of house: TestHouse) async throws -> (owner: Principal, first: Command, asked: Command) {
        let (owner, _) = try await house.claim()
        let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
        house.doorBackend.set(.silent, at: "lock.front_door")
        let first = try await house.submit(house.unlock(as: owner))
        let asked = try await house.submit(house.open(as: guest))
        try await waitUntil { house.doorBackend.backendCommands.count == 1 }
        return (owner, first, asked)
    }

    @Test("Approving a request at a busy door queues its command")
    func yesToATurn() async throws {
        try await TestHouse.open { house in
            let (owner, first, asked) = try await busyDoor(of: house)

            let approved = try await house.hub.commands.decide(asked.id, approve: true, by: owner, origin: .house)
            #expect(approved.status == .accepted && !approved.isAwaitingApproval)
            house.doorBackend.set(.obeys, at: "lock.front_door")
            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            #expect(try await house.hub.commands.outcome(of: asked).status == .confirmed)
            #expect(house.doorBackend.backendCommands.map(\.commandID) == [first.id, asked.id])
        }
    }

    @Test("A request awaiting approval keeps waiting when its door becomes free")
    func freeDoor() async throws {
        try await TestHouse.open { house in
            let (_, first, asked) = try await busyDoor(of: house)

            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            #expect(try await house.hub.commands.outcome(of: first).status == .confirmed)
            #expect(try await house.hub.commands.command(asked.id)?.isAwaitingApproval == true)
            #expect(house.doorBackend.backendCommands.map(\.commandID) == [first.id])
        }
    }

    @Test("A guest can withdraw a pending request: the use is returned, the approval ends, and no order is sent")
    func takenBack() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, _) = try await house.guest(house.draft(uses: 1, asksEachTime: true), by: owner)
            let (other, _, _) = try await house.guest(house.draft(), by: owner)
            let asked = try await house.submit(house.open(as: guest))
            let seq = try await house.hub.journal.last()
            func problem(_ command: String, by principal: Principal) async throws -> Commands.ApprovalError? {
                do {
                    _ = try await house.hub.commands.withdraw(command, by: principal)
                    return nil
                } catch let problem as Commands.ApprovalError { return problem }
            }
            guard case .notFound? = try await problem(asked.id, by: other), case .notFound? = try await problem("cmd_nobody", by: guest)
            else {
                Issue.record("somebody took back what is not theirs")
                return
            }

            let first = try await house.hub.commands.withdraw(asked.id, by: guest)
            let again = try await house.hub.commands.withdraw(asked.id, by: guest)

            #expect(first.status == .expired && first.reason == "taken_back" && first.usedCount == 0)
            #expect(first == again && house.doorBackend.backendCommands.isEmpty)
            #expect(try await house.hub.guests.pendingApprovals(seenBy: owner).isEmpty)
            #expect(try await house.hub.commands.outcome(of: asked).reason == "taken_back")
            let told = try await house.hub.journal.events(after: seq, limit: 10).events
            #expect(told.map(\.name) == [.commandUpdate])
            let entry = try #require(try await house.hub.activity.entries(.init(), seenBy: owner).first)
            #expect(entry.result == "expired" && entry.reason == "taken_back" && entry.action == "door.open")
            await #expect(throws: Commands.ApprovalError.self) {
                try await house.hub.commands.decide(asked.id, approve: true, by: owner, origin: .house)
            }
            // Their one use is returned; a command that the house has answered can no longer be withdrawn.
            let second = try await house.submit(house.open(as: guest))
            _ = try await house.hub.commands.decide(second.id, approve: true, by: owner, origin: .house)
            #expect(try await house.hub.commands.outcome(of: second).status == .confirmed)
            guard case .notAwaitingApproval? = try await problem(second.id, by: guest) else {
                Issue.record("an opened door was taken back")
                return
            }
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 1)
        }
    }

    @Test("An approved light command is sent at once with a fresh deadline")
    func lamp() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(
                house.draft(actions: ["light.on"], device: "hall-light", asksEachTime: true), by: owner)
            let on = try #require(ActionName("light.on"))
            let asked = try await house.submit(
                CommandRequest(principal: guest, target: .pass(on, spoken: "light.on", entityID: nil), origin: .house))
            house.clock.advance(by: 60)

            _ = try await house.hub.commands.decide(asked.id, approve: true, by: owner, origin: .house)

            #expect(try await house.hub.commands.outcome(of: asked).status == .confirmed)
            #expect(house.doorBackend.backendCommands.map(\.notAfter) == [house.clock.now.addingTimeInterval(10)])
        }
    }

    @Test("Approving a command for a removed door or an unknown command does nothing; pending approvals are newest first")
    func goneAndUnknown() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var asked: [Command] = []
            for _ in 0..<2 {
                let (guest, _, _) = try await house.guest(house.draft(uses: 1, asksEachTime: true), by: owner)
                asked.append(try await house.submit(house.open(as: guest)))
                house.clock.advance(by: 1)
            }
            #expect(try await house.hub.guests.pendingApprovals(seenBy: owner).map(\.command?.id) == asked.map(\.id).reversed())

            try await house.hub.devices.withdraw(deviceID: "front-door", integration: "scripted")
            let ended = try await house.hub.commands.decide(asked[0].id, approve: true, by: owner, origin: .house)

            #expect(ended.status == .expired && ended.reason == "no_grant" && ended.life.useReturned)
            await #expect {
                try await house.hub.commands.decide("cmd_nobody", approve: true, by: owner, origin: .house)
            } throws: {
                if case Commands.ApprovalError.notFound = $0 { true } else { false }
            }
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("After a crash a pending approval is kept, and a pass revoked meanwhile sends no order")
    func afterACrash() async throws {
        let (store, sealing, clock, log) = (try Store.inMemory(), SealingKey.random(), ManualClock(), LogRecorder())
        let before = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (owner, _) = try await before.claim()
        let (requester, _, _) = try await before.guest(before.draft(device: "back-door", asksEachTime: true), by: owner)
        let (guest, id, _) = try await before.guest(before.draft(uses: 1), by: owner)
        let asked = try await before.submit(
            CommandRequest(
                principal: requester, target: .pass(try #require(ActionName("door.open")), spoken: "door.open", entityID: nil),
                origin: .house))
        let sent = try await before.submit(before.unlock(as: owner))
        let waiting = try await before.submit(before.open(as: guest))
        _ = try await before.hub.guests.decide(.revoke, id, by: owner, origin: .house)

        try await TestHouse.open(store: store, sealing: sealing, clock: clock, logger: log.logger) { house in
            #expect(try await house.hub.commands.command(sent.id)?.status == .unknown)
            let refused = try await house.hub.commands.command(waiting.id)
            #expect(refused?.status == .expired && refused?.reason == "no_grant" && refused?.life.useReturned == true)
            #expect(log.entries == ["interrupted commands resolved after a crash sent=0 unknown=1"])
            _ = try await house.hub.commands.decide(asked.id, approve: true, by: owner, origin: .house)
            #expect(try await house.hub.commands.outcome(of: asked).status == .confirmed)
            #expect(house.doorBackend.backendCommands.map(\.commandID) == [asked.id])
        }
    }
}
