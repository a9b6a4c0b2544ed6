import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

extension TestHouse {
    /// Forgets by a clock that is believed.
    fileprivate func forget(at now: Date) async throws {
        try await hub.clock.trust(at: now)
        try await hub.forgetting.run(at: now)
    }
}

@Suite("Nothing is kept longer than said", .timeLimit(.minutes(5)))
struct RetentionTests {
    /// Writes one of everything that goes by its days, as it was over at `moment`.
    private static func leaveTraces(_ owner: String, _ number: Int, at moment: Date, in db: Database) throws {
        let at = moment.milliseconds
        try db.execute(
            sql: """
                INSERT INTO journal (at, kind, data) VALUES (:at, 'house_changed', '{}');
                INSERT INTO sessions (id, person_id, created_at, expires_at, last_used_at, ended_at)
                    VALUES ('s' || :n, :owner, :at, :at + 1000, :at, :at);
                INSERT INTO api_tokens (id, hash, person_id, name, role, created_at, expires_at)
                    VALUES ('t' || :n, randomblob(32), :owner, 'Script', 'member', :at - 1000, :at);
                INSERT INTO guests (id, name, created_by, created_at, expires_at, use_limit, requires_approval, asks_each_time, local_only)
                    VALUES ('g' || :n, 'Plumber', :owner, :at - 1000, :at, 0, 0, 0, 0);
                INSERT INTO commands (id, principal, integration, device_id, entity_id, verb, grant_id, is_way_in, risk, status, asks,
                    accepted_at, not_after, finished_at) VALUES ('c' || :n, 'person:' || :owner, 'scripted', 'front-door', 'lock.front_door',
                    'lock', 'role:' || :owner, 1, 'control', 'confirmed', 0, :at, :at, :at);
                INSERT INTO notices (id, person_id, kind, subject, incident, place, place_name, happened_at, created_at, is_quiet)
                    VALUES ('n' || :n, :owner, 'ring', 'x' || :n, 'x' || :n, 'porch', 'Porch', :at, :at, 0);
                INSERT INTO interviews (id, person_id, status, phase, mentioned, confirmed, version, content, started_at, changed_at)
                    VALUES ('i' || :n, :owner, 'completed', 'completed', 0, 0, 1, '{}', :at, :at);
                INSERT INTO readings (entity_id, at, value) VALUES ('sensor.hall', :at, 21);
                INSERT INTO hourly_readings (entity_id, hour, low, high, mean, first, last, used, count, is_energy)
                    VALUES ('meter', :at, 1, 1, 1, 1, 1, 1, 1, 1), ('air', :at, 1, 1, 1, 1, 1, 0, 1, 0);
                """, arguments: ["at": at, "n": number, "owner": owner])
    }

    /// The oldest of each, in days.
    private func ages(_ house: TestHouse) async throws -> [String: Double] {
        let now = house.clock.now.milliseconds
        return try await house.store.read { db in
            var ages: [String: Double] = [:]
            for (table, column, kind) in [
                ("journal", "at", ""), ("sessions", "ended_at", ""), ("api_tokens", "expires_at", ""), ("guests", "expires_at", ""),
                ("commands", "finished_at", ""), ("notices", "created_at", ""), ("interviews", "changed_at", ""), ("readings", "at", ""),
                ("hourly_readings", "hour", "WHERE is_energy = 1 AND entity_id = 'meter'"), ("audit", "at", ""),
            ] {
                let oldest = try Int64.fetchOne(db, sql: "SELECT min(\(column)) FROM \(table) \(kind)")
                ages[table] = oldest.map { Double(now - $0) / 86_400_000 }
            }
            let air = try Int64.fetchOne(db, sql: "SELECT min(hour) FROM hourly_readings WHERE entity_id = 'air'")
            ages["air"] = air.map { Double(now - $0) / 86_400_000 }
            return ages
        }
    }

