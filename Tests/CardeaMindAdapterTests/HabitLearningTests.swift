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

@Suite("Habit learning in the hub", .timeLimit(.minutes(5)))
struct HabitLearningTests {
    private func habits(_ house: TestHouse, of owner: Principal) async throws -> [String] {
        let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
        return try await house.mind.findMemories(MemorySearch(words: "", types: [.semantic, .procedural], limit: 100), by: asker).memories
            .map(\.memory.id)
    }

    // A running house once never learned a level: the readings' hours were not read.
    @Test("A sensor's usual level is learned after two weeks, and a deviation is notified")
    func levels() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await simulateFortnight(house)
            #expect(try await habits(house, of: owner).contains("habit_level_sensor.hall"))
            // A value outside a thermometer's range is refused, and the habit stays as learned.
            let asker = MemoryRequester(try await house.hub.mindFeed.requester(owner))
            let record = house.hub.mindFeed.recorder("memory.change", by: owner, origin: .house)
            var change = MemoryChange()
            change.correction = .correct(.between(low: 68, high: 700))
            let wanted = change
            await #expect {
                try await house.mind.changeMemory("habit_level_sensor.hall", wanted, seen: .any, by: asker, record: record)
            } throws: { error in
                guard case MemoryError.correction(.implausible(let range)) = error else { return false }
                return range.unit == "°C"
            }
            #expect(try await house.mind.memory("habit_level_sensor.hall", by: asker).correction == nil)

            try await coolDown(house)
            await house.mind.poll(isAsked: true)
            #expect(try await deviationNotices(house, of: owner).contains { $0.lowercased().contains("hall") })
        }
    }

    /// Two equal weeks.
    private func simulateFortnight(_ house: TestHouse) async throws {
        for day in 0..<14 {
            for hour in 0..<24 {
                try await house.doorBackend.report("\(20 + hour % 3)", at: "sensor.hall")
                house.clock.advance(by: 1800)
                try await house.doorBackend.report("\(20.2 + Double((day + hour) % 3) / 10)", at: "sensor.hall")
                house.clock.advance(by: 1800)
            }
            try await house.hub.readings.condenseImported()
            await house.mind.poll(isAsked: true)
        }
    }

    /// Five unusual hours, after the house has learned the usual ones; the next poll notices them.
    private func coolDown(_ house: TestHouse) async throws {
        for hour in 0..<5 {
            try await house.doorBackend.report("\(9 + Double(hour) / 10)", at: "sensor.hall")
            house.clock.advance(by: 1800)
            try await house.doorBackend.report("8.9", at: "sensor.hall")
            house.clock.advance(by: 1800)
        }
        try await house.hub.readings.condenseImported()
        house.clock.advance(by: 700)
        await house.mind.poll(isAsked: true)
        house.clock.advance(by: 60)
    }

    // "The garage is usually shut by now" was once only said by habits that a test had made.
    @Test("A garage left open after its usual closing time is notified once at night")
    func closing() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let cover = Entity(
                id: "cover.garage", kind: .cover, name: "Garage door", deviceClass: "garage", verbs: [.open, .close],
                state: EntityState("closed"))
            try await house.hub.devices.announce(
                Device(
                    id: "garage", name: "Garage door", deviceClass: .security, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: [cover]))
            await house.mind.poll(isAsked: true)
            // Half past five in Berlin.
            house.clock.advance(by: 2.5 * 3600)
            for _ in 0..<16 {
                try await house.doorBackend.report("open", at: "cover.garage")
                await house.mind.poll(isAsked: true)
                house.clock.advance(by: 4.5 * 3600)
                try await house.doorBackend.report("closed", at: "cover.garage")
                await house.mind.poll(isAsked: true)
                house.clock.advance(by: 8 * 3600)
                await house.mind.poll(isAsked: true)
                house.clock.advance(by: 11.5 * 3600)
            }
            #expect(try await habits(house, of: owner).contains("habit_closing_cover.garage"))

            try await house.doorBackend.report("open", at: "cover.garage")
            await house.mind.poll(isAsked: true)
            #expect(try await !deviationNotices(house, of: owner).contains { $0.contains("Garage door") })
            // Twenty past eleven, more than an hour after its latest usual closing.
            house.clock.advance(by: 5 * 3600 + 50 * 60)
            await house.mind.poll(isAsked: true)

            let words = "Garage door is usually shut by 22:00; it has been open since 17:30."
            #expect(try await deviationNotices(house, of: owner).filter { $0.contains("Garage door") } == [words])
            house.clock.advance(by: 600)
            await house.mind.poll(isAsked: true)
            #expect(try await deviationNotices(house, of: owner).count { $0.contains("Garage door") } == 1)
        }
    }

    private func deviationNotices(_ house: TestHouse, of owner: Principal) async throws -> [String] {
        try await house.hub.notificationDispatcher.planNotifications()
        return try await house.hub.notices.page(limit: 20, of: owner).notices.compactMap(\.fact.text)
    }

    // It was marked as notified before it was stored: with a full disk for a second the notification was lost.
    @Test("A deviation that a full disk blocked is notified once on the next poll")
    func untold() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await simulateFortnight(house)
            try await coolDown(house)
            try await house.store.write { db in
                try db.execute(
                    sql: "CREATE TRIGGER full_disk BEFORE INSERT ON memories BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
            }
            await house.mind.poll(isAsked: true)
            #expect(try await !deviationNotices(house, of: owner).contains { $0.lowercased().contains("hall") })

            try await house.store.write { try $0.execute(sql: "DROP TRIGGER full_disk") }
            house.clock.advance(by: 60)
            await house.mind.poll(isAsked: true)
            #expect(try await deviationNotices(house, of: owner).count { $0.lowercased().contains("hall") } == 1)
            house.clock.advance(by: 60)
            await house.mind.poll(isAsked: true)
            #expect(try await deviationNotices(house, of: owner).count { $0.lowercased().contains("hall") } == 1)
        }
    }

    // With imported history, a house that had run for an hour knew it and had learned nothing from it.
    @Test("Imported history teaches habits to a running hub, in either order", arguments: [false, true])
    func brought(isBackwards: Bool) async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let owner = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let (owner, _) = try await house.claim()
            try await house.doorBackend.report("unlocked", at: "lock.front_door")
            await house.mind.poll(isAsked: true)
            clock.advance(by: 3600)
            await house.mind.poll(isAsked: true)
            #expect(try await habits(house, of: owner).isEmpty)
            return owner
        }
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let houseReader = HubHouseReader(house.hub.mindFeed)
            let memory = HouseEventStore(store: store, houseReader: houseReader, now: { clock.now })
            let past = HistoryImporter(
                readings: house.hub.readings, memory: memory, people: house.hub.people, house: try await houseReader.house(), at: clock.now)
            let lines = (1...30).flatMap { day -> [String] in
                func line(_ hours: Double, _ value: String) -> String {
                    let moment = clock.now.addingTimeInterval(-Double(day) * 86_400 + hours * 3600).formatted(.iso8601)
                    return #"{"timestamp":"\#(moment)","device_id":"front-door","kind":"state","value":"\#(value)"}"#
                }
                return [line(0, "unlocked"), line(5, "locked")]
            }
            let report = try await past.importLines(isBackwards ? lines : lines.reversed())
            #expect(report.refused == 0 && report.events > 50, "\(report)")
        }
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            await house.mind.poll(isAsked: true)
            let known = try await habits(house, of: owner)
            #expect(known.contains("habit_closing_lock.front_door"))
            // Learned once: another poll, and a restart, leave it.
            clock.advance(by: 60)
            await house.mind.poll(isAsked: true)
        }
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            await house.mind.poll(isAsked: true)
            let known = try await habits(house, of: owner)
            #expect(known.contains("habit_closing_lock.front_door"))
        }
    }
}
