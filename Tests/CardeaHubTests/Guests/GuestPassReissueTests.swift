import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Reissuing a pass requires the rights it grants", .timeLimit(.minutes(10)))
struct GuestPassReissueTests {
    /// A member who may invite, and a pass for a door that only owners and admins may open.
    private func inviter(_ house: TestHouse) async throws -> (owner: Principal, member: Principal) {
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let id, _) = member else { preconditionFailure("a resident is a person") }
        _ = try await house.hub.people.change(
            id, .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: owner, origin: .house)
        return (owner, member)
    }

    private func lockAway(_ house: TestHouse, by owner: Principal) async throws {
        _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
    }

    private func isForbidden(_ error: any Error) -> Bool {
        switch error {
        case Guests.GuestError.forbidden(.securityDevice), Commands.ApprovalError.forbidden(.securityDevice): true
        default: false
        }
    }

    @Test("A member who may not open a door cannot create or view codes of a pass for it")
    func codes() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, member) = try await inviter(house)
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        let id = codes.guestID
        _ = try await house.hub.guests.linkCode(of: id, by: member)
        _ = try await house.hub.guests.newCode(for: id, by: member, origin: .house)

        try await lockAway(house, by: owner)

        await #expect { try await house.hub.guests.newCode(for: id, by: member, origin: .house) } throws: { isForbidden($0) }
        await #expect { try await house.hub.guests.linkCode(of: id, by: member) } throws: { isForbidden($0) }
        _ = try await house.hub.guests.newCode(for: id, by: owner, origin: .house)
        _ = try await house.hub.guests.linkCode(of: id, by: owner)
    }

    @Test("Viewing the link code of an unredeemed pass requires a recent step-up")
    func leftOpen() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        _ = try await house.hub.guests.linkCode(of: codes.guestID, by: owner)

        house.clock.advance(by: 301)

        await #expect(throws: Sessions.SessionError.self) { try await house.hub.guests.linkCode(of: codes.guestID, by: owner) }
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        _ = try await house.hub.guests.linkCode(of: codes.guestID, by: owner)
    }

    @Test("A member who may not open a door cannot approve a phone for a pass to it, but can reject one")
    func approving() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, member) = try await inviter(house)
        let (codes, _) = try await house.hub.guests.invite(house.draft(requiresApproval: true), by: owner, call: nil, origin: .house)
        await #expect(throws: GuestAccess.GuestAccessError.self) {
            try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)
        }

        try await lockAway(house, by: owner)

        await #expect { try await house.hub.guests.decide(.approve, codes.guestID, by: member, origin: .house) } throws: { isForbidden($0) }
        let rejected = try await house.hub.guests.decide(.reject, codes.guestID, by: member, origin: .house)
        #expect(rejected.status(at: house.clock.now) == .rejected)
    }

    @Test("A member who may not open a door cannot resume a pass for it, but can suspend and revoke it")
    func resuming() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, member) = try await inviter(house)
        let (_, id, _) = try await house.guest(house.draft(), by: owner)

        try await lockAway(house, by: owner)

        _ = try await house.hub.guests.decide(.suspend, id, by: member, origin: .house)
        await #expect { try await house.hub.guests.decide(.resume, id, by: member, origin: .house) } throws: { isForbidden($0) }
        #expect(try await house.hub.guests.one(id, seenBy: owner).guest.status(at: house.clock.now) == .suspended)
        let revoked = try await house.hub.guests.decide(.revoke, id, by: member, origin: .house)
        #expect(revoked.status(at: house.clock.now) == .revoked)
    }

    @Test("An inviter can approve only commands they could execute, but can reject any")
    func answering() async throws {
        try await TestHouse.open { house in
            let (owner, member) = try await inviter(house)
            let (guest, _, _) = try await house.guest(house.draft(asksEachTime: true), by: owner)
            guard case .command(let asked, _) = try await house.hub.commands.submit(house.open(as: guest)) else { return }

            try await lockAway(house, by: owner)

            await #expect { try await house.hub.commands.decide(asked.id, approve: true, by: member, origin: .house) } throws: {
                isForbidden($0)
            }
            #expect(try await house.hub.commands.command(asked.id)?.isAwaitingApproval == true)
            let refused = try await house.hub.commands.decide(asked.id, approve: false, by: member, origin: .house)
            #expect(refused.status == .expired && refused.reason == "rejected")
            #expect(house.doorBackend.backendCommands.isEmpty)
        }
    }

    @Test("Any inviter can reissue a pass for a removed device")
    func gone() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, member) = try await inviter(house)
        let (_, id, _) = try await house.guest(house.draft(), by: owner)
        try await lockAway(house, by: owner)
        try await house.hub.devices.withdraw(deviceID: "front-door", integration: "scripted")

        let codes = try await house.hub.guests.newCode(for: id, by: member, origin: .house)

        #expect(codes.guestID == id)
    }
}
