import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Hourly readings", .timeLimit(.minutes(5)))
struct HourlyReadingTests {
    private static let meter = Device(
        id: "meter", name: "Meter", deviceClass: .sensor, integration: "scripted", stateChangedAt: .distantPast,
        entities: [Entity(id: "sensor.energy", kind: .sensor, name: "Energy", deviceClass: "energy", unit: "Wh", verbs: [])])
    /// Nine o'clock on some morning, in milliseconds.
    private static let nine: Int64 = 450_009 * 3_600_000

    /// Writes a sensor's reports, a minute apart from the beginning of the hour on, and condenses them to an hour.
    private func say(_ values: [Double], at entity: String, hour: Int64 = HourlyReadingTests.nine, in house: TestHouse) async throws {
        try await house.store.write { db in
            for (minute, value) in values.enumerated() {
                try db.execute(
                    sql: "INSERT INTO readings (entity_id, at, value) VALUES (?, ?, ?)",
                    arguments: [entity, hour + Int64(minute) * 60_000, value])
            }
            let made = try ReadingRecords.condense(entity, before: hour + 3_600_000, in: db)
            #expect(made == values.count)
        }
    }

    private func hours(_ entity: String, in house: TestHouse) async throws -> [HourlyReading] {
        let span = Readings.Span(from: Date(milliseconds: Self.nine), to: Date(milliseconds: Self.nine + 86_400_000))
        return try await house.store.read { try ReadingRecords.hours(entity, span, asOf: span.to, limit: .max, $0) }
    }

    private func areEnergy(_ entity: String, in house: TestHouse) async throws -> [Bool] {
        try await house.store.read {
            try Bool.fetchAll($0, sql: "SELECT is_energy FROM hourly_readings WHERE entity_id = ? ORDER BY hour", arguments: [entity])
        }
    }

    // The clock was set back, a few readings were repeated, and a complete hour of the previous night was lost.
    @Test("Fewer late readings do not overwrite an hour made of more readings")
    func late() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await say([20, 21, 22, 23], at: "sensor.hall", in: house)
        let whole = try await hours("sensor.hall", in: house)

        try await say([99], at: "sensor.hall", in: house)
        let after = try await hours("sensor.hall", in: house)
        try await say([10, 11, 12, 13, 14], at: "sensor.hall", in: house)

        #expect(whole.map(\.count) == [4] && after == whole)
        let more = try await hours("sensor.hall", in: house)
        #expect(more.map(\.count) == [5] && more.map(\.first) == [10] && more.map(\.last) == [14])
    }

    // Only changes are stored: for an hour without a change in its second half, the mean once covered the first half only.
    @Test("The hourly mean is weighted by time, and raw and stored hours agree")
    func overTime() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let nine = Self.nine
        try await house.store.write { db in
            for (minute, value) in [(30, 20.0), (90, 10), (105, 12)] as [(Int64, Double)] {
                try db.execute(
                    sql: "INSERT INTO readings (entity_id, at, value) VALUES ('sensor.hall', ?, ?)",
                    arguments: [nine + minute * 60_000, value])
            }
        }
        func summary() async throws -> HourlyReading? {
            let span = Readings.Span(from: Date(milliseconds: nine), to: Date(milliseconds: nine + 86_400_000))
            let now = Date(milliseconds: nine + 4 * 3_600_000)
            return try await house.store.read { try ReadingRecords.summary("sensor.hall", span, asOf: now, $0) }
        }
        let fresh = (hours: try await hours("sensor.hall", in: house), summary: try await summary())

        for _ in 0..<2 {
            try await house.store.write { _ = try ReadingRecords.condense("sensor.hall", before: nine + 7_200_000, in: $0) }
        }
        let kept = (hours: try await hours("sensor.hall", in: house), summary: try await summary())

        #expect(fresh.hours == kept.hours && kept.hours.map(\.count) == [1, 2])
        #expect(kept.hours.map(\.mean) == [20, 15.5] && kept.hours.map(\.start) == [nil, 20])
        #expect(kept.hours.map(\.low) == [20, 10] && kept.hours.map(\.high) == [20, 20])
        // No report for the two hours since: the value is 12.
        #expect(fresh.summary == kept.summary && kept.summary?.mean == 14.875 && kept.summary?.count == 3)
    }

    @Test("The mean of a running hour ends at the current time")
    func running() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let nine = Self.nine
        try await house.store.write { db in
            for (minute, value) in [(-300, 20.0), (10, 30)] as [(Int64, Double)] {
                try db.execute(
                    sql: "INSERT INTO readings (entity_id, at, value) VALUES ('sensor.hall', ?, ?)",
                    arguments: [nine + minute * 60_000, value])
            }
        }
        func mean(at minute: Int64) async throws -> [Double] {
            let span = Readings.Span(from: Date(milliseconds: nine), to: Date(milliseconds: nine + 86_400_000))
            let now = Date(milliseconds: nine + minute * 60_000)
            return try await house.store.read { try ReadingRecords.hours("sensor.hall", span, asOf: now, limit: .max, $0) }.map(\.mean)
        }

        #expect(try await mean(at: 10) == [20])
        #expect(try await mean(at: 20) == [25])
        #expect(try await mean(at: 600) == [20 + 10 * 50.0 / 60])
    }

    @Test("An hour stored with an unweighted mean is not presented as weighted")
    func older() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let nine = Self.nine
        try await house.store.write {
            try $0.execute(
                sql: """
                    INSERT INTO hourly_readings (entity_id, hour, low, high, mean, first, last, used, count, is_energy)
                    VALUES ('sensor.hall', ?, 18, 21, 19, 18, 21, 3, 14, 0)
                    """, arguments: [nine])
        }
        try await say([20], at: "sensor.hall", hour: nine + 3_600_000, in: house)

        #expect(try await hours("sensor.hall", in: house).map(\.start) == [nil, 21])
    }

    // Its last week was once kept like climate data, for one year instead of two.
    @Test("A removed energy meter is still marked as energy in its later hours")
    func takenOut() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.hub.devices.announce(Self.meter)
        try await say([1, 2], at: "sensor.energy", in: house)
        try await house.store.write { try $0.execute(sql: "DELETE FROM entities WHERE id = 'sensor.energy'") }

        try await say([3, 4], at: "sensor.energy", hour: Self.nine + 3_600_000, in: house)
        try await say([20], at: "sensor.nobody_knows", in: house)

        #expect(try await areEnergy("sensor.energy", in: house) == [true, true])
        #expect(try await areEnergy("sensor.nobody_knows", in: house) == [false])
    }
}
