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

@Suite("The house does things by itself", .timeLimit(.minutes(5)))
struct AutomationTests {
    private func id(_ principal: Principal) -> String { String(principal.key.dropFirst("person:".count)) }

    /// Reports a person's presence and runs the mind.
    private func setPresence(_ isHome: Bool, _ principal: Principal, in house: TestHouse) async throws {
        house.clock.advance(by: 10)
        _ = try await house.hub.people.setPresence(isHome: isHome, by: principal, origin: .house)
        await house.runMind()
    }

    private func runs(_ automation: Automation, in house: TestHouse) async throws -> [AutomationRun] {
        try await house.automations.history(of: automation.id).runs
    }

    @Test("When the last person leaves, the doors are locked and the author is notified; if one stays, they are not")
    func everybodyOut() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            for door in ["front-door", "back-door"] { _ = try await house.run(house.unlock(door, as: owner)) }
            await house.runMind()
            let automation = try await house.automation(
                AutomationDraft(
                    name: "Everybody out", triggers: [.presence(.lastLeaves)],
                    actions: [
                        house.locks("front-door"), house.locks("back-door"),
                        .notify(words: "Everybody has left. The doors are locked.", to: .owner),
                    ]), by: owner)
            let before = house.doorBackend.backendCommands.count
            try await setPresence(true, owner, in: house)
            try await setPresence(true, member, in: house)
            try await setPresence(false, member, in: house)
            #expect(house.doorBackend.backendCommands.count == before)

            try await setPresence(false, owner, in: house)

