import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Maintenance tasks", .timeLimit(.minutes(5)))
struct MaintenanceTests {
    private func day(_ text: String) throws -> CalendarDay { try #require(CalendarDay(text)) }

    @discardableResult
    private func add(_ draft: MaintenanceTasks.Draft, by who: Principal, in house: TestHouse) async throws -> MaintenanceTask {
        try await house.hub.maintenance.add(draft, by: who, call: nil, origin: .house).0
    }

    @discardableResult
    private func filter(in house: TestHouse, by who: Principal, dueOn: String = "2026-11-30") async throws -> MaintenanceTask {
        try await add(
            .init(title: "Change the filter", category: .heating, priority: .high, dueOn: try day(dueOn), recurrence: .monthly), by: who,
            in: house)
    }

    @Test("Completing a recurring task records its cost and moves the due date to the end of the next month")
    func completing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let task = try await filter(in: house, by: owner, dueOn: "2026-10-31")
        let maintenance = house.hub.maintenance
        let cost = try #require(Money(minor: 1299, currency: "EUR"))

        let (done, completion, _) = try await maintenance.complete(
            task.id, .init(cost: cost, notes: " Filter G4 ", serviceProvider: "Air & Sons"), seen: .oneOf([1]), by: owner, call: nil,
            origin: .house)

        #expect(try done.due?.on == day("2026-11-30") && done.due?.from == day("2026-10-31") && done.version == 2 && done.doneAt == nil)
        #expect(try completion.dueOn == day("2026-10-31") && completion.completedAt == house.clock.now)
        #expect(completion.completedBy == owner.personID && completion.completedByName == "owner")
        #expect(completion.cost == cost && completion.notes == "Filter G4" && completion.serviceProvider == "Air & Sons")
        // A completion of years ago is recorded too, and moves nothing.
        let long = house.clock.now.addingTimeInterval(-400 * 86_400)
        let (same, _, _) = try await maintenance.complete(task.id, .init(at: long), seen: .any, by: owner, call: nil, origin: .house)
        #expect(try same.due?.on == day("2026-11-30"))
        let history = try await maintenance.history(of: task.id, limit: 1, seenBy: owner)
        #expect(history.completions.map(\.completedAt) == [house.clock.now] && history.hasMore)
        let rest = try await maintenance.history(of: task.id, before: history.completions[0].number, seenBy: owner)
        #expect(rest.completions.map(\.completedAt) == [long] && !rest.hasMore)
        #expect(
            try await house.auditNotes().suffix(3).map(\.action) == ["maintenance.add", "maintenance.complete", "maintenance.complete"])
    }

    @Test("A completion repeated with the same idempotency key is recorded once")
    func twice() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let task = try await filter(in: house, by: owner)
        let call = IdempotencyKey(key: "tap", method: "POST", path: "/complete", body: Data())
        let first = try await house.hub.maintenance.complete(task.id, .init(), seen: .any, by: owner, call: call, origin: .house)
        house.clock.advance(by: 3600)
        let again = try await house.hub.maintenance.complete(task.id, .init(), seen: .any, by: owner, call: call, origin: .house)
        #expect(!first.isReplay && again.isReplay && first.1 == again.1 && first.0 == again.0)
        #expect(try await house.hub.maintenance.history(of: task.id, seenBy: owner).completions.count == 1)
    }

    @Test("A one-time task closes on completion and reopens with a new due date")
    func once() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let maintenance = house.hub.maintenance
        let task = try await add(.init(title: "Bleed the radiators"), by: owner, in: house)
        let (done, _, _) = try await maintenance.complete(task.id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        #expect(done.doneAt == house.clock.now && done.due == nil)
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) {
            _ = try await maintenance.complete(task.id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        }
        #expect(try await maintenance.all(seenBy: owner).tasks.isEmpty)
        var all = MaintenanceTasks.Filter()
        all.includesDone = true
        #expect(try await maintenance.all(all, seenBy: owner).tasks.map(\.id) == [task.id])
        let next = try day("2027-01-01")
        let open = try await maintenance.change(task.id, seen: .any, by: owner, origin: .house) { $0.dueOn = next }
        #expect(open.doneAt == nil && open.due?.on == next)
    }

    @Test("Due tasks are listed by date, overdue first, and filtered by room and device")
    func listing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (hub, maintenance) = (house.hub, house.hub.maintenance)
        let room = try await hub.rooms.add(.init(name: "Attic"), position: nil, by: owner, call: nil, origin: .house).0.id
        _ = try await hub.devices.edit("hall-light", .init(room: .room(room)), by: owner, origin: .house)
        try await add(.init(title: "Some time"), by: owner, in: house)
        try await add(.init(title: "Later", dueOn: try day("2027-03-01"), deviceID: "hall-light"), by: owner, in: house)
        try await add(.init(title: "Today, less", priority: .low, dueOn: try day("2026-11-21"), roomID: room), by: owner, in: house)
        try await add(.init(title: "Today", priority: .urgent, dueOn: try day("2026-11-21")), by: owner, in: house)
        try await add(.init(title: "Yesterday", dueOn: try day("2026-11-20")), by: owner, in: house)
        func titles(_ change: (inout MaintenanceTasks.Filter) throws -> Void = { _ in }) async throws -> [String] {
            var filter = MaintenanceTasks.Filter()
            try change(&filter)
            return try await maintenance.all(filter, seenBy: owner).tasks.map(\.title)
        }
        #expect(try await titles() == ["Yesterday", "Today", "Today, less", "Later", "Some time"])
        #expect(try await titles { $0.isOverdue = true } == ["Yesterday"])
        #expect(try await titles { $0.dueBefore = try day("2026-11-22") } == ["Yesterday", "Today", "Today, less"])
        #expect(try await titles { $0.roomID = room } == ["Today, less", "Later"])
        #expect(try await titles { $0.deviceID = "hall-light" } == ["Later"])
        // In Berlin the next day begins nine hours later.
        house.clock.advance(by: 9 * 3600)
        #expect(try await maintenance.all(seenBy: owner).today == day("2026-11-21").adding(days: 1))
        #expect(try await titles { $0.isOverdue = true } == ["Yesterday", "Today", "Today, less"])
    }

    @Test("Residents see tasks, only maintenance managers change them, and refusals are audited")
    func rights() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (admin, _) = try await house.resident("ada", role: "admin", by: owner)
        let (member, _) = try await house.resident("bea", role: "member", by: owner)
        let (nobody, _) = try await house.resident("cleo", role: "guest", by: owner)
        let maintenance = house.hub.maintenance
        let task = try await filter(in: house, by: admin)
        #expect(try await maintenance.one(task.id, seenBy: member) == task)
        #expect(try await maintenance.history(of: task.id, seenBy: member).completions.isEmpty)
        await #expect(throws: People.PersonError.self) { _ = try await maintenance.all(seenBy: nobody) }
        await #expect(throws: People.PersonError.self) { try await filter(in: house, by: member) }
        await #expect(throws: People.PersonError.self) {
            _ = try await maintenance.change(task.id, seen: .any, by: member, origin: .house) { $0.title = "Mine" }
        }
        await #expect(throws: People.PersonError.self) {
            _ = try await maintenance.complete(task.id, .init(), seen: .any, by: member, call: nil, origin: .house)
        }
        await #expect(throws: People.PersonError.self) { try await maintenance.remove(task.id, seen: .any, by: member, origin: .house) }
        let refused = try await house.auditNotes().filter { $0.result == "refused" }
        #expect(
            refused.map(\.action) == ["maintenance.add", "maintenance.change", "maintenance.complete", "maintenance.remove"]
                && refused.allSatisfy { $0.reason == .roleLacksRight && $0.id == member.personID })
    }

    @Test("A stale task change is rejected, and removing a task deletes its history")
    func versions() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let maintenance = house.hub.maintenance
        let task = try await filter(in: house, by: owner)
        let changed = try await maintenance.change(task.id, seen: .oneOf([1]), by: owner, origin: .house) {
            $0.title = "Change both filters"
            $0.deviceID = "hall-light"
            $0.notes = "In the cellar"
        }
        // The series continues: only its texts are new.
        #expect(
            changed.version == 2 && changed.due == task.due && changed.notifiedOn == task.notifiedOn && changed.deviceID == "hall-light")
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) {
            _ = try await maintenance.change(task.id, seen: .oneOf([1]), by: owner, origin: .house) { $0.title = "Mine" }
        }
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) {
            _ = try await maintenance.complete(task.id, .init(), seen: .oneOf([1]), by: owner, call: nil, origin: .house)
        }
        _ = try await maintenance.complete(task.id, .init(), seen: .oneOf([2]), by: owner, call: nil, origin: .house)
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) {
            try await maintenance.remove(task.id, seen: .oneOf([2]), by: owner, origin: .house)
        }
        try await maintenance.remove(task.id, seen: .oneOf([3]), by: owner, origin: .house)
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) { _ = try await maintenance.one(task.id, seenBy: owner) }
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) { _ = try await maintenance.history(of: task.id, seenBy: owner) }
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) {
            try await maintenance.remove(task.id, seen: .any, by: owner, origin: .house)
        }
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM maintenance_history") } == 0)
    }

    @Test("Invalid tasks and invalid completions are rejected")
    func refused() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let task = try await filter(in: house, by: owner)
        for draft in [
            MaintenanceTasks.Draft(title: " "), .init(title: "A", recurrence: .daily), .init(title: "A", dueOn: try day("1999-12-31")),
            .init(title: "A", dueOn: try day("2200-01-01")), .init(title: "A", deviceID: "cellar"), .init(title: "A", roomID: "nowhere"),
            .init(title: "A", notes: String(repeating: "a", count: 501)), .init(title: "A\u{202E}"),
        ] {
            await #expect(throws: MaintenanceTasks.MaintenanceError.self) { try await add(draft, by: owner, in: house) }
        }
        for done in [
            MaintenanceTasks.CompletionDraft(at: house.clock.now.addingTimeInterval(1)), .init(at: .distantPast),
            .init(serviceProvider: ""),
            .init(notes: "\u{7}"),
        ] {
            await #expect(throws: MaintenanceTasks.MaintenanceError.self) {
                _ = try await house.hub.maintenance.complete(task.id, done, seen: .any, by: owner, call: nil, origin: .house)
            }
        }
        #expect(try await house.hub.maintenance.one(task.id, seenBy: owner) == task)
    }

    @Test("Task and history limits are enforced")
    func full() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let task = try await filter(in: house, by: owner)
        try await house.store.write { db in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
                    INSERT INTO maintenance_history (task_id, completed_at) SELECT ?, i FROM n
                    """, arguments: [task.id])
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
                    INSERT INTO maintenance_tasks (id, title, category, priority, is_predictive, version, created_at, changed_at)
                    SELECT 'task_' || i, 'More', 'other', 'low', 0, 1, 0, 0 FROM n
                    """)
        }
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) { try await filter(in: house, by: owner) }
        await #expect(throws: MaintenanceTasks.MaintenanceError.self) {
            _ = try await house.hub.maintenance.complete(task.id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        }
    }

    @Test("The database refuses invalid tasks and changes to completed history")
    func invariants() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let task = try await filter(in: house, by: owner)
        _ = try await house.hub.maintenance.complete(task.id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        for sql in [
            "UPDATE maintenance_tasks SET due_on = '2026-02-30'", "UPDATE maintenance_tasks SET due_on = 'soon'",
            "UPDATE maintenance_tasks SET due_on = NULL", "UPDATE maintenance_tasks SET done_at = 1",
            "UPDATE maintenance_tasks SET due_on = '2020-01-01'", "UPDATE maintenance_tasks SET priority = 'most'",
            "UPDATE maintenance_tasks SET title = ''", "UPDATE maintenance_history SET completed_by = 'person_2'",
            "UPDATE maintenance_history SET completed_at = 1", "UPDATE maintenance_history SET notes = 'other'",
            "UPDATE maintenance_history SET cost_minor = 5, currency = 'EUR'",
            "INSERT INTO maintenance_history (task_id, completed_at, cost_minor) VALUES ('\(task.id)', 1, 5)",
            "INSERT INTO maintenance_history (task_id, completed_at, cost_minor, currency) VALUES ('\(task.id)', 1, 5, 'eur')",
            "INSERT INTO maintenance_history (task_id, completed_at, cost_minor, currency) VALUES ('\(task.id)', 1, -5, 'EUR')",
            "INSERT INTO maintenance_history (task_id, completed_at) VALUES ('nothing', 1)",
        ] {
            await #expect(throws: DatabaseError.self, "\(sql)") { try await house.store.write { try $0.execute(sql: sql) } }
        }
        try await house.store.write { try $0.execute(sql: "UPDATE maintenance_history SET completed_by = NULL") }
    }

    // MARK: Batteries

    private func reportBattery(_ percent: String, in house: TestHouse) async throws {
        try await house.hub.devices.report([EntityReport(entityID: "sensor.remote_battery", state: EntityState(percent))])
    }

    private func remote(_ percent: String, in house: TestHouse) async throws {
        let battery = Entity(
            id: "sensor.remote_battery", kind: .sensor, name: "Battery", deviceClass: "battery", unit: "%", verbs: [],
            state: EntityState(percent))
        try await house.hub.devices.announce(
            Device(
                id: "remote", name: "Remote", deviceClass: .sensor, integration: "scripted", status: .online,
                stateChangedAt: house.clock.now, entities: [battery]))
        // A device's state is unknown before its first report.
        try await reportBattery(percent, in: house)
    }

    @Test("A low battery creates one system task with a notification the next morning")
    func lowBattery() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await remote("21", in: house)
        let watch = house.hub.batteryMonitor
        try await watch.check()
        #expect(try await house.hub.maintenance.all(seenBy: owner).tasks.isEmpty)

        try await reportBattery("20", in: house)
        for _ in 0..<2 { try await watch.check() }
        let task = try #require(try await house.hub.maintenance.all(seenBy: owner).tasks.first)
        #expect(task.title == "Change the battery of Remote" && task.category == .battery && task.deviceID == "remote")
        #expect(try task.isPredictive && task.version == 1 && task.due?.on == day("2026-11-22") && task.due?.recurrence == nil)
        #expect(try await house.hub.maintenance.all(seenBy: owner).tasks.count == 1)
        let notes = try await house.auditNotes().filter { $0.action == "maintenance.add" }
        #expect(notes.count == 1 && notes.first?.kind == "system")
        _ = try await sendReminders(house)
        #expect(try await house.hub.notices.page(of: owner).notices.isEmpty)
        house.clock.advance(by: 86_400)
        _ = try await sendReminders(house)
        #expect(try await house.hub.notices.page(of: owner).notices.map(\.fact.text) == ["Change the battery of Remote is due."])
    }

    @Test("A battery task reappears a day after completion or removal if the battery is still low")
    func batteryAgain() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (maintenance, watch) = (house.hub.maintenance, house.hub.batteryMonitor)
        func open() async throws -> [String] { try await maintenance.all(seenBy: owner).tasks.map(\.id) }
        try await remote("5", in: house)
        try await watch.check()
        let id = try #require(try await open().first)

        _ = try await maintenance.complete(id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        house.clock.advance(by: 86_399)
        try await watch.check()
        #expect(try await open() == [])
        house.clock.advance(by: 1)
        try await watch.check()
        let again = try await maintenance.one(id, seenBy: owner)
        #expect(try await open() == [id] && again.version == 3)
        #expect(try again.due?.on == day("2026-11-23"))
        // Later a new one reports that it is full.
        _ = try await maintenance.complete(id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        try await reportBattery("100", in: house)
        house.clock.advance(by: 7 * 86_400)
        try await watch.check()
        #expect(try await open() == [])
        #expect(try await maintenance.history(of: id, seenBy: owner).completions.count == 2)
        // A year later it is low again; removed, it is gone for a day.
        try await reportBattery("12", in: house)
        try await watch.check()
        #expect(try await open() == [id])
        try await maintenance.remove(id, seen: .any, by: owner, origin: .house)
        try await watch.check()
        #expect(try await open() == [])
        house.clock.advance(by: 86_400)
        try await watch.check()
        #expect(try await open() == [id])
    }

    @Test("An existing battery task of a person prevents an automatic one")
    func ownBattery() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await remote("5", in: house)
        let task = try await add(.init(title: "CR2032", category: .battery, deviceID: "remote"), by: owner, in: house)

        try await house.hub.batteryMonitor.check()

        #expect(try await house.hub.maintenance.all(seenBy: owner).tasks == [task])
    }

    // MARK: Notifying

    /// Checks for due tasks and sends the notifications.
    private func sendReminders(_ house: TestHouse) async throws -> Date? {
        let next = try await house.hub.maintenanceReminder.sendReminders()
        try await house.hub.notificationDispatcher.planNotifications()
        return next
    }

    @Test("Maintenance managers are notified once at nine on the due date, in the house's time zone")
    func telling() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("bea", role: "member", by: owner)
        let task = try await filter(in: house, by: owner)
        func told(_ who: Principal) async throws -> [String?] { try await house.hub.notices.page(of: who).notices.map(\.fact.text) }

        // 30 November, 09:00 in Berlin.
        let nine = try Date("2026-11-30T08:00:00Z", strategy: .iso8601)
        #expect(try await sendReminders(house) == nine)
        house.clock.advance(by: nine.timeIntervalSince(house.clock.now) - 1)
        #expect(try await sendReminders(house) == nine)
        #expect(try await told(owner) == [])
        house.clock.advance(by: 1)
        #expect(try await sendReminders(house) == nil)
        let (mine, theirs) = (try await told(owner), try await told(member))
        #expect(mine == ["Change the filter is due."] && theirs == [])
        let notice = try #require(try await house.hub.notices.page(of: owner).notices.first)
        #expect(notice.kind == .maintenance && !notice.isQuiet && notice.eventID == nil && notice.commandID == nil)
        // Once per due date: not the next morning, not for changed texts, but for the next date.
        house.clock.advance(by: 86_400)
        _ = try await house.hub.maintenance.change(task.id, seen: .any, by: owner, origin: .house) { $0.title = "Change both filters" }
        _ = try await sendReminders(house)
        #expect(try await told(owner).count == 1)
        #expect(try await house.store.read { try NotificationPlanner.isStillOpen(notice, at: house.clock.now, $0) })
        _ = try await house.hub.maintenance.complete(task.id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        #expect(try await !house.store.read { try NotificationPlanner.isStillOpen(notice, at: house.clock.now, $0) })
        house.clock.advance(by: 30 * 86_400)
        _ = try await sendReminders(house)
        #expect(try await told(owner) == ["Change both filters is due.", "Change the filter is due."])
    }

    @Test("Tasks completed, postponed or removed before delivery, or created on their due date, send no notification")
    func notTold() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let maintenance = house.hub.maintenance
        let tasks = [
            try await filter(in: house, by: owner), try await filter(in: house, by: owner), try await filter(in: house, by: owner),
        ]
        _ = try await filter(in: house, by: owner, dueOn: "2026-11-21")
        house.clock.advance(by: 10 * 86_400)
        try await house.hub.maintenanceReminder.sendReminders()
        let later = try day("2026-12-24")
        _ = try await maintenance.complete(tasks[0].id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        _ = try await maintenance.change(tasks[1].id, seen: .any, by: owner, origin: .house) { $0.dueOn = later }
        try await maintenance.remove(tasks[2].id, seen: .any, by: owner, origin: .house)
        try await house.hub.notificationDispatcher.planNotifications()
        #expect(try await house.hub.notices.page(of: owner).notices.isEmpty)
    }

    @Test("Maintenance notifications wait for the end of quiet hours, and all of them are sent after an outage")
    func quiet() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let quiet = QuietHours(from: try #require(TimeOfDay("22:00")), to: try #require(TimeOfDay("11:30")))
        _ = try await house.hub.house.change(
            {
                var preferences = $0
                preferences.quietHours = quiet
                return preferences
            }, seen: .any, by: owner, origin: .house, at: house.clock.now)
        for _ in 0..<205 { try await filter(in: house, by: owner) }
        #expect(try await sendReminders(house)?.formatted(.iso8601) == "2026-11-30T10:30:00Z")
        house.clock.advance(by: 12 * 86_400)
        #expect(try await sendReminders(house) == nil)
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notices") } == 205)
    }

    @Test("The running hub sends due notifications and publishes task updates")
    func living() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let start = try await house.hub.journal.events(after: 0, limit: 500).through
            let task = try await filter(in: house, by: owner)
            house.clock.advance(by: 10 * 86_400)
            try await waitUntil { try await house.hub.notices.page(of: owner).notices.contains { $0.kind == .maintenance } }
            let events = try await house.hub.journal.events(after: start, limit: 500).events
            let told = events.compactMap { event in
                if case .maintenance(let id, let removed) = event.fact { "\(event.name.rawValue) \(id == task.id) \(removed)" } else { nil }
            }
            #expect(told == ["maintenance_update true false", "maintenance_update true false"])
        }
    }

    // MARK: Retention

    @Test("Maintenance history is kept forever unless the owner sets a retention")
    func kept() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let task = try await filter(in: house, by: owner)
        _ = try await house.hub.maintenance.complete(task.id, .init(), seen: .any, by: owner, call: nil, origin: .house)
        func count() async throws -> Int? {
            try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM maintenance_history") }
        }
        house.clock.advance(by: 20 * 365 * 86_400)
        try await house.hub.clock.trust(at: house.clock.now)
        try await house.hub.retentionSweep.run(at: house.clock.now)
        #expect(try await count() == 1)
        let parts = try await house.hub.personalDataOverview.parts(of: owner)
        #expect(parts.first { $0.purpose == .maintenance }?.retentionTexts == ["for good"])
        try await house.store.write { try RetentionRecords.setDays(3650, of: .maintenance, in: $0) }
        try await house.hub.retentionSweep.run(at: house.clock.now)
        #expect(try await count() == 0)
        #expect(try await house.hub.maintenance.one(task.id, seenBy: owner).version == 2)
    }
}
