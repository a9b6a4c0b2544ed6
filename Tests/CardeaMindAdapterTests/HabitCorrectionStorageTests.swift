import CardeaHub
import CardeaMind
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Storage of habit corrections", .timeLimit(.minutes(5)))
struct HabitCorrectionStorageTests {
    private static let habit = "habit_closing_lock.front_door"

    private func owner(of house: TestHouse, _ principal: Principal) async throws -> MemoryRequester {
        MemoryRequester(try await house.hub.mindFeed.requester(principal))
    }

    /// A house in which the front door is locked at half past eight in the evening, for three weeks.
    private func simulateThreeWeeks(_ house: TestHouse) async throws -> Principal {
        let (owner, _) = try await house.claim()
        for _ in 0..<21 {
            // It is 15:00 in the house.
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            house.clock.advance(by: 5.5 * 3600)
            try await house.doorBackend.report("locked", at: "lock.front_door")
            await house.mind.poll(isAsked: true)
            house.clock.advance(by: 18.5 * 3600)
            await house.mind.poll(isAsked: true)
        }
        return owner
    }

    private func correct(_ house: TestHouse, by owner: Principal) async throws -> VisibleMemory {
        var change = MemoryChange()
        change.correction = .correct(.shutBy(try #require(TimeOfDay("22:15"))))
        return try await house.mind.changeMemory(
            Self.habit, change, seen: .any, by: self.owner(of: house, owner),
            record: house.hub.mindFeed.recorder("memory.change", by: owner, origin: .house))
    }

    // Unreadable learned data once also lost people's corrections, without a notification to repeat them.
    @Test("A correction stays readable when the learned data is not")
    func damaged() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let owner = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let owner = try await simulateThreeWeeks(house)
            #expect(try await correct(house, by: owner).correction?.correction == .shutBy(try #require(TimeOfDay("22:15"))))
            return owner
        }
        try await store.write { try $0.execute(sql: "UPDATE mind_sheets SET content = '{}' WHERE name = 'self'") }
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            await house.mind.poll(isAsked: true)
            let kept = try await house.mind.memory(Self.habit, by: self.owner(of: house, owner))
            #expect(kept.correction?.correction == .shutBy(try #require(TimeOfDay("22:15"))))
        }
    }

    @Test("A correction made during concurrent polls is kept in memory and on disk")
    func both() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let owner = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let owner = try await simulateThreeWeeks(house)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { await house.mind.poll(isAsked: true) } }
                group.addTask { _ = try await correct(house, by: owner) }
                for _ in 0..<8 { group.addTask { await house.mind.poll(isAsked: true) } }
                try await group.waitForAll()
            }
            return owner
        }
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            await house.mind.poll(isAsked: true)
            let kept = try await house.mind.memory(Self.habit, by: self.owner(of: house, owner))
            #expect(kept.correction != nil)
        }
    }
}
