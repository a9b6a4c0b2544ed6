import CardeaHub
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Sensor readings", .timeLimit(.minutes(10)))
struct ReadingTests {
    private static let meter = Device(
        id: "meter", name: "Meter", deviceClass: .sensor, integration: "scripted", stateChangedAt: .distantPast,
        entities: [
            Entity(id: "sensor.power", kind: .sensor, name: "Power", deviceClass: "power", unit: "kW", verbs: []),
            Entity(id: "sensor.energy", kind: .sensor, name: "Energy", deviceClass: "energy", unit: "Wh", verbs: []),
            Entity(id: "sensor.water", kind: .sensor, name: "Water", deviceClass: "water", unit: "m³", verbs: []),
            Entity(id: "sensor.roof", kind: .sensor, name: "Solar roof", deviceClass: "energy", unit: "kWh", verbs: []),
        ])

    private func raw(_ entity: String = "sensor.hall", in house: TestHouse) async throws -> [Double] {
        try await house.store.read {
            try Double.fetchAll($0, sql: "SELECT value FROM readings WHERE entity_id = ? ORDER BY at", arguments: [entity])
        }
    }

    @Test("Readings are sampled every ten seconds unless the value changes by much")
    func sampling() async throws {
        try await TestHouse.open { house in
            for (seconds, word) in [(0.0, "20"), (3, "20.5"), (3, "26"), (3, "26.2"), (1, "26.4"), (10, "26.5"), (1, "unavailable")] {
                house.clock.advance(by: seconds)
                try await house.doorBackend.report(word, at: "sensor.hall")
            }
            try await house.doorBackend.report("unlocked", at: "lock.front_door")

            #expect(try await raw(in: house) == [20, 26, 26.5])
            #expect(try await raw("lock.front_door", in: house).isEmpty)
        }
    }

    /// Lets time pass, by a trusted clock.
    private func pass(_ seconds: TimeInterval, in house: TestHouse) async throws {
        try await house.hub.clock.trust(at: house.clock.now.addingTimeInterval(seconds))
        house.clock.advance(by: seconds)
    }

    @Test("Readings become hours after a week, and hours are deleted at the end of their retention")
    func retention() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await house.hub.devices.announce(Self.meter)
            let start = house.clock.now
            for (minutes, word) in [(0.0, "20"), (30, "24"), (60, "10"), (15, "12")] {
                house.clock.advance(by: minutes * 60)
                try await house.doorBackend.report(word, at: "sensor.hall")
                try await house.doorBackend.report(String((Double(word) ?? 0) * 100), at: "sensor.energy")
            }
            house.clock.advance(by: 15 * 60)
            let span = try house.hub.readings.span(from: start, to: start.addingTimeInterval(4 * 3600))
            func hours() async throws -> [HourlyReading] {
                let history = try await house.hub.readings.history(
                    of: "hall-sensor", entityID: nil, span: span, resolution: .hour, seenBy: owner)
                if case .hours(let hours) = history.points { return hours }
                return []
            }
            let fresh = try await hours()

            try await pass(8 * 86_400, in: house)
            try await waitUntil { try await raw(in: house).isEmpty }
            try await waitUntil { try await raw("sensor.energy", in: house).isEmpty }

            // The second hour began at 24, and stayed there for half of it.
            #expect(fresh.map(\.mean) == [22, 17.5] && fresh.map(\.low) == [20, 10] && fresh.map(\.high) == [24, 24])
            #expect(try await hours() == fresh)
            #expect(fresh.map(\.count) == [2, 2])
            let old = try await house.hub.readings.history(
                of: "hall-sensor", entityID: "sensor.hall", span: span, resolution: nil, seenBy: owner)
            if case .raw = old.points { Issue.record("readings of last month are told by the hour") }
            func kept(_ entity: String) async throws -> Int {
                try await house.store.read {
                    try Int.fetchOne($0, sql: "SELECT count(*) FROM hourly_readings WHERE entity_id = ?", arguments: [entity]) ?? 0
                }
            }
            try await pass(358 * 86_400, in: house)
            try await waitUntil { try await kept("sensor.hall") == 0 }
            #expect(try await kept("sensor.energy") == 2)
            try await pass(366 * 86_400, in: house)
            try await waitUntil { try await kept("sensor.energy") == 0 }
        }
    }

    @Test("Energy is counted across a meter replacement and priced by the person's own rate")
    func energy() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            try await house.hub.devices.announce(Self.meter)
            try await house.doorBackend.report("900000", at: "sensor.energy")
            try await house.doorBackend.report("5", at: "sensor.water")
            house.clock.advance(by: 3600)
            let start = house.clock.now
            for (energy, water, roof) in [("901000", "5.1", "7"), ("902500", "5.2", "8"), ("500", "5.3", "9.5")] {
                house.clock.advance(by: 1800)
                try await house.doorBackend.report(energy, at: "sensor.energy")
                try await house.doorBackend.report(water, at: "sensor.water")
                try await house.doorBackend.report(roof, at: "sensor.roof")
                try await house.doorBackend.report("0.5", at: "sensor.power")
            }
            let span = try house.hub.readings.span(from: start, to: house.clock.now.addingTimeInterval(1))
            var mine = Preferences()
            mine.energyCostRate = 0.5
            _ = try await house.hub.preferences.change(mine, seen: .any, by: owner, origin: .house)

            let uses = try await house.hub.readings.energy(span, seenBy: owner)

            #expect(uses.map(\.kind) == [.electricity, .water, .solar])
            // 900 to 902.5 kWh, then a new meter that shows 0.5.
            #expect(uses[0].power == 500 && uses[0].amount.map { abs($0 - 3) < 0.001 } == true)
            #expect(uses[0].cost.map { abs($0 - 1.5) < 0.001 } == true)
            #expect(uses[1].amount.map { abs($0 - 300) < 0.001 } == true && uses[1].cost.map { abs($0 - 1.8) < 0.001 } == true)
            #expect(uses[2].amount == 2.5 && uses[2].cost == 0 && uses[2].power == nil)
        }
    }

    @Test("A history page holds 2000 points and returns where the next one starts")
    func bounded() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let start = house.clock.now
            try await house.store.write { db in
                for index in 0..<2500 {
                    try db.execute(
                        sql: "INSERT INTO readings VALUES ('sensor.hall', ?, ?)",
                        arguments: [start.addingTimeInterval(Double(index) * 10).milliseconds, Double(index)])
                }
            }
            let span = try house.hub.readings.span(from: start, to: start.addingTimeInterval(86_400))

            let first = try await house.hub.readings.history(of: "hall-sensor", entityID: nil, span: span, resolution: .raw, seenBy: owner)
            let next = try #require(first.next)
            let rest = try await house.hub.readings.history(
                of: "hall-sensor", entityID: nil, span: house.hub.readings.span(from: next, to: span.to), resolution: .raw, seenBy: owner)

            guard case .raw(let one) = first.points, case .raw(let two) = rest.points else { return }
            #expect(one.count == 2000 && two.count == 500 && two.first?.value == 2000 && rest.next == nil)
        }
    }
}
