import CardeaModel
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Automations as principals", .timeLimit(.minutes(5)))
struct AutomationGatewayTests {
    private func out(_ actions: AutomationAction...) -> AutomationDraft {
        AutomationDraft(name: "Out", triggers: [.presence(.lastLeaves)], actions: actions)
    }

    private func person(_ principal: Principal) throws -> String { try principal.asPerson().id }

    private func asked(_ outcomes: [AutomationGateway.ActionResult]) -> [String] {
        outcomes.map { one in
            switch one.status {
            case .command(let command): command.status.rawValue
            case .refused(let refusal): refusal.auditReasonName ?? "none"
            }
        }
    }

    @Test("An automation principal has a key naming its owner, and no session")
    func name() throws {
        let principal = Principal.automation(id: "automation_1", personID: "person_1")

        #expect(principal.key == "automation:automation_1:person_1" && Principal(key: principal.key) == principal)
        #expect(principal.grantID == "automation:automation_1" && principal.personID == nil)
        #expect(throws: People.PersonError.self) { try principal.asPerson() }
    }

    @Test("An automation operates what its owner may; the audit names the owner as actor and the automation as grant")
    func trail() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let id = try await house.automation(out(house.locks("front-door")), by: owner).id
            let (who, sink) = (try person(owner), house.hub.automationGateway)

            let asked = try await sink.submit(DeviceAction(deviceID: "front-door", verb: .lock), as: who, of: id)
            guard case .command(let command)? = asked.first?.status else {
                Issue.record("not taken on")
                return
            }
            let ended = try await sink.outcome(of: command.id)

