import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("Refused writes are audited", .timeLimit(.minutes(10)))
struct AuditedWriteTests {
    /// An integration that can be set up, and never is.
    private struct Broker: IntegrationFactory {
        struct Never: Error {}
        let integration = "mqtt"

        func make(settings: Data, sink: any DeviceSink) throws -> any RunningIntegration { throw Never() }
        func server(_ settings: Data) -> String? { String(decoding: settings, as: UTF8.self) }
        func redacted(_ settings: Data) -> [String: JSONValue] { [:] }
    }

    /// The newest entry, in one line.
    private func newest(_ house: TestHouse, seenBy person: Principal) async throws -> String {
        let entry = try #require(try await house.hub.activity.entries(.init(), seenBy: person).first)
        return [entry.whoName, entry.action, entry.deviceID, entry.result, entry.reason].compactMap { $0 }.joined(separator: " ")
    }

    @Test("Every write a member's role forbids is audited with the person and the reason")
    func roles() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (_, guest, _) = try await house.guest(house.draft(), by: owner)
        guard case .person(let id, _) = owner else { return }
        house.hub.integrations.register(Broker())
        let (guests, people) = (house.hub.guests, house.hub.people)
        let change = People.Change(name: nil, role: "member", canInviteGuests: nil, disabled: nil)
        let tries: [(action: String, what: () async throws -> Void)] = [
            ("guest.invite", { _ = try await guests.invite(house.draft(), by: member, call: nil, origin: .house) }),
            ("guest.new_code", { _ = try await guests.newCode(for: guest, by: member, origin: .house) }),
            ("guest.revoke", { _ = try await guests.revokeAll(by: member, origin: .house) }),
            ("people.invite", { _ = try await people.invite(name: "New", role: "member", by: member, call: nil, origin: .house) }),
            ("people.invite", { _ = try await people.renewInvitation(id, by: member, origin: .house) }),
            ("people.change", { _ = try await people.change(id, change, by: member, origin: .house) }),
            ("people.remove", { try await people.remove(id, by: member, origin: .house) }),
            ("command.approve", { _ = try await house.hub.commands.decide("cmd_nobody", approve: true, by: member, origin: .house) }),
            ("integration.mqtt", { try await house.hub.integrations.disconnect("mqtt", by: member, origin: .house) }),
        ]
        let decisions = Guests.Decision.allCases.map { decision in
            (action: "guest.\(decision)", what: { _ = try await guests.decide(decision, guest, by: member, origin: .house) })
        }
        var count = try await house.hub.activity.entries(.init(limit: 500), seenBy: owner).count

        for (action, what) in tries + decisions {
            let error = await #expect(throws: (any Error).self, "\(action)") { try await what() }
            #expect((error as? any RefusalError)?.refusalReason?.rawValue == "role_lacks_right", "\(action)")
            count += 1
            #expect(try await newest(house, seenBy: owner) == "member \(action) refused role_lacks_right")
            #expect(try await house.hub.activity.entries(.init(limit: 500), seenBy: owner).count == count)
        }
        // The refused person sees their refusal.
        #expect(try await newest(house, seenBy: member) == "member guest.revoke refused role_lacks_right")
        #expect(try await guests.one(guest, seenBy: owner).guest.status(at: house.clock.now) == .active)
    }

    @Test("Refused reissues and approvals are listed in the pass history, and the request stays pending")
    func handingOn() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            guard case .person(let id, _) = member else { return }
            _ = try await house.hub.people.change(
                id, .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: owner, origin: .house)
            let (guest, pass, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            guard case .command(let asked, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }
            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)

            await #expect(throws: Guests.GuestError.self) { try await house.hub.guests.newCode(for: pass, by: member, origin: .house) }
            await #expect(throws: Commands.ApprovalError.self) {
                try await house.hub.commands.decide(asked.id, approve: true, by: member, origin: .house)
            }

            #expect(try await newest(house, seenBy: owner) == "member command.approve front-door refused security_device")
            let history = try await house.hub.guests.one(pass, seenBy: owner).history
            #expect(history.prefix(3).map(\.action) == ["command.approve", "guest.new_code", "door.open"])
            #expect(history.prefix(3).map(\.result) == ["refused", "refused", "asked"])
        }
    }

    @Test("A refused device change names the device in its audit entry")
    func device() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)

        await #expect(throws: People.PersonError.self) {
            try await house.store.auditedWrite("device.change", on: .device("front-door"), by: member, origin: .house, at: house.clock.now)
            {
                try People.require(.modifySettings, of: member, in: $0.db)
            }
        }

        #expect(try await newest(house, seenBy: owner) == "member device.change front-door refused role_lacks_right")
    }

    @Test("Every refusal error maps to an audit reason, and other errors map to none")
    func reasons() {
        let no: [(any RefusalError, String)] = [
            (People.PersonError.forbidden(.roleLacksRight), "role_lacks_right"),
            (Guests.GuestError.forbidden(.securityDevice), "security_device"),
            (Commands.ApprovalError.forbidden(.noGrant), "no_grant"), (Commands.ApprovalError.notAnApprover, "role_lacks_right"),
            (APITokens.APITokenError.forbidden(.noGrant), "no_grant"),
            (GuestAccess.GuestAccessError.pass(.suspended), "suspended"),
            (Scenes.SceneError.action(0, .gate(.securityDevice)), "security_device"),
            (Sessions.SessionError.stepUpRequired, "step_up_required"),
        ]
        for (problem, reason) in no { #expect(problem.refusalReason?.rawValue == reason) }
        let wrong: [any RefusalError] = [
            People.PersonError.notFound, Guests.GuestError.notFound, Commands.ApprovalError.notFound, APITokens.APITokenError.notFound,
            GuestAccess.GuestAccessError.unauthorized, Scenes.SceneError.action(0, .readOnly), Scenes.SceneError.notFound,
            Sessions.SessionError.unauthorized,
        ]
        for problem in wrong { #expect(problem.refusalReason == nil) }
    }

    @Test("Failures that are not refusals write no audit entry")
    func otherReasons() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, id, _) = try await house.guest(house.draft(), by: owner)
        let before = try await house.hub.activity.entries(.init(), seenBy: owner)

        await #expect(throws: Guests.GuestError.self) { try await house.hub.guests.decide(.approve, id, by: owner, origin: .house) }
        await #expect(throws: People.PersonError.self) { try await house.hub.people.remove("person_nobody", by: owner, origin: .house) }
        await #expect(throws: Commands.ApprovalError.self) {
            try await house.hub.commands.decide("cmd_nobody", approve: false, by: owner, origin: .house)
        }

        #expect(try await house.hub.activity.entries(.init(), seenBy: owner) == before)
    }
}
