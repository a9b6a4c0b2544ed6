import CardeaMind
import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

extension TestHouse {
    /// Sweeps by a trusted clock.
    fileprivate func sweepRetention(at now: Date) async throws {
        try await hub.clock.trust(at: now)
        try await hub.retentionSweep.run(at: now)
    }
}

@Suite("Data retention", .timeLimit(.minutes(10)))
struct RetentionTests {
    /// Writes one row of every kind with a retention, ended at `moment`.
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

    /// Every fifth day, so that not a year of them is read each night: the mind's findings, its messages, and actions in the house. All of
    /// it was read just now.
    private static func leaveMore(_ owner: String, _ number: Int, at moment: Date, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO memories (id, created_at, last_accessed, memory_type, category, importance, title, content, details, source,
                    confidence, access_count, tags, related_devices, person, is_pinned, version)
                    VALUES ('found' || :n, :at, :at, 'episodic', 'x' || :n, 0.5, 'Damp', 'It was damp.', '{}', 'sensor', 1, 0, '[]', '[]',
                        NULL, 0, 1),
                    ('told' || :n, :at, :at, 'semantic', 'x' || :n, 0.5, 'Key', 'It hangs there.', '{}', 'user_interaction', 1, 0, '[]', '[]',
                        'person:' || :owner, 0, 1);
                UPDATE memories SET last_accessed = :at;
                INSERT OR IGNORE INTO maintenance_tasks (id, title, category, priority, is_predictive, version, created_at, changed_at)
                    VALUES ('task', 'Filter', 'heating', 'normal', 0, 1, :at, :at);
                INSERT INTO maintenance_history (task_id, completed_at, completed_by) VALUES ('task', :at, :owner);
                """, arguments: ["at": moment.milliseconds, "n": number, "owner": owner])
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
            for (name, sql) in [
                ("air", "SELECT min(hour) FROM hourly_readings WHERE entity_id = 'air'"),
                ("events", "SELECT min(key >> 20) FROM events"),
                ("found", "SELECT min(created_at) FROM memories WHERE id GLOB 'found*'"),
                ("told", "SELECT min(created_at) FROM memories WHERE id GLOB 'told*'"),
                ("maintenance", "SELECT min(completed_at) FROM maintenance_history"),
            ] {
                ages[name] = try Int64.fetchOne(db, sql: sql).map { Double(now - $0) / 86_400_000 }
            }
            return ages
        }
    }

    // A session that is unused for thirty days is over, and its sign-in address was kept as if it had lasted the full half year.
    @Test("An idle session ends after 30 days and is deleted at the end of its retention")
    func idle() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        for (seconds, count) in [(Sessions.idle + 90 * 86_400, 1), (60, 0)] {
            house.clock.advance(by: seconds)
            try await house.sweepRetention(at: house.clock.now)
            #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sessions") } == count)
        }
    }

    @Test("Over two years, all data is deleted at the end of its retention, and not before")
    func twoYears() async throws {
        try await withFolder { folder in
            let house = try await TestHouse.make(
                store: .inMemory(), events: EventSettings(pictures: folder, maker: PassthroughPictureMaker(size: 10)))
            let (owner, _) = try await house.claim()
            try await house.alarm()
            try await createHistory(house, owner)
            try await expectForgotten(house, owner, folder)
        }
    }

    /// Two years and a month. A segment of the audit log is full after 16 days.
    private func createHistory(_ house: TestHouse, _ owner: Principal) async throws {
        let ownerID = try #require(owner.personID)
        for day in 0..<760 {
            let moment = house.clock.now
            try await house.store.write { db in
                try Self.leaveTraces(ownerID, day, at: moment, in: db)
                for _ in 0..<16 {
                    try AuditLog.append(.init(who: .person(ownerID), action: "unlock", result: .done), in: .house(db, at: moment))
                }
                if day % 5 == 4 { try Self.leaveMore(ownerID, day, at: moment, in: db) }
            }
            if day % 5 == 4 {
                let seen = Events.Draft(source: "porch", type: "person", occurredAt: moment, picture: smallestJPEG)
                _ = try await house.hub.events.record(seen, by: owner, call: nil, origin: .house)
                try await house.doorBackend.report(day % 10 == 4 ? "on" : "off", at: "binary_sensor.smoke")
            }
            if day % 20 == 0 { _ = try await house.hub.auditCheckpointer.sign(at: moment) }
            if day % 9 == 0 || day > 750 { try await house.sweepRetention(at: moment) }
            await house.mind.poll(isAsked: true)
            house.clock.advance(by: 86_400)
        }
        house.clock.advance(by: -86_400)
    }

    private func expectForgotten(_ house: TestHouse, _ owner: Principal, _ pictures: URL) async throws {
        let ages = try await ages(house)
        #expect(ages["journal"] == 90 && ages["sessions"] == 90 && ages["api_tokens"] == 90 && ages["guests"] == 90)
        #expect(ages["commands"] == 90 && ages["interviews"] == 90 && ages["notices"] == 30)
        #expect(ages["hourly_readings"] == 730 && ages["air"] == 365)
        // The audit log is deleted in whole segments, each when its last entry is old enough.
        #expect((90...107).contains(try #require(ages["audit"])))
        // Data exactly as old as its retention stays: the 670th day had an event, and the 395th a memory.
        #expect(ages["events"] == 90 && ages["found"] == 365)
        #expect(ages["told"] == 755 && ages["maintenance"] == 755, "what people told it and what was done in the house stays")
        let kept = try await house.store.read { Set(try String.fetchAll($0, sql: "SELECT id FROM events WHERE picture_key IS NOT NULL")) }
        let files = try #require(FileManager.default.enumerator(at: pictures, includingPropertiesForKeys: nil))
            .compactMap { ($0 as? URL)?.lastPathComponent }.filter { $0.contains(".") }
        #expect(kept.count == 19 && Set(files.map { String($0.prefix { $0 != "." }) }) == kept, "a picture goes with its event")
        let now = house.clock.now
        let felt = house.mind.moodHistory(
            from: .distantPast, to: now.addingTimeInterval(1),
            seenBy: RequesterVisibility(key: "test", seesEverybody: true, seesGuests: true))
        #expect(felt.count > 30 && felt.allSatisfy { now.timeIntervalSince($0.at) <= 365 * 86_400 })
        // Sensor readings are condensed with the hour they belong to.
        #expect((6.9...7.1).contains(try #require(ages["readings"])))
        // Rows are deleted, and their numbers are not reused.
        let (first, last, count) = try await house.store.read {
            (try Journal.first(in: $0), try Journal.last(in: $0), try Int64.fetchOne($0, sql: "SELECT count(*) FROM journal"))
        }
        #expect(try #require(first) > 1 && count == last - (first ?? 0) + 1)
        let rules = try await house.hub.retention.rules(seenBy: owner)
        #expect(rules.allSatisfy { $0.sweptAt == house.clock.now })
        #expect(try #require(rules.first { $0.kind == .activity }).dropped > 3000)
        #expect(try #require(rules.first { $0.kind == .events }).dropped == 152 - 19)
        // The mind itself reports its deletions: its own data, and the notes about them.
        #expect(try #require(rules.first { $0.kind == .memories }).dropped >= 152 - 74)

        // The owner shortens the retention of activity.
        let tokens = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
        let again = try await house.hub.sessions.authenticate(tokens.access)
        _ = try await house.hub.retention.setDays(["maintenance": 100, "memories": 30], by: again, origin: .house)
        for _ in 0..<2 {
            try await house.sweepRetention(at: house.clock.now)
            await house.mind.poll(isAsked: true)
            house.clock.advance(by: 86_400)
        }
        house.clock.advance(by: -86_400)
        let fewer = try await self.ages(house)
        #expect(fewer["maintenance"] == 96 && fewer["found"] == 26 && fewer["told"] == 756)
    }

    // The page once said that memories were checked each night and none was ever deleted: the mind does that, at another time.
    @Test("The mind's memory sweep keeps its own time and does not postpone the nightly sweep")
    func mindsOwn() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        func memories() async throws -> Retention.Rule? {
            try await house.hub.retention.rules(seenBy: owner).first { $0.kind == .memories }
        }
        await house.mind.poll(isAsked: true)
        try await house.sweepRetention(at: house.clock.now)
        #expect(try await memories()?.sweptAt == nil)
        house.clock.advance(by: 40 * 3600)
        try await house.hub.clock.trust(at: house.clock.now)
        await house.mind.poll(isAsked: true)
        #expect(try await memories()?.sweptAt == house.clock.now)
        try await house.hub.housekeeping.sweep(at: house.clock.now)
        #expect(try await house.hub.retention.rules(seenBy: owner).allSatisfy { $0.sweptAt == house.clock.now })
    }

    @Test("Retention runs once a night, or after 36 hours at the latest")
    func atNight() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        try await house.hub.housekeeping.sweep(at: house.clock.now)
        let first = try #require(try await swept(house))
        // It is three in the afternoon in Berlin. The next sweep is at night.
        for _ in 0..<10 {
            house.clock.advance(by: 3600)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
        }
        #expect(try await swept(house) == first)
        for _ in 0..<14 {
            house.clock.advance(by: 3600)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
        }
        #expect(try await swept(house) == first)
        for _ in 0..<16 {
            house.clock.advance(by: 3600)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
        }
        let second = try #require(try await swept(house))
        #expect(second.timeIntervalSince(first) <= 36 * 3600 && second > first)
        #expect(second.timeIntervalSince(first) == 35 * 3600, "at two in the night, and not because a day and a half had gone by")
    }

    @Test("Retention runs once a day within the house's quiet hours, in its time zone")
    func quietHours() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let quiet = QuietHours(from: try #require(TimeOfDay("22:00")), to: try #require(TimeOfDay("23:00")))
        _ = try await house.hub.house.change(
            {
                var preferences = $0
                preferences.quietHours = quiet
                return preferences
            }, timeZone: "Asia/Tokyo", seen: .any, by: owner, origin: .house, at: house.clock.now)
        // Twenty past eleven at night: a first sweep runs at once.
        house.clock.advance(by: 1200)
        let first = house.clock.now
        var moments: [Date] = []
        for _ in 0...(5 * 24) {
            try await house.hub.housekeeping.sweep(at: house.clock.now)
            if let moment = try await swept(house), moment != moments.last { moments.append(moment) }
            house.clock.advance(by: 3600)
        }
        #expect(moments.map { $0.timeIntervalSince(first) / 3600 } == [0, 23, 47, 71, 95, 119])
        #expect(moments.dropFirst().allSatisfy { quiet.contains($0, in: tokyo) })
    }

    /// The time of the last sweep.
    private func swept(_ house: TestHouse) async throws -> Date? {
        try await house.store.read { try RetentionRecords.all(most: \.defaultDays, $0).first?.sweptAt }
    }

    @Test("Only an owner can shorten retention, never extend it, and the change is audited")
    func choosing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (admin, _) = try await house.resident("ada", role: "admin", by: owner)
        let retention = house.hub.retention
        for days in [["energy": 731], ["energy": 0], ["gossip": 3]] {
            await #expect(throws: Retention.RetentionError.self) { try await retention.setDays(days, by: owner, origin: .house) }
        }
        await #expect(throws: People.PersonError.self) { try await retention.setDays(["energy": 10], by: admin, origin: .house) }
        let rules = try await retention.setDays(["energy": 10, "notices": 3], by: owner, origin: .house)
        #expect(rules.first { $0.kind == .energy }?.days == 10 && rules.first { $0.kind == .notices }?.days == 3)
        let trail = try await house.hub.activity.entries(.init(), seenBy: owner)
        #expect(trail.filter { $0.action == "retention.change" }.map(\.result) == ["done", "done", "refused"])
        #expect(Set(trail.compactMap(\.entityID)) == ["retention:energy:10", "retention:notices:3"])

        let moment = house.clock.now
        let ownerID = try #require(owner.personID)
        try await house.store.write { try Self.leaveTraces(ownerID, 1, at: moment, in: $0) }
        house.clock.advance(by: 11 * 86_400)
        try await house.sweepRetention(at: house.clock.now)
        let left = try await ages(house)
        #expect(left["hourly_readings"] == nil && left["notices"] == nil && left["air"] == 11 && left["commands"] == 11)
    }

    @Test("Short-lived rows are deleted two days later without new activity")
    func moments() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let door = Buttons.Draft(title: "Door", action: .init(deviceID: "front-door", action: "unlock"))
        _ = try await house.hub.buttons.add(door, by: owner, call: nil, origin: .house)
        let now = house.clock.now.milliseconds
        try await house.store.write { db in
            try db.execute(
                sql: """
                    INSERT INTO passkey_challenges (hash, purpose, rp_id, made_at, expires_at)
                        VALUES (randomblob(32), 'login', 'house.example', :at, :at + 300000);
                    INSERT INTO phone_pairings (id, code_hash, secret_hash, device_hash, name, is_local, asked_at, expires_at)
                        VALUES ('phone', randomblob(32), randomblob(32), randomblob(32), 'Phone', 1, :at, :at + 300000);
                    INSERT INTO live_links (digest, button_id, expires_at) SELECT randomblob(32), id, :at + 30000 FROM buttons;
                    INSERT INTO throttles (scope, subject, failures, last_at) VALUES ('login', 'nobody', 1, :at);
                    INSERT INTO kept_answers (principal, key, fingerprint, sealed, at)
                        VALUES ('person:nobody', 'once', randomblob(32), randomblob(32), :at);
                    """, arguments: ["at": now])
        }
        let tables = DataInventory.policies.filter { $0.retention == .shortLived }.map(\.table)
        func filled() async throws -> [String] {
            try await house.store.read { db in
                try tables.filter { try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \($0))") == true }
            }
        }
        #expect(try await filled() == tables, "one of each")
        house.clock.advance(by: 2 * 86_400)
        try await house.hub.clock.trust(at: house.clock.now)
        try await house.hub.housekeeping.sweep(at: house.clock.now)
        #expect(try await filled() == [])
    }

    @Test("A clock far ahead or far behind does not shorten the retention of rows")
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
        // The earlier rows are of now: the claim. They are set to long ago, like the oldest rows.
        try await house.sweepRetention(at: now)
        let all = try await house.store.read { try String.fetchAll($0, sql: "SELECT subject FROM journal WHERE subject GLOB '*.0'") }
        #expect(all == ["100.0", "-3650.0", "95.0", "10.0", "20000.0", "1.0"], "the first row is young: nothing before it is old")
        house.clock.advance(by: 85 * day)
        try await house.sweepRetention(at: house.clock.now)
        // Five days before the end of their retention all rows are there; ten days later the first ones are deleted, and the one from the
        // future with them.
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE subject GLOB '*.0'") } == 6)
        house.clock.advance(by: 5.5 * day)
        // No row is of these days: the clock may be wrong, and nothing is deleted.
        try await house.sweepRetention(at: house.clock.now)
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM journal WHERE subject GLOB '*.0'") } == 6)
        let later = house.clock.now
        try await house.store.write { db in _ = try Journal.append(.houseChanged, subject: "today", at: later, in: db) }
        try await house.sweepRetention(at: later)
        #expect(try await house.store.read { try String.fetchAll($0, sql: "SELECT subject FROM journal") } == ["today"])
        // Nor with a clock in 1970.
        try await house.sweepRetention(at: Date(timeIntervalSince1970: 3600))
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM journal") } == 1)
    }

    @Test("A removed room does not return after the journal has forgotten its removal")
    func rooms() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await house.hub.house.addRooms([Room(id: "attic", name: "Attic")])
        try await house.hub.rooms.remove("attic", seen: .any, by: owner, origin: .house)
        house.clock.advance(by: 100 * 86_400)
        try await house.sweepRetention(at: house.clock.now)
        try await house.hub.house.addRooms([Room(id: "attic", name: "Attic")])
        #expect(!house.hub.house.current.rooms.contains { $0.id == "attic" })
    }
}
