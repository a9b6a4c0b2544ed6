import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Paired phones", .timeLimit(.minutes(5)))
struct PhoneTests {
    @Test("A phone stays signed in for months with single-use refresh tokens and ends after 30 idle days")
    func months() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let phone = try house.phone()
        var (_, tokens) = try await house.paired(phone, by: owner)
        var seen: Set<String> = [tokens.refresh.reveal()]

        for turn in 0..<60 {
            house.clock.advance(by: 3601)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
            house.clock.advance(by: TimeInterval(turn % 5) * 12 * 3600)
            // Some name themselves: by their own id, by the hub's, or not at all.
            let name = [nil, phone.deviceID, phone.deviceID.uppercased(), tokens.phoneID][turn % 4]
            tokens = try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: name), origin: .house)
            #expect(seen.insert(tokens.refresh.reveal()).inserted)
            _ = try await house.hub.sessions.authenticate(tokens.access)
        }
        #expect(try await house.hub.phones.all(of: owner).first?.lastUsedAt == house.clock.now)

        house.clock.advance(by: 30 * 86_400)
        #expect(try await house.hub.phones.all(of: owner).isEmpty)
        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: nil), origin: .house)
        }
    }

    @Test("Ten concurrent refreshes return one successor, and a later reuse ends the phone session")
    func rotationRace() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, tokens) = try await house.paired(try house.phone(), by: owner)

        let next = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: nil), origin: .house).refresh.reveal()
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(next.count == 1)

        house.clock.advance(by: 31)
        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: nil), origin: .house)
        }
        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.refresh(Secret(next.first ?? ""), of: .phone(deviceID: nil), origin: .house)
        }
        #expect(try await house.hub.phones.all(of: owner).isEmpty)
    }

    @Test("A refresh token presented by another phone is refused and not consumed; unknown tokens are throttled")
    func anothersToken() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, tokens) = try await house.paired(try house.phone(), by: owner)
        let stranger = RequestOrigin(remote: "10.0.0.1", isLocal: true, requestID: nil)

        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: UUID().uuidString), origin: .house)
        }
        _ = try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: tokens.phoneID), origin: .house)
        var slowed = 0
        for _ in 0..<40 {
            do {
                _ = try await house.hub.sessions.refresh(SecretGenerator.token(.refresh), of: .phone(deviceID: nil), origin: stranger)
            } catch Sessions.SessionError.throttled { slowed += 1 } catch Sessions.SessionError.unauthorized {}
        }
        #expect(slowed > 5)
    }

    @Test("A phone revoked by ID, device ID, refresh token or all is refused at its next request")
    func revoke() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        func ended(_ choice: (PhoneDescription, SessionTokens) -> Phones.Selection) async throws {
            let phone = try house.phone()
            let (_, tokens) = try await house.paired(phone, by: owner)
            #expect(try await house.hub.phones.revoke(choice(phone, tokens), by: member, origin: .house) == 0)
            #expect(try await house.hub.phones.revoke(choice(phone, tokens), by: owner, origin: .house) == 1)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
            await #expect(throws: Sessions.SessionError.self) {
                try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: nil), origin: .house)
            }
        }

        try await ended { _, tokens in .one(tokens.phoneID ?? "") }
        try await ended { phone, _ in .one(phone.deviceID.uppercased()) }
        try await ended { _, tokens in .refreshToken(tokens.refresh) }
        try await ended { _, _ in .all }
        #expect(try await house.hub.phones.revoke(.one("phone_none"), by: owner, origin: .house) == 0)
    }

    @Test("A phone can revoke itself and no other phone")
    func revokesItself() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (one, _) = try await house.paired(try house.phone("One"), by: owner)
        let (other, tokens) = try await house.paired(try house.phone("Other"), by: owner)

        #expect(try await house.hub.phones.revoke(.one(tokens.phoneID ?? ""), by: one, origin: .house) == 0)
        #expect(try await house.hub.phones.revoke(.all, by: other, origin: .house) == 1)
        #expect(try await house.hub.phones.all(of: owner).map(\.name) == ["One"])
    }

    @Test("Pairing again keeps the phone ID with new tokens; pairing by another person adds a separate phone")
    func pairedAnew() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let phone = try house.phone()
        let (_, first) = try await house.paired(phone, by: owner)
        house.clock.advance(by: 60)
        let (_, second) = try await house.paired(phone, by: owner)
        house.clock.advance(by: 60)
        let (_, theirs) = try await house.paired(phone, by: member)

        #expect(first.phoneID == second.phoneID && theirs.phoneID != second.phoneID)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(first.access) }
        _ = try await house.hub.sessions.authenticate(second.access)
        _ = try await house.hub.sessions.authenticate(theirs.access)
        #expect(try await house.hub.phones.all(of: owner).count == 1)
        #expect(try await house.hub.phones.all(of: member).count == 1)
    }

    @Test("Renaming a phone renames its session, and another person cannot rename it")
    func rename() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (_, tokens) = try await house.paired(try house.phone(), by: owner)
        let id = try #require(tokens.phoneID)

        let renamed = try await house.hub.phones.rename(id, to: " Kitchen tablet ", by: owner, origin: .house)
        #expect(renamed.name == "Kitchen tablet")
        #expect(try await house.hub.sessions.open(seenBy: owner).contains { $0.device == "Kitchen tablet" })
        for (who, name) in [(member, "Mine"), (owner, "")] {
            await #expect(throws: Phones.PhoneError.self) { try await house.hub.phones.rename(id, to: name, by: who, origin: .house) }
        }
    }

    @Test("A password change ends phone sessions, and a phone session cannot step up")
    func withItsPerson() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (who, tokens) = try await house.paired(try house.phone(), by: owner)

        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.endAll(keepCurrent: true, by: who, origin: .house)
        }
        await #expect(throws: DatabaseError.self) {
            try await house.store.write { try $0.execute(sql: "UPDATE sessions SET proven_at = 1 WHERE signed_in_by = 'phone'") }
        }
        try await house.hub.people.changePassword(
            from: TestHouse.password, to: Secret("a new one at last"), by: owner, origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
    }

    @Test("Phone restrictions apply to phone sessions only, and each refusal is audited")
    func beyond() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (phone, _) = try await house.paired(try house.phone(), by: owner)
        let (guest, _, _) = try await house.guest(house.draft(), by: owner)

        for who in [owner, guest] { try await house.hub.phones.recordRejection(who, origin: .house) }
        await #expect(throws: Phones.PhoneError.self) { try await house.hub.phones.recordRejection(phone, origin: .house) }

        let refused = try await house.hub.activity.entries(.init(limit: 20), seenBy: owner).filter { $0.action == "phone.beyond" }
        #expect(refused.count == 1)
    }

    @Test("A session without its phone record is rejected")
    func withoutItsPhone() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, mine) = try await house.claim()
        let (_, tokens) = try await house.paired(try house.phone(), by: owner)
        _ = try await house.hub.sessions.authenticate(tokens.access)

        // No command of the hub does this; a hand-edited file might.
        try await house.store.write { try $0.execute(sql: "DELETE FROM phones") }

        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
        _ = try await house.hub.sessions.authenticate(mine.access)
    }

    @Test("A pairing request is visible to all residents, and a paired phone only to its person")
    func told() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (_, tokens) = try await house.paired(try house.phone(), by: owner)
        let rows = try await house.store.read { try Journal.rows(after: 0, limit: 1000, in: $0).rows.filter { $0.kind == .phoneChanged } }
        #expect(rows.map { $0.data["person_id"] != nil } == [false, false, true] && rows.last?.subject == tokens.phoneID)

        let mine = JournalEvent(seq: 1, at: house.clock.now, fact: .phone(id: "phone_1", of: owner.personID))
        let waiting = JournalEvent(seq: 2, at: house.clock.now, fact: .phone(id: "pairing_1", of: nil))
        let (me, other) = (
            Visibility.resident(key: owner.key, seesEverybody: false, seesGuests: false),
            Visibility.resident(key: "person:other", seesEverybody: false, seesGuests: false)
        )
        #expect(me.filtered(mine) != nil && other.filtered(mine) == nil && me.filtered(waiting) != nil && other.filtered(waiting) != nil)
        let pass = Visibility.pass(guestID: "guest_1", entities: [], devices: [])
        #expect(pass.filtered(mine) == nil && pass.filtered(waiting) == nil)
    }
}