            #expect(house.doorBackend.backendCommands.dropFirst(before).map(\.deviceID) == ["front-door", "back-door"])
            #expect(["front-door", "back-door"].map { house.hub.devices.device($0)?.entities.first?.state.value } == ["locked", "locked"])
            try await house.hub.notificationDispatcher.planNotifications()
            #expect(
                try await house.hub.notices.page(of: owner).notices.map(\.fact.text) == ["Everybody has left. The doors are locked."])
            #expect(try await house.hub.notices.page(of: member).notices.isEmpty)
            let run = try #require(try await runs(automation, in: house).first)
            #expect(
                run.result == .ran && run.trigger == 0 && !run.isDry && run.outcomes.map(\.status) == ["confirmed", "confirmed", "told"])
            // It refers to the mind's memory: who left.
            let event = try await house.mind.eventStore.events(
                .init(kinds: [.presence], limit: 1), seenBy: RequesterVisibility(key: "test", seesEverybody: true)
            ).first
            #expect(run.event == event?.id && event?.actor == owner.key)
        }
    }

    @Test("If a door fails to lock, no notification of success is sent")
    func jammed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            house.doorBackend.set(.jams, at: "lock.back_door")
            let automation = try await house.automation(
                AutomationDraft(
                    name: "Out", triggers: [.presence(.lastLeaves)],
                    actions: [house.locks("front-door"), house.locks("back-door"), .notify(words: "Locked.", to: .residents)]), by: owner)
            await house.runMind()
            try await setPresence(false, owner, in: house)

            try await house.hub.notificationDispatcher.planNotifications()
            let told = try await house.hub.notices.page(of: owner).notices.first?.fact.text ?? ""
            #expect(told.hasPrefix("Locked. Not all of it was done: back-door"))
            #expect(try await runs(automation, in: house).first?.outcomes.map(\.status) == ["confirmed", "failed", "told"])
        }
    }

    // A run that waited for a door once kept another person's name, and stored it after that person's erasure.
    @Test("A run in progress during an erasure stores and sends no name of the erased person")
    func erasedMeanwhile() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (ada, _) = try await house.resident("ada", role: "member", by: owner)
            _ = try await house.hub.people.change(
                id(ada), .init(name: "Wilhelmina", role: nil, canInviteGuests: nil, disabled: nil), by: ada, origin: .house)
            house.doorBackend.set(.refuses("Wilhelmina has locked it from within"), at: "lock.front_door")
            house.doorBackend.set(.blocks, at: "lock.back_door")
            let automation = try await house.automation(
                AutomationDraft(
                    name: "Out", triggers: [.presence(.lastLeaves)],
                    actions: [
                        house.locks("front-door"), .notify(words: "First.", to: .owner), house.locks("back-door"),
                        .notify(words: "Locked.", to: .owner),
                    ]), by: owner)
            await house.runMind()
            house.clock.advance(by: 10)
            _ = try await house.hub.people.setPresence(isHome: false, by: owner, origin: .house)
            await house.mind.poll(isAsked: true)
            async let run: Void = house.automations.runPending()
            // The front door's event has been processed by then: the notification was sent.
            try await waitUntil { house.doorBackend.backendCommands.map(\.deviceID) == ["back-door"] }
            func said() async throws -> [String] {
                try await house.store.read { db in
                    try String.fetchAll(
                        db,
                        sql: """
                            SELECT opened(data, 'journal.data', seq) FROM journal
                            UNION ALL SELECT opened(outcomes, 'automation_runs.outcomes', number) FROM automation_runs
                            UNION ALL SELECT opened(reason, 'commands.reason', id) FROM commands WHERE reason IS NOT NULL
                            """)
                }
            }
            #expect(try await said().count { $0.contains("Wilhelmina has locked it") } == 3, "of the command twice, and to its owner")

            let job = try await house.hub.jobs.erase(id(ada), by: owner, origin: .house)
            try await waitUntil { try await house.hub.jobs.one(job.id, seenBy: owner).state == .done }
            house.doorBackend.set(.obeys, at: "lock.back_door")
            try await house.doorBackend.report("locked", at: "lock.back_door")
            await run

            #expect(try await !said().contains { $0.contains("Wilhelmina") })
            let outcomes = try #require(try await runs(automation, in: house).first).outcomes
            #expect(outcomes.map(\.status) == ["failed", "told", "confirmed", "told"])
            #expect(outcomes.map(\.reason) == ["turned_down", nil, nil, nil])
            try await house.hub.notificationDispatcher.planNotifications()
            let words = try await house.hub.notices.page(of: owner).notices.filter { $0.kind == .automation }.compactMap(\.fact.text)
            #expect(words.count == 1 && words.first?.contains("front-door (turned_down)") == true, "\(words)")
        }
    }

    @Test("Events before a restart or before an automation's creation do not trigger")
    func restart() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        let automation = try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let (owner, _) = try await house.claim()
            try await self.setPresence(true, owner, in: house)
            let automation = try await house.automation(
                AutomationDraft(name: "Out", triggers: [.presence(.lastLeaves)], actions: [house.lightOff]), by: owner)
            await house.runMind()
            clock.advance(by: 5)
            // Reported, and the power is cut before the house has processed it.
            _ = try await house.hub.people.setPresence(isHome: false, by: owner, origin: .house)
            return automation
        }
        clock.advance(by: 30)
        try await TestHouse.open(store: store, sealing: sealing, clock: clock) { house in
            let owner = Principal.person(id: automation.owner, sessionID: "")
            await house.runMind()
            #expect(house.doorBackend.backendCommands.isEmpty)
            #expect(try await self.runs(automation, in: house).isEmpty)

            try await self.setPresence(true, owner, in: house)
            try await self.setPresence(false, owner, in: house)
            #expect(house.doorBackend.backendCommands.map(\.deviceID) == ["hall-light"])
            await house.runMind()
            #expect(try await self.runs(automation, in: house).count == 1)
        }
    }

    @Test("A run reached too late is recorded as late and not executed")
    func late() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let automation = try await house.automation(
                AutomationDraft(name: "Out", triggers: [.presence(.lastLeaves)], actions: [house.lightOff]), by: owner)
            await house.runMind()
            house.clock.advance(by: 10)
            _ = try await house.hub.people.setPresence(isHome: false, by: owner, origin: .house)
            house.clock.advance(by: 600)
            await house.runMind()

            #expect(house.doorBackend.backendCommands.isEmpty)
            #expect(try await runs(automation, in: house).map(\.result) == [.late])
        }
    }

    @Test("An author without the right gets an audited refusal in the run; a removed author's automation is off")
    func owners() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ben", role: "admin", by: owner)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            let automation = try await house.automation(
                AutomationDraft(
                    name: "Welcome", triggers: [.presence(.firstArrives)],
                    actions: [.control(DeviceAction(deviceID: "back-door", verb: .unlock)), .notify(words: "Welcome.", to: .residents)]),
                by: admin)
            await house.runMind()
            _ = try await house.hub.people.change(
                id(admin), .init(name: nil, role: "member", canInviteGuests: nil, disabled: nil), by: owner, origin: .house)
            try await setPresence(true, owner, in: house)

            let run = try #require(try await runs(automation, in: house).first)
            #expect(run.result == .ran && run.outcomes.first?.status == "refused" && run.outcomes.first?.reason == "security_device")
            #expect(house.doorBackend.backendCommands.isEmpty)
            let entries = try await house.hub.activity.entries(.init(result: "refused"), seenBy: owner)
            #expect(entries.contains { $0.whoID == id(admin) && $0.action == "unlock" && $0.reason == "security_device" })
            // Its refusals were once filed as the owner's own actions: a refusal then triggered the refused automation, without end.
            await house.mind.poll(isAsked: true)
            let tried = try await house.mind.eventStore.events(
                .init(devices: ["back-door"], kinds: [.asked]), seenBy: RequesterVisibility(key: "test", seesEverybody: true))
            #expect(tried.map(\.actor) == ["automation:\(automation.id):\(id(admin))"])

            try await house.hub.people.remove(id(admin), by: owner, origin: .house)
            try await setPresence(false, owner, in: house)
            try await setPresence(true, owner, in: house)
            let off = try await house.automations.one(automation.id)
            #expect(!off.isOn && off.offBecause == .ownerLeft && off.version == 2)
            #expect(try await runs(automation, in: house).count == 1)
            let noted = try await house.hub.activity.entries(.init(limit: 100), seenBy: owner)
            #expect(noted.contains { $0.action == "automation.off" && $0.whoKind == "system" })

            // The person who enables it again becomes responsible for it.
            var draft = AutomationDraft(off)
            draft.isOn = true
            let mine = try await house.automations.replace(off.id, with: draft, seen: .any, by: house.author(owner))
            #expect(mine.isOn && mine.owner == id(owner) && mine.offBecause == nil)
        }
    }

    // An automation on a departed person's presence once stayed enabled, with their id in it, and never ran again.
    @Test("Triggers on a removed person are dropped; an automation without others is disabled with the reason")
    func leavers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (ben, _) = try await house.resident("ben", role: "member", by: owner)
            func add(_ name: String, _ triggers: [AutomationTrigger]) async throws -> Automation {
                try await house.automation(AutomationDraft(name: name, triggers: triggers, actions: [house.lightOff]), by: owner)
            }
            let both = try await add("Both", [.presence(.leaves(id(ben))), .presence(.leaves(id(owner)))])
            let his = try await add("His", [.presence(.arrives(id(ben)))])
            let mine = try await add("Mine", [.presence(.arrives(id(owner)))])
            await house.runMind()
            try await setPresence(true, ben, in: house)
            try await setPresence(false, ben, in: house)
            #expect(try await runs(both, in: house).map(\.trigger) == [0])

            try await house.hub.people.remove(id(ben), by: owner, origin: .house)

            let left = try await house.automations.one(both.id)
            #expect(left.isOn && left.triggers == [.presence(.leaves(id(owner)))] && left.version == 2)
            let off = try await house.automations.one(his.id)
            #expect(!off.isOn && off.offBecause == .personLeft && off.triggers.isEmpty && off.owner == id(owner))
            #expect(try await house.automations.one(mine.id).version == 1)
            let noted = try await house.hub.activity.entries(.init(limit: 100), seenBy: owner)
            #expect(noted.count { $0.action == "automation.off" && $0.whoKind == "system" } == 1)
            // The cause of an earlier run is not taken for a cause of its replacement.
            #expect(try await runs(both, in: house).map(\.trigger) == [nil])

            // The mind uses it from its next poll on.
            try await setPresence(true, owner, in: house)
            try await setPresence(false, owner, in: house)
            #expect(try await runs(both, in: house).map(\.trigger) == [0, nil])
            #expect(try await runs(his, in: house).count == 1)

            // Enabled, it needs a trigger.
            let author = try await house.author(owner)
            func switchedOn(_ triggers: [AutomationTrigger]) async throws -> Automation {
                var draft = AutomationDraft(off)
                (draft.isOn, draft.triggers) = (true, triggers)
                return try await house.automations.replace(off.id, with: draft, seen: .any, by: author)
            }
            await #expect(throws: Automations.AutomationServiceError.self) { try await switchedOn([]) }
            let again = try await switchedOn([.presence(.firstArrives)])
            #expect(again.isOn && again.offBecause == nil)
        }
    }

    // The disk without the key once revealed the automations.
    @Test("Automations are sealed in the database and sorted by name; one with unreadable conditions does not run")
    func sealed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            var kept: [Automation] = []
            for name in ["Quillfeather", "quarter to nine", "Away"] {
                let draft = AutomationDraft(
                    name: name, triggers: [.presence(.lastLeaves)], conditions: [.weekdays(Set(Weekday.allCases))],
                    actions: [house.lightOff, .notify(words: "\(name), and out", to: .owner)])
                kept.append(try await house.automation(draft, by: owner))
            }
            let lying = try await house.store.read { db in
                try String.fetchAll(
                    db, sql: "SELECT name FROM automations UNION ALL SELECT triggers || conditions || actions FROM automations")
            }
            #expect(lying.count == 6 && !lying.contains { $0.contains("{") || $0.contains("Quillfeather") || $0 == "Away" })
            #expect(try await house.automations.all().map(\.name) == ["Away", "quarter to nine", "Quillfeather"])
            let (read, damaged) = (try #require(try await house.automations.all().last), try #require(kept.first))
            #expect(AutomationDraft(read) == AutomationDraft(damaged))

            try await house.store.write { [id = damaged.id] db in
                try db.execute(sql: "UPDATE automations SET conditions = char(1) || 'AAAA' WHERE id = ?", arguments: [id])
            }
            await house.runMind()
            try await setPresence(true, owner, in: house)
            try await setPresence(false, owner, in: house)

            #expect(try await runs(damaged, in: house).isEmpty)
            for other in kept.dropFirst() { #expect(try await runs(other, in: house).map(\.result) == [.ran]) }
            let told = try await house.automations.one(damaged.id)
            #expect(!told.isOn && told.name == "Quillfeather" && told.triggers.isEmpty && told.actions.isEmpty)
        }
    }

    @Test("Disabling another's automation keeps its owner; editing it transfers ownership")
    func anothers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ben", role: "admin", by: owner)
            let automation = try await house.automation(
                AutomationDraft(name: "Out", triggers: [.presence(.lastLeaves)], actions: [house.lightOff]), by: owner)
            let ben = try await house.author(admin)
            func replace(_ change: (inout AutomationDraft) -> Void, seen: ExpectedVersion = .any) async throws -> Automation {
                var draft = AutomationDraft(try await house.automations.one(automation.id))
                change(&draft)
                return try await house.automations.replace(automation.id, with: draft, seen: seen, by: ben)
            }

            let off = try await replace { $0.isOn = false }
            #expect(!off.isOn && off.owner == id(owner) && off.version == 2)
            let changed = try await replace { $0.name = "Everybody out" }
            #expect(changed.owner == id(admin) && changed.version == 3)
            await #expect(throws: Automations.AutomationServiceError.self) { try await replace({ $0.name = "No" }, seen: .oneOf([2])) }
        }
    }

    @Test("Time, duration, threshold and refusal triggers fire once each in a poll")
    func triggers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let light = AutomationAction.control(DeviceAction(deviceID: "hall-light", verb: .on))
            func add(_ name: String, _ trigger: AutomationTrigger) async throws -> Automation {
                try await house.automation(AutomationDraft(name: name, triggers: [trigger], actions: [light]), by: owner)
            }
            // It is 15:00 in the house.
            let time = try await add("Time", .time(at: try #require(TimeOfDay("15:30")), weekdays: [.sat]))
            let open = try await add("Open", .state(entityID: "lock.front_door", to: "unlocked", seconds: 300))
            let hot = try await add("Hot", .number(entityID: "sensor.hall", .above(25)))
            let refused = try await add("Refused", .refused(deviceID: nil))
            let gone = try await add("Gone", .offline(deviceID: "hall-sensor"))
            await house.runMind()
            #expect(house.automations.nextDeadline(before: .distantFuture) != nil)

            house.clock.advance(by: 60)
            _ = try await house.run(house.unlock(as: owner))
            await house.runMind()
            house.clock.advance(by: 60)
            try await house.doorBackend.report("26", at: "sensor.hall")
            await house.runMind()
            let (guest, _, _) = try await house.guest(house.draft(uses: 1), by: owner)
            _ = try await house.run(house.open(as: guest))
            house.clock.advance(by: 10)
            await #expect(throws: CommandRefusal.self) { try await house.run(house.open(as: guest)) }
            try await house.hub.devices.reportAvailability(.offline, deviceIDs: ["hall-sensor"])
            await house.runMind()
            // The pass unlocked an unlocked door: the unchanged state is not an event.
            house.clock.advance(by: 240)
            await house.runMind()
            house.clock.advance(by: 1430)
            await house.runMind()

            for automation in [time, open, hot, refused, gone] {
                #expect(try await runs(automation, in: house).map(\.result) == [.ran], "\(automation.name)")
            }
        }
    }

    @Test("Two automations that trigger each other are stopped, and the loop is recorded")
    func loops() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            func when(_ state: String, _ verb: Verb) async throws -> Automation {
                try await house.automation(
                    AutomationDraft(
                        name: state, triggers: [.state(entityID: "lock.front_door", to: state, seconds: 0)],
                        actions: [.control(DeviceAction(deviceID: "front-door", verb: verb))]), by: owner)
            }
            let (lock, unlock) = (try await when("unlocked", .lock), try await when("locked", .unlock))
            await house.runMind()
            house.clock.advance(by: 10)
            _ = try await house.run(house.unlock(as: owner))
            for _ in 0..<12 {
                await house.runMind()
                house.clock.advance(by: 10)
            }

            let all = try await runs(lock, in: house) + runs(unlock, in: house)
            #expect(all.count { $0.result == .ran } == 2 && all.count { $0.result == .loop } == 1)
            #expect(house.doorBackend.backendCommands.count == 3)
        }
    }

    @Test("An automation that runs too often is paused, and its owner is notified")
    func tooOften() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let automation = try await house.automation(
                AutomationDraft(
                    name: "Restless", triggers: [.state(entityID: "lock.front_door", to: "unlocked", seconds: 0)],
                    actions: [.notify(words: "Open.", to: .owner)]), by: owner)
            await house.runMind()
            for turn in 0..<140 {
                house.clock.advance(by: 6)
                try await house.doorBackend.report(turn.isMultiple(of: 2) ? "unlocked" : "locked", at: "lock.front_door")
                await house.runMind()
            }

            let all = try await house.automations.history(of: automation.id, limit: 200).runs
            #expect(all.count == 61 && all.first?.result == .tooOften)
            try await house.hub.notificationDispatcher.planNotifications()
            let told = try await house.hub.notices.page(limit: 100, of: owner).notices.compactMap(\.fact.text)
            #expect(told.count { $0 == "Open." } == 60 && told.contains { $0.hasPrefix("Restless has run 60 times within an hour") })
        }
    }

    @Test("With an unknown door state the actions do not run, and the run names the door")
    func notKnown() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let door = AutomationCondition.state(entityID: "lock.front_door", value: "locked")
            var automations: [Automation] = []
            for condition in [door, .not(door)] {
                automations.append(
                    try await house.automation(
                        AutomationDraft(
                            name: "Out \(automations.count)", triggers: [.presence(.lastLeaves)], conditions: [condition],
                            actions: [house.locks("back-door")]), by: owner))
            }
            try await house.doorBackend.report("locked", at: "lock.front_door")
            await house.runMind()
            house.clock.advance(by: 10)
            try await house.doorBackend.report("unavailable", at: "lock.front_door")
            await house.runMind()
            try await setPresence(true, owner, in: house)
            try await setPresence(false, owner, in: house)

            for automation in automations {
                let all = try await runs(automation, in: house)
                #expect(all.map(\.result) == [.notKnown] && all.first?.unknown == ["lock.front_door"] && all.first?.outcomes == [])
            }
            #expect(house.doorBackend.backendCommands.isEmpty)

            house.clock.advance(by: 10)
            try await house.doorBackend.report("locked", at: "lock.front_door")
            await house.runMind()
            try await setPresence(true, owner, in: house)
            try await setPresence(false, owner, in: house)
            #expect(try await runs(automations[0], in: house).map(\.result) == [.ran, .notKnown])
            #expect(try await runs(automations[1], in: house).map(\.result) == [.notKnown])
        }
    }

    @Test("Automations with unknown references, invalid conditions or over the limit are rejected")
    func limits() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            func problem(_ triggers: [AutomationTrigger], if conditions: [AutomationCondition] = []) async throws -> String? {
                do {
                    try await house.automation(
                        AutomationDraft(name: "x", triggers: triggers, conditions: conditions, actions: [house.lightOff]), by: owner)
                    return nil
                } catch Automations.AutomationServiceError.field(let problem) { return problem.field }
            }
            #expect(try await problem([.state(entityID: "lock.cellar", to: "x", seconds: 0)]) == "triggers.0.entity_id")
            #expect(try await problem([.presence(.lastLeaves), .offline(deviceID: "cellar")]) == "triggers.1.device_id")
            #expect(try await problem([.refused(deviceID: "cellar")]) == "triggers.0.device_id")
            #expect(try await problem([.presence(.arrives("nobody"))]) == "triggers.0.person_id")
            #expect(
                try await problem([.presence(.lastLeaves)], if: [.not(.state(entityID: "lock.cellar", value: "locked"))]) == "conditions.0")
            let doors = ["lock.front_door", "lock.back_door"].map { AutomationCondition.state(entityID: $0, value: "locked") }
            #expect(try await problem([.presence(.lastLeaves)], if: [.independent(doors)]) == "conditions.0")
            #expect(try await problem([.presence(.lastLeaves)], if: [.independent([doors[0]])]) == "conditions.0.conditions")
            let timed = AutomationCondition.independent([doors[0], .weekdays([.mon])])
            #expect(try await problem([.presence(.lastLeaves)], if: [timed]) == "conditions.0.conditions.1")
            #expect(try await problem([]) == "triggers")
            #expect(try await problem([.presence(.lastLeaves)], if: [.independent([doors[0], .home(anybody: false)])]) == nil)
            for _ in 1..<Automation.limit { #expect(try await problem([.presence(.lastLeaves)]) == nil) }
            await #expect(throws: Automations.AutomationServiceError.self) { try await problem([.presence(.lastLeaves)]) }
            #expect(try await house.automations.all().count == Automation.limit)
        }
    }

    @Test("A dry run over past events executes nothing and matches the real runs")
    func trial() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let automation = try await house.automation(
                AutomationDraft(
                    name: "Out", triggers: [.presence(.lastLeaves), .state(entityID: "lock.back_door", to: "unlocked", seconds: 60)],
                    conditions: [.not(.state(entityID: "lock.front_door", value: "jammed"))], actions: [house.locks("front-door")]),
                by: owner)
            await house.runMind()
            var dice = SeededGenerator.forTest(1)
            for _ in 0..<120 {
                house.clock.advance(by: 30)
                switch Int.random(in: 0..<4, using: &dice) {
                case 0: _ = try await house.hub.people.setPresence(isHome: Bool.random(using: &dice), by: owner, origin: .house)
                case 1: try await house.doorBackend.report(Bool.random(using: &dice) ? "unlocked" : "locked", at: "lock.back_door")
                case 2: try await house.doorBackend.report(Bool.random(using: &dice) ? "jammed" : "unlocked", at: "lock.front_door")
                default: break
                }
                await house.runMind()
            }
            house.clock.advance(by: 90)
            await house.runMind()
            let (lived, backendCommands) = (
                try await house.automations.history(of: automation.id, limit: 200).runs, house.doorBackend.backendCommands.count
            )

            let visibility = RequesterVisibility(key: owner.key, seesEverybody: true, seesGuests: true)
            let trial = try await house.automations.dryRun(automation.id, days: 30, seenBy: visibility)

            #expect(
                trial.runs.map(\.at) == lived.reversed().map(\.at) && trial.runs.map(\.event) == lived.reversed().map(\.event),
                "seed \(dice.seed)")
            #expect(
                !trial.runs.isEmpty && trial.runs.allSatisfy { $0.isDry && $0.outcomes.allSatisfy { $0.status == "would" } },
                "seed \(dice.seed)")
            await house.runMind()
            #expect(house.doorBackend.backendCommands.count == backendCommands)
            let noted = try await house.automations.history(of: automation.id, limit: 1)
            #expect(noted.runs.first?.result == .tried && noted.runs.first?.isDry == true && noted.hasMore)
            await #expect(throws: Automations.AutomationServiceError.self) {
                try await house.automations.dryRun(automation.id, days: 31, seenBy: visibility)
            }
        }
    }

    @Test("A dry run covers thirty busy days completely")
    func busyMonth() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let automation = try await house.automation(
                AutomationDraft(
                    name: "Out",
                    triggers: [.presence(.lastLeaves), .time(at: try #require(TimeOfDay("22:00")), weekdays: Set(Weekday.allCases))],
                    conditions: [.state(entityID: "lock.front_door", value: "unlocked")], actions: [house.locks("front-door")]), by: owner)
            let start = house.clock.now.addingTimeInterval(-30 * 86_400)
            let past = (0..<30_000).map { place -> ReportedHouseEvent in
                let at = start.addingTimeInterval(Double(place) * 86)
                let event =
                    place.isMultiple(of: 3)
                    ? HouseEvent(id: "", at: at, actor: owner.key, fact: .presence(isHome: place.isMultiple(of: 2)))
                    : HouseEvent(
                        id: "", at: at, deviceID: "front-door", entityID: "lock.front_door",
                        fact: .state(place.isMultiple(of: 7) ? "locked" : "unlocked"))
                return ReportedHouseEvent(event, source: "line:\(place)")
            }
            _ = try await house.mind.eventStore.importEvents(past)
            let trial = try await house.automations.dryRun(
                automation.id, days: 30, seenBy: RequesterVisibility(key: owner.key, seesEverybody: true))

            #expect(trial.evidenceCount > 10_000 && trial.runs.count > 1000)
        }
    }
}