            #expect(ended?.status == .confirmed && asked.first?.deviceID == "front-door" && asked.first?.verb == .lock)
            #expect(
                house.doorBackend.backendCommands.count == 1 && command.principal == "automation:\(id):\(who)"
                    && command.grantID == "automation:\(id)")
            let notes = try await house.auditNotes().filter { $0.action == "lock" }
            #expect(notes.map(\.result) == ["allowed", "confirmed"])
            #expect(
                notes.allSatisfy {
                    $0.kind == "person" && $0.id == who && $0.grantID == "automation:\(id)" && $0.subject(besides: $0.actor) == nil
                })
            #expect(try await house.auditBreak() == nil)
            #expect(try await sink.outcome(of: "cmd_nobodys") == nil)
        }
    }

    @Test(
        "An automation loses rights when its owner loses them, is disabled or removed, or when it is turned off"
    )
    func rights() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ben", role: "admin", by: owner)
            let who = try person(admin)
            let opening = AutomationAction.control(DeviceAction(deviceID: "back-door", verb: .unlock))
            let automation = try await house.automation(out(opening), by: admin)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            func tried() async throws -> [String] {
                let asked = try await house.hub.automationGateway.submit(
                    DeviceAction(deviceID: "back-door", verb: .unlock), as: who, of: automation.id)
                if case .command(let command)? = asked.first?.status { _ = try await house.hub.commands.outcome(of: command) }
                return self.asked(asked)
            }
            func change(_ change: People.Change) async throws {
                _ = try await house.hub.people.change(who, change, by: owner, origin: .house)
            }
            #expect(try await tried() == ["dispatching"])

            try await change(.init(name: nil, role: "member", canInviteGuests: nil, disabled: nil))
            #expect(try await tried() == ["security_device"])
            try await change(.init(name: nil, role: "guest", canInviteGuests: nil, disabled: nil))
            #expect(try await tried() == ["role_lacks_right"])
            try await change(.init(name: nil, role: "admin", canInviteGuests: nil, disabled: true))
            #expect(try await tried() == ["no_grant"])
            try await house.hub.people.remove(who, by: owner, origin: .house)
            #expect(try await tried() == ["no_grant"])

            #expect(house.doorBackend.backendCommands.count == 1)
            let refused = try await house.auditNotes().filter { $0.action == "unlock" && $0.result == "refused" }
            #expect(refused.map(\.reason) == [.securityDevice, .roleLacksRight, .noGrant, .noGrant])
            #expect(refused.allSatisfy { $0.grantID == "automation:\(automation.id)" && $0.id == who })
        }
    }

    @Test("A disabled, foreign or unknown automation has no grant")
    func off() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ben", role: "admin", by: owner)
            var draft = out(house.lightOff)
            draft.isOn = false
            let id = try await house.automation(draft, by: owner).id
            let light = DeviceAction(deviceID: "hall-light", verb: .off)

            #expect(asked(try await house.hub.automationGateway.submit(light, as: try person(owner), of: id)) == ["no_grant"])
            let mine = try await house.automation(out(house.lightOff), by: owner).id
            #expect(asked(try await house.hub.automationGateway.submit(light, as: try person(admin), of: mine)) == ["no_grant"])
            #expect(asked(try await house.hub.automationGateway.submit(light, as: try person(owner), of: "nobodys")) == ["no_grant"])
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("An automation runs the scene's current actions with its owner's rights")
    func scenes() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let items = [
                CommandBatches.Item(deviceID: "front-door", action: "lock"), CommandBatches.Item(deviceID: "hall-light", action: "off"),
            ]
            let scene = try await house.hub.scenes.add(
                .init(name: "Night", icon: nil, actions: items), by: owner, call: nil, origin: .house
            ).0
            let id = try await house.automation(out(.scene(id: scene.id)), by: owner).id
            let (who, sink) = (try person(owner), house.hub.automationGateway)

            let asked = try #require(try await sink.submit(scene: scene.id, as: who, of: id))
            for one in asked { if case .command(let command) = one.status { _ = try await house.hub.commands.outcome(of: command) } }

            #expect(Set(house.doorBackend.backendCommands.map(\.deviceID)) == ["front-door", "hall-light"])
            #expect(try await sink.submit(scene: "nobodys", as: who, of: id) == nil)
        }
    }

    @Test("A person cannot create automation actions beyond their own rights, and refusals are audited")
    func objections() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            let (guest, _) = try await house.resident("cy", role: "guest", by: owner)
            _ = try await house.hub.devices.edit("back-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            let scene = try await house.hub.scenes.add(
                .init(name: "Open", icon: nil, actions: [.init(deviceID: "back-door", action: "unlock")]), by: owner, call: nil,
                origin: .house
            ).0
            let sink = house.hub.automationGateway
            let kitchen = RequestOrigin(remote: "192.168.1.20", isLocal: true, requestID: nil)
            func objection(_ actions: AutomationAction..., by who: Principal) async throws -> AutomationGateway.ActionRefusal? {
                try await sink.firstRefusal(to: actions, by: who, origin: kitchen)
            }
            let (bea, ada) = (member, owner)
            let opening = AutomationAction.control(DeviceAction(deviceID: "back-door", verb: .unlock))

            #expect(try await objection(house.lightOff, .notify(words: "x", to: .owner), .scene(id: scene.id), by: ada) == nil)
            #expect(try await objection(house.lightOff, opening, by: bea) == .init(place: 1, refusal: .gate(.securityDevice)))
            #expect(try await objection(.scene(id: scene.id), by: bea) == .init(place: 0, refusal: .gate(.securityDevice)))
            #expect(try await objection(.scene(id: "nobodys"), by: ada) == .init(place: 0, refusal: .deviceNotFound))
            #expect(
                try await objection(.control(DeviceAction(deviceID: "cellar", verb: .on)), by: ada)
                    == .init(place: 0, refusal: .deviceNotFound))
            #expect(
                try await objection(.control(DeviceAction(deviceID: "hall-light", verb: .lock)), by: ada)
                    == .init(place: 0, refusal: .unsupported(.lock)))
            #expect(
                try await objection(.notify(words: "x", to: .owner), by: guest)
                    == .init(place: 0, refusal: .gate(.roleLacksRight)))
            #expect(
                try await objection(house.lightOff, by: .person(id: "nobody", sessionID: "")) == .init(place: 0, refusal: .gate(.noGrant)))
            let refused = try await house.auditNotes().filter { $0.action == "automation.write" }
            #expect(refused.map(\.reason) == [.securityDevice, .securityDevice, .roleLacksRight, .noGrant])
            #expect(refused.allSatisfy { $0.result == "refused" && $0.remote == "192.168.1.20" })
            #expect(refused.map(\.deviceID) == ["back-door", "back-door", nil, nil])
        }
    }

    @Test("Automation messages reach the owner or all residents once per occasion, and none if the owner lost the right")
    func telling() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("ben", role: "admin", by: owner)
            let who = try person(admin)
            let automation = try await house.automation(out(house.lightOff), by: admin)
            let sink = house.hub.automationGateway
            func told(_ principal: Principal) async throws -> [String?] {
                try await house.hub.notificationDispatcher.planNotifications()
                return try await house.hub.notices.page(of: principal).notices.map(\.fact.text)
            }

            for _ in 0..<2 {
                let refusal = try await sink.notify({ _ in "Mine" }, toEverybody: false, as: who, of: automation.id, occasion: "1")
                #expect(refusal == nil)
            }
            let first = (try await told(admin), try await told(owner))
            #expect(first.0 == ["Mine"] && first.1 == [])
            #expect(try await sink.notify({ _ in "Ours" }, toEverybody: true, as: who, of: automation.id, occasion: "2") == nil)
            let (mine, ours) = (try await told(admin), try await told(owner))
            #expect(Set(mine) == ["Ours", "Mine"] && ours == ["Ours"])
            #expect(try await house.hub.notices.page(of: owner).notices.first?.kind == .automation)

            _ = try await house.hub.people.change(
                who, .init(name: nil, role: "guest", canInviteGuests: nil, disabled: nil), by: owner, origin: .house)
            #expect(try await sink.notify({ _ in "No" }, toEverybody: true, as: who, of: automation.id, occasion: "3") == .roleLacksRight)
            #expect(try await sink.notify({ _ in "No" }, toEverybody: true, as: who, of: "nobodys", occasion: "4") == .noGrant)
            #expect(try await told(owner) == ["Ours"])
            let notes = try await house.auditNotes().filter { $0.action == "automation.tell" }
            #expect(notes.map(\.result) == ["done", "done", "done", "refused", "refused"])
            #expect(notes.allSatisfy { $0.id == who })
        }
    }

    @Test("Automation changes are visible to people who may change the house, and not to members")
    func news() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            let start = try await house.hub.journal.events(after: 0, limit: 500).through
            try await house.automation(out(house.lightOff), by: owner)
            let events = try await house.hub.journal.events(after: start, limit: 500).events
            func told(_ principal: Principal) async throws -> Int {
                let viewer = try #require(try await house.hub.visibilityFilter.visibility(of: principal, isLocal: true))
                return events.compactMap(viewer.filtered).count {
                    if case .mind(let news) = $0.fact { news.part == .automation } else { false }
                }
            }
            #expect(try await told(owner) == 1)
            #expect(try await told(member) == 0)
        }
    }

    @Test("An automation principal sees nothing and cannot manage people, approve commands or step up")
    func beyond() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let who = try person(owner)
            let principal = Principal.automation(id: try await house.automation(out(house.lightOff), by: owner).id, personID: who)

            #expect(try await house.hub.visibilityFilter.visibility(of: principal, isLocal: true) == nil)
            await #expect(throws: People.PersonError.self) {
                try await house.hub.people.invite(name: "Eve", role: "owner", by: principal, call: nil, origin: .house)
            }
            await #expect(throws: People.PersonError.self) {
                try await house.hub.people.setPresence(isHome: true, by: principal, origin: .house)
            }
            await #expect(throws: (any Error).self) {
                try await house.store.read { try Sessions.requireStepUp(principal, at: house.clock.now, in: $0) }
            }
            let (door, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let command = try await house.submit(house.open(as: door))
            await #expect(throws: People.PersonError.self) {
                try await house.hub.commands.decide(command.id, approve: true, by: principal, origin: .house)
            }
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test(
        "Presence is stored with its time, repeats publish nothing, and removed people lose it")
    func presence() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("bea", role: "member", by: owner)
            let (guest, _) = try await house.resident("cy", role: "guest", by: owner)
            let started = house.clock.now

            let first = try await house.hub.people.setPresence(isHome: true, by: member, origin: .house)
            house.clock.advance(by: 60)
            let again = try await house.hub.people.setPresence(isHome: true, by: member, origin: .house)
            let away = try await house.hub.people.setPresence(isHome: false, by: member, origin: .house)

            #expect(first.presence == Person.Presence(isHome: true, since: started) && again.presence == first.presence)
            #expect(away.presence == Person.Presence(isHome: false, since: started.addingTimeInterval(60)))
            #expect(try await house.hub.people.person(try person(member))?.presence == away.presence)
            #expect(try await house.hub.people.person(try person(owner))?.presence == nil)
            await #expect(throws: People.PersonError.self) {
                try await house.hub.people.setPresence(isHome: true, by: guest, origin: .house)
            }
            let notes = try await house.auditNotes().filter { $0.action == "people.presence" }
            #expect(notes.map(\.result) == ["done", "done", "refused"])
            let told = try await house.hub.mindFeed.read { [insight = house.hub.mindFeed] in
                try insight.journalEvents(after: 0, limit: 500, in: $0)
            }.occurrences.compactMap { one -> Bool? in
                if case .presence(let id, let isHome) = one.fact, id == (try? person(member)) { isHome } else { nil }
            }
            #expect(told == [true, false])
            try await house.hub.people.remove(try person(member), by: owner, origin: .house)
            let kept = try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM people WHERE is_home IS NOT NULL") }
            #expect(kept == 0)
        }
    }
}
