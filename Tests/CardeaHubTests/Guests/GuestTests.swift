import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Guest invitations and passes")
struct GuestTests {
    private let origin = RequestOrigin(remote: "192.0.2.7", isLocal: false, requestID: nil)

    @Test("A code pairs once, and redeeming one code invalidates both")
    func redeemOnce() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        _ = try await house.hub.guests.linkCode(of: codes.guestID, by: owner)

        let (token, pass) = try await house.hub.guestAccess.pair(codes.spokenCode.reveal().lowercased(), origin: origin)

        #expect(pass.guest.id == codes.guestID)
        #expect(try await house.hub.guestAccess.authenticate(token, origin: origin) == .guest(id: codes.guestID))
        for code in [codes.spokenCode, codes.linkCode] {
            await #expect(throws: GuestAccess.GuestAccessError.self) { try await house.hub.guestAccess.pair(code.reveal(), origin: origin) }
        }
        await #expect(throws: Guests.GuestError.self) { try await house.hub.guests.linkCode(of: codes.guestID, by: owner) }
    }

    @Test("Of 64 phones redeeming one link at once, exactly one gets the pass", .timeLimit(.minutes(10)))
    func redeemRace() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        for _ in 0..<20 {
            let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
            let paired = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<64 {
                    group.addTask { (try? await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: .house)) != nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(paired == 1)
        }
    }

    @Test("A new code moves the pass to another phone, and the old phone's token is rejected")
    func newPhone() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, id, old) = try await house.guest(house.draft(), by: owner)
        let codes = try await house.hub.guests.newCode(for: id, by: owner, origin: .house)
        _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: origin)

        await #expect(throws: GuestAccess.GuestAccessError.self) { try await house.hub.guestAccess.authenticate(old, origin: origin) }
    }

    @Test("The spoken code expires after five minutes; the link lasts as long as the pass")
    func codeAges() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        house.clock.advance(by: 300)
        do {
            _ = try await house.hub.guestAccess.pair(codes.spokenCode.reveal(), origin: origin)
            Issue.record("an old code was taken")
        } catch GuestAccess.GuestAccessError.codeExpired {}
        _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: origin)
    }

    @Test("Codes of an approved, paired pass expire like any other: spoken code after five minutes, link with the pass")
    func codeAgesOfAnApprovedPass() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (first, _) = try await house.hub.guests.invite(house.draft(requiresApproval: true), by: owner, call: nil, origin: .house)
        func take(_ code: Secret) async throws {
            let key = GuestKey().publicKey
            do {
                _ = try await house.hub.guestAccess.pair(code.reveal(), key: key, origin: origin)
                Issue.record("nobody was asked")
            } catch GuestAccess.GuestAccessError.waiting {}
            _ = try await house.hub.guests.decide(.approve, first.guestID, by: owner, origin: .house)
            _ = try await house.hub.guestAccess.pair(code.reveal(), key: key, origin: origin)
        }
        try await take(first.spokenCode)
        let second = try await house.hub.guests.newCode(for: first.guestID, by: owner, origin: .house)

        house.clock.advance(by: 300)
        do {
            _ = try await house.hub.guestAccess.pair(second.spokenCode.reveal(), origin: origin)
            Issue.record("an old code was taken")
        } catch GuestAccess.GuestAccessError.codeExpired {}
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        try await take(second.linkCode)

        let third = try await house.hub.guests.newCode(for: first.guestID, by: owner, origin: .house)
        house.clock.advance(by: 4 * 3600)
        do {
            _ = try await house.hub.guestAccess.pair(third.linkCode.reveal(), origin: origin)
            Issue.record("the link outlived the pass")
        } catch GuestAccess.GuestAccessError.pass(.expired) {}
    }

    @Test("An approved phone can redeem the code it requested with after that code expired")
    func approvedLate() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(requiresApproval: true), by: owner, call: nil, origin: .house)
        let key = GuestKey().publicKey
        await #expect(throws: GuestAccess.GuestAccessError.self) {
            try await house.hub.guestAccess.pair(codes.spokenCode.reveal(), key: key, origin: origin)
        }
        _ = try await house.hub.guests.decide(.approve, codes.guestID, by: owner, origin: .house)

        house.clock.advance(by: 1800)

        _ = try await house.hub.guestAccess.pair(codes.spokenCode.reveal(), key: key, origin: origin)
    }

    @Test("`open` on a pass unlocks a lock without a latch and pulls the latch of a lock that has one", .timeLimit(.minutes(10)))
    func bareOpen() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let latch = Entity(id: "lock.gate", kind: .lock, name: "Gate", verbs: [.lock, .unlock, .open], state: EntityState("locked"))
            try await house.hub.devices.announce(
                Device(
                    id: "gate", name: "Gate", deviceClass: .security, integration: "scripted", status: .online,
                    stateChangedAt: house.clock.now, entities: [latch]))
            let (plain, id, _) = try await house.guest(house.draft(actions: ["open"]), by: owner)
            let (latched, _, _) = try await house.guest(house.draft(actions: ["open"], device: "gate"), by: owner)
            let pull = try #require(ActionName("lock.open"))

            #expect(try await house.run(house.open(as: plain)).status == .confirmed)
            #expect(try await house.hub.guests.one(id, seenBy: owner).guest.items.map(\.actions) == [["door.unlock"]])
            let pulled = try await house.run(
                CommandRequest(principal: latched, target: .pass(pull, spoken: "lock.open", entityID: nil), origin: .house))

            #expect(pulled.status == .confirmed)
            #expect(house.doorBackend.backendCommands.map(\.verb) == [.unlock, .open])
            await #expect(throws: CommandRefusal.gate(.actionNotAllowed)) { try await house.run(house.open(as: latched)) }
        }
    }

    @Test("Scanning the QR code is recorded once and does not redeem it")
    func scanned() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        let first = try await house.hub.guestAccess.recordScan(codes.linkCode.reveal(), origin: origin)
        house.clock.advance(by: 5)
        let second = try await house.hub.guestAccess.recordScan(codes.linkCode.reveal(), origin: origin)
        #expect(first.isFirst && !second.isFirst && first.at == second.at)
        let expiresAt = try await house.hub.guests.one(codes.guestID, seenBy: owner).guest.expiresAt
        #expect(first.expiresAt == expiresAt && second.expiresAt == expiresAt)
        #expect(try await house.hub.guests.one(codes.guestID, seenBy: owner).guest.scannedAt == first.at)
        _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: origin)
    }

    @Test("A pass that needs approval waits, is paired after approval, and stays rejected after a rejection")
    func approval() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let key = GuestKey().publicKey
        func ask(_ codes: Guests.Codes) async throws -> Date? {
            do {
                _ = try await house.hub.guestAccess.pair(codes.spokenCode.reveal(), key: key, origin: origin)
                return nil
            } catch GuestAccess.GuestAccessError.waiting(let waiting) { return waiting.until }
        }
        let (codes, _) = try await house.hub.guests.invite(house.draft(requiresApproval: true), by: owner, call: nil, origin: .house)
        #expect(try await house.hub.guests.pendingApprovals(seenBy: owner).isEmpty)
        #expect(try await ask(codes) == house.clock.now.addingTimeInterval(900))
        #expect(try await house.hub.guests.pendingApprovals(seenBy: owner).map(\.guestID) == [codes.guestID])
        // The code's own five minutes pass during the owner's decision.
        house.clock.advance(by: 400)
        #expect(try await ask(codes) != nil)
        // The approval gives the pass its door.
        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.guests.decide(.approve, codes.guestID, by: owner, origin: .house)
        }
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        #expect(
            try await house.hub.guests.decide(.approve, codes.guestID, by: owner, origin: .house).status(at: house.clock.now) == .waiting)
        #expect(try await ask(codes) == nil)

        let (other, _) = try await house.hub.guests.invite(house.draft(requiresApproval: true), by: owner, call: nil, origin: .house)
        _ = try await ask(other)
        _ = try await house.hub.guests.decide(.reject, other.guestID, by: owner, origin: .house)
        do {
            _ = try await ask(other)
            Issue.record("a rejected phone was let in")
        } catch GuestAccess.GuestAccessError.pass(let refusal) { #expect(refusal == .rejected) }
        await #expect(throws: Guests.GuestError.self) {
            try await house.hub.guests.decide(.approve, other.guestID, by: owner, origin: .house)
        }
    }

    @Test("Wrong codes throttle their address, and a valid code still works from another address")
    func guesses() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        var throttled = 0
        for _ in 0..<30 {
            do {
                _ = try await house.hub.guestAccess.pair(SecretGenerator.spokenCode().reveal(), origin: origin)
                Issue.record("a guess was right")
            } catch GuestAccess.GuestAccessError.throttled(let wait) {
                throttled += 1
                #expect(wait > 0)
            } catch GuestAccess.GuestAccessError.codeUnknown {}
        }
        #expect(throttled == 19)
        let elsewhere = RequestOrigin(remote: "192.0.2.99", isLocal: false, requestID: nil)
        _ = try await house.hub.guestAccess.pair(codes.linkCode.reveal(), origin: elsewhere)
    }

    @Test("Guesses from many addresses do not block a valid code", arguments: [true, false])
    func flood(isSpoken: Bool) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (codes, _) = try await house.hub.guests.invite(house.draft(), by: owner, call: nil, origin: .house)
        var isSlowed = false
        for number in 1...80 {
            let stranger = RequestOrigin(remote: "198.51.100.\(number)", isLocal: false, requestID: nil)
            do {
                _ = try await house.hub.guestAccess.pair(SecretGenerator.spokenCode().reveal(), origin: stranger)
            } catch GuestAccess.GuestAccessError.throttled { isSlowed = true } catch GuestAccess.GuestAccessError.codeUnknown {}
        }
        #expect(isSlowed)
        let elsewhere = RequestOrigin(remote: "192.0.2.99", isLocal: false, requestID: nil)
        _ = try await house.hub.guestAccess.pair((isSpoken ? codes.spokenCode : codes.linkCode).reveal(), origin: elsewhere)
    }

    @Test("Unknown tokens throttle their address, and valid tokens are never throttled")
    func strangers() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (guest, _, token) = try await house.guest(house.draft(), by: owner)
        var throttled = false
        for _ in 0..<40 {
            do {
                _ = try await house.hub.guestAccess.authenticate(SecretGenerator.token(.guestPass), origin: origin)
            } catch GuestAccess.GuestAccessError.throttled { throttled = true } catch GuestAccess.GuestAccessError.unauthorized {}
        }
        #expect(throttled)
        #expect(try await house.hub.guestAccess.authenticate(token, origin: origin) == guest)
    }

    @Test("An invalid pass draft is rejected with the name of the wrong field")
    func drafts() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        var wrong: [(String, Guests.Draft)] = []
        var draft = house.draft(uses: -1)
        wrong.append(("max_uses", draft))
        draft = house.draft(lasts: -1)
        wrong.append(("expires_at", draft))
        draft = house.draft(lasts: 400 * 86_400 * 10)
        wrong.append(("expires_at", draft))
        draft = house.draft(startsIn: 5 * 3600)
        wrong.append(("starts_at", draft))
        draft = house.draft(device: "nowhere")
        wrong.append(("grants.0.device_id", draft))
        draft = house.draft(actions: ["light.on"])
        wrong.append(("grants.0.actions", draft))
        draft = house.draft(actions: [])
        wrong.append(("grants.0.actions", draft))
        draft = house.draft()
        draft.items = []
        wrong.append(("grants", draft))
        draft = house.draft()
        draft.items.append(draft.items[0])
        wrong.append(("grants", draft))
        draft = house.draft()
        draft.items[0].entityID = "lock.back_door"
        wrong.append(("grants.0.entity_id", draft))
        for (field, draft) in wrong {
            do {
                _ = try await house.hub.guests.invite(draft, by: owner, call: nil, origin: .house)
                Issue.record("\(field) was taken")
            } catch Guests.GuestError.invalid(let found, _) { #expect(found == field) }
        }
        #expect(try await house.hub.guests.all(seenBy: owner).isEmpty)
    }

    @Test("A member needs the invite right to create passes and cannot grant more than they hold")
    func attenuation() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        await #expect(throws: People.PersonError.self) {
            try await house.hub.guests.invite(house.draft(), by: member, call: nil, origin: .house)
        }
        guard case .person(let id, _) = member else { return }
        _ = try await house.hub.people.change(
            id, .init(name: nil, role: nil, canInviteGuests: true, disabled: nil), by: owner, origin: .house)
        _ = try await house.hub.guests.invite(house.draft(), by: member, call: nil, origin: .house)
        _ = try await house.hub.devices.edit("front-door", .init(isSecurityDevice: true), by: owner, origin: .house)
        await #expect(throws: Guests.GuestError.self) {
            try await house.hub.guests.invite(house.draft(), by: member, call: nil, origin: .house)
        }
    }

    @Test("A repeated invitation with the same idempotency key returns the same pass and codes")
    func idempotent() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let call = IdempotencyKey(key: "k", method: "POST", path: "/api/v1/guests", body: Data("a".utf8))
        let first = try await house.hub.guests.invite(house.draft(), by: owner, call: call, origin: .house)
        let second = try await house.hub.guests.invite(house.draft(), by: owner, call: call, origin: .house)
        #expect(first.codes.guestID == second.codes.guestID && !first.isReplay && second.isReplay)
        #expect(first.codes.linkCode.reveal() == second.codes.linkCode.reveal())
        #expect(try await house.hub.guests.all(seenBy: owner).count == 1)
        let other = IdempotencyKey(key: "k", method: "POST", path: "/api/v1/guests", body: Data("b".utf8))
        await #expect(throws: IdempotencyKeyReusedError.self) {
            try await house.hub.guests.invite(house.draft(), by: owner, call: other, origin: .house)
        }
    }

    @Test("Revoking all revokes every pass that has not ended")
    func revokeAll() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        for _ in 0..<3 { _ = try await house.guest(house.draft(), by: owner) }
        #expect(try await house.hub.guests.revokeAll(by: owner, origin: .house) == 3)
        #expect(try await house.hub.guests.revokeAll(by: owner, origin: .house) == 0)
        #expect(try await house.hub.guests.all(seenBy: owner).allSatisfy { $0.status(at: house.clock.now) == .revoked })
    }

    @Test("The database refuses uses over the limit, unrevoking a pass, and removing or demoting the last owner")
    func invariants() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
        _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
        for sql in [
            "UPDATE guests SET use_count = 2", "UPDATE guests SET use_count = -1", "UPDATE guests SET revoked_at = NULL",
            "UPDATE people SET role = 'member'", "UPDATE people SET disabled = 1", "UPDATE people SET removed_at = 1", "DELETE FROM people",
        ] {
            await #expect(throws: DatabaseError.self, "\(sql)") { try await house.store.write { try $0.execute(sql: sql) } }
        }
    }

    @Test("An explanation names the failed check and consumes no use")
    func explains() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, id, _) = try await house.guest(house.draft(uses: 1), by: owner)
        _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: .house)
        let explanation = try await house.hub.accessExplainer.explain(
            .init(guestID: id, personID: nil, deviceID: "front-door", entityID: nil, verb: .open, at: nil, isLocal: true), by: owner)
        #expect(explanation.decision == .deny(.suspended))
        #expect(explanation.checks.filter { !$0.passed }.map(\.kind) == [.notSuspended])
        #expect(try await house.hub.guests.one(id, seenBy: owner).guest.grant.useCount == 0)
    }
}
