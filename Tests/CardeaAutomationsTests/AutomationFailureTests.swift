import CardeaAutomations
import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaMindAdapter
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Automation runs under failures", .timeLimit(.minutes(5)))
struct AutomationFailureTests {
    private func results(_ automation: Automation, in house: TestHouse) async throws -> [AutomationRun.Result] {
        try await house.automations.history(of: automation.id).runs.map(\.result)
    }

    private func rule(_ trigger: AutomationTrigger, in house: TestHouse, by owner: Principal) async throws -> Automation {
        try await house.automation(AutomationDraft(name: "Rule", triggers: [trigger], actions: [house.lightOff]), by: owner)
    }

    // A door was left open, the disk was full for a moment, and the house once never reported it.
    @Test("A run that could not be stored is executed once when storing works")
    func fullDisk() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let automation = try await rule(.state(entityID: "lock.front_door", to: "unlocked", seconds: 0), in: house, by: owner)
            await house.runMind()
            try await house.store.write { db in
                try db.execute(
                    sql: "CREATE TRIGGER full BEFORE INSERT ON automation_runs BEGIN SELECT RAISE(ABORT, 'disk full'); END")
            }
            house.clock.advance(by: 10)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            await house.runMind()
            #expect(try await results(automation, in: house).isEmpty && house.doorBackend.backendCommands.isEmpty)

            try await house.store.write { try $0.execute(sql: "DROP TRIGGER full") }
            house.clock.advance(by: 10)
            await house.runMind()
            await house.runMind()
            #expect(try await results(automation, in: house) == [.ran])
            #expect(house.doorBackend.backendCommands.map(\.deviceID) == ["hall-light"])
        }
    }

    // A door shut after half a minute was once reported as open for a minute: its closing had not been read yet.
    @Test("A duration trigger waits for unread events that may end its state")
    func behind() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let automation = try await rule(.state(entityID: "lock.front_door", to: "unlocked", seconds: 60), in: house, by: owner)
            await house.runMind()
            house.clock.advance(by: 10)
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            await house.runMind()
            house.clock.advance(by: 30)
            try await house.doorBackend.report("locked", at: "lock.front_door")
            house.clock.advance(by: 60)
            let snapshot = try await HubHouseReader(house.hub.mindFeed).house()
            try await house.automations.evaluate(snapshot, isAtEnd: false)
            #expect(try await results(automation, in: house).isEmpty)
            await house.runMind()
            #expect(try await results(automation, in: house).isEmpty)
        }
    }

    @Test("A lock that repeats its state after an outage and restart does not trigger")
    func silence() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let automation = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let (owner, _) = try await house.claim()
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            await house.runMind()
            clock.advance(by: 10)
            try await house.doorBackend.report("unavailable", at: "lock.front_door")
            await house.runMind()
            return try await rule(.state(entityID: "lock.front_door", to: "unlocked", seconds: 0), in: house, by: owner)
        }
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            try await house.doorBackend.report("unavailable", at: "lock.front_door")
            await house.runMind()
            for (word, count) in [("unlocked", 0), ("locked", 0), ("unlocked", 1)] {
                clock.advance(by: 10)
                try await house.doorBackend.report(word, at: "lock.front_door")
                await house.runMind()
                #expect(try await results(automation, in: house).count == count, "\(word)")
            }
        }
    }

    @Test("A refused command triggers its automation immediately and by itself")
    func refused() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(uses: 1), by: owner)
            _ = try await house.run(house.open(as: guest))
            var rings = house.hub.mindFeed.changes().makeAsyncIterator()
            await rings.next()
            await #expect(throws: CommandRefusal.self) { try await house.run(house.open(as: guest)) }
            await rings.next()
            #expect(try await house.hub.activity.entries(.init(limit: 1), seenBy: owner).first?.result == "refused")
        }
    }
}