    @Test("Over two years and a bit, day by day, everything goes in its time, and what is exactly as old as its time stays")
    func twoYears() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let ownerID = try #require(owner.personID)
        for day in 0..<760 {
            let moment = house.clock.now
            try await house.store.write { try Self.leaveTraces(ownerID, day, at: moment, in: $0) }
            if day % 20 == 0 { _ = try await house.hub.notary.sign(at: moment) }
            if day % 9 == 0 || day > 750 { try await house.forget(at: moment) }
            house.clock.advance(by: 86_400)
        }
        house.clock.advance(by: -86_400)
        let ages = try await ages(house)
        #expect(ages["journal"] == 90 && ages["sessions"] == 90 && ages["api_tokens"] == 90 && ages["guests"] == 90)
        #expect(ages["commands"] == 90 && ages["interviews"] == 90 && ages["notices"] == 30)
        #expect(ages["hourly_readings"] == 730 && ages["air"] == 365)
        // What sensors said becomes an hour with the hour it belongs to.
        #expect((6.9...7.1).contains(try #require(ages["readings"])))
        // Rows go, and their numbers are not given again.
        let (first, last, count) = try await house.store.read {
            (try Journal.first(in: $0), try Journal.last(in: $0), try Int64.fetchOne($0, sql: "SELECT count(*) FROM journal"))
        }
        #expect(try #require(first) > 1 && count == last - (first ?? 0) + 1)
        let rules = try await house.hub.retention.rules(seenBy: owner)
        #expect(rules.allSatisfy { $0.sweptAt == house.clock.now })
        #expect(try #require(rules.first { $0.kind == .activity }).dropped > 3000)
    }

    @Test("It is done once a night, or when it has not been done for a day and a half; the rest of the day nobody is kept waiting")
    func atNight() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        func swept() async throws -> Date? {
            try await house.store.read { try RetentionRecords.all(most: \.mostDays, $0).first?.sweptAt }
        }
        try await house.hub.housekeeping.sweep(at: house.clock.now)
        let first = try #require(try await swept())
        // It is three in the afternoon in Berlin. The next time is when the house sleeps.
        for _ in 0..<10 {
            house.clock.advance(by: 3600)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
        }
        #expect(try await swept() == first)
        for _ in 0..<14 {
            house.clock.advance(by: 3600)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
        }
        #expect(try await swept() == first)
        for _ in 0..<16 {
            house.clock.advance(by: 3600)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
        }
        let second = try #require(try await swept())
        #expect(second.timeIntervalSince(first) <= 36 * 3600 && second > first)
    }

    @Test("The owner has less kept, never more; nobody else does, and it is on record")
    func choosing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (admin, _) = try await house.resident("ada", role: "admin", by: owner)
        let retention = house.hub.retention
        for days in [["energy": 731], ["energy": 0], ["gossip": 3]] {
            await #expect(throws: Retention.Problem.self) { try await retention.choose(days, by: owner, origin: .house) }
        }
        await #expect(throws: People.Problem.self) { try await retention.choose(["energy": 10], by: admin, origin: .house) }
        let rules = try await retention.choose(["energy": 10, "notices": 3], by: owner, origin: .house)
        #expect(rules.first { $0.kind == .energy }?.days == 10 && rules.first { $0.kind == .notices }?.days == 3)
        let trail = try await house.hub.activity.entries(.init(), seenBy: owner)
        #expect(trail.filter { $0.action == "retention.change" }.map(\.result) == ["done", "done", "refused"])
        #expect(Set(trail.compactMap(\.reason)).isSuperset(of: ["energy_10_days", "notices_3_days"]))

        let moment = house.clock.now
        let ownerID = try #require(owner.personID)
        try await house.store.write { try Self.leaveTraces(ownerID, 1, at: moment, in: $0) }
        house.clock.advance(by: 11 * 86_400)
        try await house.forget(at: house.clock.now)
        let left = try await ages(house)
        #expect(left["hourly_readings"] == nil && left["notices"] == nil && left["air"] == 11 && left["commands"] == 11)
    }

    @Test("A clock that ran ahead for a while, or far behind, costs no row its time")
    func clocks() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let now = house.clock.now
        let day: TimeInterval = 86_400
        try await house.store.write { db in
            for age in [100, -3650, 95, 10, 20_000, 1.0] {
                try Journal.append(.houseChanged, subject: "\(age)", at: now.addingTimeInterval(-age * day), in: db)
            }
        }
        // What was there before is of now: the claim. It is set to long ago, as the oldest rows are.
        try await house.forget(at: now)
        let all = try await house.store.read { try String.fetchAll($0, sql: "SELECT subject FROM journal WHERE subject GLOB '*.0'") }
        #expect(all == ["100.0", "-3650.0", "95.0", "10.0", "20000.0", "1.0"], "the first row is young: nothing before it is old")
        house.clock.advance(by: 85 * day)
        try await house.forget(at: house.clock.now)
        // Five days before their time is over, all is there; ten days later the first rows go, and with them the one from the future.
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE subject GLOB '*.0'") } == 6)
        house.clock.advance(by: 5.5 * day)
        // No row is of these days: it may be the clock that is wrong, and nothing goes.
        try await house.forget(at: house.clock.now)
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE subject GLOB '*.0'") } == 6)
        let later = house.clock.now
        try await house.store.write { db in _ = try Journal.append(.houseChanged, subject: "today", at: later, in: db) }
        try await house.forget(at: later)
        #expect(try await house.store.read { try String.fetchAll($0, sql: "SELECT subject FROM journal") } == ["today"])
        // Nor does a clock that says it is 1970.
        try await house.forget(at: Date(timeIntervalSince1970: 3600))
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM journal") } == 1)
    }

    @Test("A room that people took out does not come back, though the journal has long forgotten it")
    func rooms() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await house.hub.house.addRooms([Room(id: "attic", name: "Attic")])
        try await house.hub.rooms.remove("attic", seen: .any, by: owner, origin: .house)
        house.clock.advance(by: 100 * 86_400)
        try await house.forget(at: house.clock.now)
        try await house.hub.house.addRooms([Room(id: "attic", name: "Attic")])
        #expect(!house.hub.house.now.rooms.contains { $0.id == "attic" })
    }
}
