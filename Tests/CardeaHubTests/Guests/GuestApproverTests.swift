import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@testable import CardeaHub

@Suite("Guest approvers chosen by the owner", .timeLimit(.minutes(10)))
struct GuestApproverTests {
    private func choose(_ answerers: ApproverGroup, in house: TestHouse, by who: Principal) async throws {
        _ = try await house.hub.house.change(
            {
                var preferences = $0
                preferences.asksAnsweredBy = answerers
                return preferences
            }, seen: .any, by: who, origin: .house, at: house.clock.now)
    }

    private func inviter(_ name: String, of house: TestHouse, by owner: Principal) async throws -> Principal {
        let (who, _) = try await house.resident(name, role: "member", by: owner)
        _ = try await house.hub.people.change(
            try #require(who.personID), .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: owner, origin: .house)
        return who
    }

    /// Returns whether the error is that a person was not chosen as an approver.
    private func isNotAnApprover(_ problem: any Error) -> Bool {
        if case Commands.ApprovalError.notAnApprover = problem { true } else { false }
    }

    @Test("By default inviters approve requests: a member is not notified, sees none, and is refused on record")
    func inviters() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            let inviter = try await inviter("inviter", of: house, by: owner)
            let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let asked = try await house.submit(house.open(as: guest))

            await #expect { try await house.hub.guests.pendingApprovals(seenBy: member) } throws: { isNotAnApprover($0) }
            for yes in [true, false] {
                await #expect {
                    try await house.hub.commands.decide(asked.id, approve: yes, by: member, origin: .house)
                } throws: {
                    isNotAnApprover($0)
                }
            }
            let entry = try #require(try await house.hub.activity.entries(.init(), seenBy: owner).first)
            #expect(entry.action == "command.reject" && entry.reason == "role_lacks_right")
            for who in [owner, inviter] {
                try await waitUntil { try await house.hub.notices.page(of: who).notices.map(\.kind) == [.ask] }
            }
            #expect(try await house.hub.notices.page(of: member).notices.isEmpty)

            _ = try await house.hub.commands.decide(asked.id, approve: true, by: inviter, origin: .house)
            #expect(try await house.hub.commands.outcome(of: asked).status == .confirmed)
        }
    }

    @Test(
        "With `everyone`, a member is notified and approves requests for doors they may open; phones stay with inviters"
    )
    func everyone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (member, _) = try await house.resident("member", role: "member", by: owner)
            try await choose(.everyone, in: house, by: owner)
            let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let (codes, _) = try await house.hub.guests.invite(house.draft(requiresApproval: true), by: owner, call: nil, origin: .house)
            await #expect(throws: GuestAccess.GuestAccessError.self) {
                try await house.hub.guestAccess.pair(codes.linkCode.reveal(), key: nil, origin: .house)
            }
            let first = try await house.submit(house.open(as: guest))

            #expect(try await house.hub.guests.pendingApprovals(seenBy: owner).count == 2)
            #expect(try await house.hub.guests.pendingApprovals(seenBy: member).map(\.command?.id) == [first.id])
            try await waitUntil { try await house.hub.notices.page(of: member).notices.map(\.commandID) == [first.id] }
            _ = try await house.hub.commands.decide(first.id, approve: true, by: member, origin: .house)
            #expect(try await house.hub.commands.outcome(of: first).status == .confirmed)

            _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
            let second = try await house.submit(house.open(as: guest))
            await #expect {
                try await house.hub.commands.decide(second.id, approve: true, by: member, origin: .house)
            } throws: {
                if case Commands.ApprovalError.forbidden(.securityDevice) = $0 { true } else { false }
            }
            _ = try await house.hub.commands.decide(second.id, approve: false, by: member, origin: .house)
            #expect(try await house.hub.commands.outcome(of: second).reason == "rejected")
        }
    }

    @Test("With `managers`, only owners and admins approve commands; inviters still approve phones")
    func managers() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
            let inviter = try await inviter("inviter", of: house, by: owner)
            try await choose(.managers, in: house, by: owner)
            let (guest, id, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            let asked = try await house.submit(house.open(as: guest))

            #expect(try await house.hub.guests.pendingApprovals(seenBy: inviter).isEmpty)
            await #expect {
                try await house.hub.commands.decide(asked.id, approve: true, by: inviter, origin: .house)
            } throws: {
                isNotAnApprover($0)
            }
            let question = AccessExplainer.Query(
                guestID: id, personID: nil, deviceID: "front-door", entityID: nil, verb: .unlock, at: nil, isLocal: true)
            #expect(try await house.hub.accessExplainer.explain(question, by: inviter).answerers == .managers)
            _ = try await house.hub.commands.decide(asked.id, approve: true, by: admin, origin: .house)
            #expect(try await house.hub.commands.outcome(of: asked).status == .confirmed)
        }
    }

    @Test("Only an owner can change who approves; an admin can change other preferences")
    func ownersChoice() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (admin, _) = try await house.resident("admin", role: "admin", by: owner)

        await #expect {
            try await choose(.everyone, in: house, by: admin)
        } throws: {
            if case People.PersonError.forbidden(.roleLacksRight) = $0 { true } else { false }
        }
        try await choose(.inviters, in: house, by: admin)
        #expect(house.hub.house.current.preferences.asksAnsweredBy == .inviters)
        try await choose(.everyone, in: house, by: owner)
        #expect(house.hub.house.current.preferences.asksAnsweredBy == .everyone)
    }
}
