import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("API token rejections", .serialized)
struct APITokenRejectionTests {
    private typealias Item = CardeaHub.Guests.Draft.Item

    private func make(
        _ house: TestHouse, _ who: Principal, name: String = "Script", items: [Item]? = nil, role: String? = nil, lasts: TimeInterval? = nil
    ) async throws -> (token: APIToken, secret: Secret) {
        try await house.hub.apiTokens.make(
            .init(name: name, items: items, role: role, expiresAt: lasts.map { house.clock.now.addingTimeInterval($0) }), by: who,
            origin: .house)
    }

    /// The field named in the error.
    private func field(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch APITokens.APITokenError.invalid(let field, _) {
            return field
        } catch { return "\(error)" }
    }

    private func lacksRight(_ error: any Error) -> Bool {
        if case People.PersonError.forbidden(.roleLacksRight) = error { true } else { false }
    }

    @Test("Guests and API tokens cannot list, create or revoke API tokens")
    func onlyPeople() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (guest, _, _) = try await house.guest(house.draft(), by: owner)
        let (token, secret) = try await make(house, owner)
        let program = try await house.hub.sessions.authenticate(secret)
        let tokens = house.hub.apiTokens
        for who in [guest, program] {
            await #expect(performing: { try await tokens.all(of: who) }, throws: lacksRight)
            await #expect(performing: { try await make(house, who) }, throws: lacksRight)
            await #expect(performing: { try await tokens.revoke(token.id, by: who, origin: .house) }, throws: lacksRight)
        }
        #expect(try await tokens.all(of: owner).map(\.id) == [token.id])
    }

    @Test("A token with an invalid name, past expiry or unknown role is rejected by field")
    func badDrafts() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        for (name, problem) in [
            (" ", Name.NameError.empty), (String(repeating: "x", count: 101), .tooLong), ("a\u{7}b", .invalidCharacters),
        ] {
            await #expect {
                try await make(house, owner, name: name)
            } throws: {
                if case APITokens.APITokenError.name(problem) = $0 { true } else { false }
            }
        }
        for lasts in [0, -60.0] {
            #expect(await field { _ = try await make(house, owner, lasts: lasts) } == "expires_at")
        }
        for role in ["janitor", "", "Owner "] {
            #expect(await field { _ = try await make(house, owner, role: role) } == "role")
        }
        #expect(try await house.hub.apiTokens.all(of: owner).isEmpty)
    }

    @Test("A person can have 64 API tokens, and revoking one makes room")
    func tooMany() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        var last = ""
        for _ in 0..<64 { last = try await make(house, owner).token.id }

        #expect(await field { _ = try await make(house, owner) } == "name")
        try await house.hub.apiTokens.revoke(last, by: owner, origin: .house)

        _ = try await make(house, owner)
        #expect(try await house.hub.apiTokens.all(of: owner).count == 64)
    }

    @Test("Revoking another person's, a revoked or an unknown token is not found, and a revoked token opens nothing")
    func revoking() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (token, secret) = try await make(house, owner)
        let program = try await house.hub.sessions.authenticate(secret)
        func notFound(_ error: any Error) -> Bool {
            if case APITokens.APITokenError.notFound = error { true } else { false }
        }
        let tokens = house.hub.apiTokens
        await #expect(performing: { try await tokens.revoke(token.id, by: member, origin: .house) }, throws: notFound)
        await #expect(performing: { try await tokens.revoke("token_none", by: owner, origin: .house) }, throws: notFound)
        try await tokens.revoke(token.id, by: owner, origin: .house)
        await #expect(performing: { try await tokens.revoke(token.id, by: owner, origin: .house) }, throws: notFound)

        await #expect(throws: CommandRefusal.gate(.noGrant)) { try await house.hub.commands.submit(house.unlock(as: program)) }
    }

    @Test("Unknown devices, empty or too many grants and unsupported actions are rejected by list position")
    func badGrants() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let good = Item(deviceID: "front-door", entityID: nil, actions: ["door.open"])
        for (items, wrong) in [
            ([], "grants"), (Array(repeating: good, count: 33), "grants"),
            ([good, Item(deviceID: "moat", entityID: nil, actions: ["door.open"])], "grants.1.device_id"),
            ([Item(deviceID: "front-door", entityID: nil, actions: [])], "grants.0.actions"),
            ([Item(deviceID: "front-door", entityID: nil, actions: Array(repeating: "lock", count: 33))], "grants.0.actions"),
            ([good, Item(deviceID: "hall-light", entityID: nil, actions: ["on", "door.open"])], "grants.1.actions"),
            ([Item(deviceID: "front-door", entityID: "lock.other", actions: ["door.open"])], "grants.0.actions"),
            ([Item(deviceID: "front-door", entityID: nil, actions: ["dance"])], "grants.0.actions"),
        ] as [([Item], String)] {
            #expect(await field { _ = try await make(house, owner, items: items) } == wrong)
        }
        #expect(try await house.hub.apiTokens.all(of: owner).isEmpty)
    }

    @Test("Token grants keep the entity and each action once")
    func kept() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (made, _) = try await make(
            house, owner, items: [Item(deviceID: "front-door", entityID: "lock.front_door", actions: ["unlock", "lock", "unlock"])],
            lasts: 60)

        let token = try #require(try await house.hub.apiTokens.all(of: owner).first)

        #expect(token == made && token.lastUsedAt == nil && token.expiresAt == house.clock.now.addingTimeInterval(60))
        #expect(token.items == [Grant.Item(deviceID: "front-door", entityID: "lock.front_door", verbs: [.lock, .unlock])])
    }

    @Test("A person cannot grant an API token more than they hold")
    func beyondOneself() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        _ = try await house.hub.devices.edit(
            "front-door", .init(name: nil, room: nil, isSecurityDevice: true, isGuestAccessible: nil), by: owner, origin: .house)

        await #expect {
            try await make(house, member, items: [Item(deviceID: "front-door", entityID: nil, actions: ["unlock"])])
        } throws: {
            if case APITokens.APITokenError.forbidden(.securityDevice) = $0 { true } else { false }
        }
        _ = try await make(house, member, items: [Item(deviceID: "back-door", entityID: nil, actions: ["unlock"])])
    }

    @Test("A token stored with an unknown role has guest rights")
    func unknownRole() throws {
        let token = try APITokens.token([
            "id": "token_1", "name": "Script", "role": "emperor", "items": nil, "created_at": 0, "expires_at": nil, "records_events": false,
        ])
        #expect(token.role == .guest && token.items == nil && token.expiresAt == nil)
    }

    @Test("The token cache keeps several tokens and is limited in size")
    func remembered() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        var secrets: [Secret] = []
        for number in 0..<3 { secrets.append(try await make(house, owner, name: "Script \(number)").secret) }
        let now = house.clock.now
        let live = SessionCache(store: house.store)
        for _ in 0..<2 {
            for (number, secret) in secrets.enumerated() {
                let token = try #require(try await live.token(secret.digest, at: now))
                #expect(live.lastUse(of: token.id) == now, "\(number)")
            }
        }
        for number in 0..<4096 { #expect(try await live.person(of: "session_\(number)", at: now) == nil) }
        #expect(live.lastUse(of: "session_4095") == now && live.lastUse(of: "session_0") == nil)
    }
}

@Suite("Principals and sessions of other people", .serialized)
struct PrincipalTests {
    @Test("A principal's key decodes to the same principal without its session")
    func keys() {
        for who: Principal in [
            .guest(id: "guest_1"), .apiToken(id: "token_1", personID: "person_1"), .person(id: "person_1", sessionID: ""),
        ] {
            #expect(Principal(key: who.key) == who)
        }
        #expect(Principal(key: "person:a:b") == .person(id: "a:b", sessionID: ""))
        #expect(Principal.person(id: "person_1", sessionID: "s").personID == "person_1")
        #expect(Principal.guest(id: "guest_1").personID == nil && Principal.apiToken(id: "t", personID: "person_1").personID == nil)
    }

    @Test("Sessions of an unknown person are not found")
    func noSuchPerson() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        func notFound(_ error: any Error) -> Bool {
            if case People.PersonError.notFound = error { true } else { false }
        }
        let sessions = house.hub.sessions
        await #expect(performing: { try await sessions.open(of: "person_none", seenBy: owner) }, throws: notFound)
        await #expect(performing: { try await sessions.endAll(of: "person_none", by: owner, origin: .house) }, throws: notFound)
    }

    @Test("A session without a recorded device shows the text for an unknown device")
    func unknownDevice() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await house.store.write { try $0.execute(sql: "UPDATE sessions SET device = NULL") }

        let session = try #require(try await house.hub.sessions.open(seenBy: owner).first)

        #expect(session.device == UserAgentText.text(userAgent: nil) && session.isCurrent && session.signedInBy == .claim)
    }

    @Test("A session with an unknown sign-in method counts as signed in by password")
    func unknownSignIn() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        // The store would refuse it; a hand-edited file might contain it.
        try await house.store.write { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: "UPDATE sessions SET signed_in_by = 'magic'")
            try db.execute(sql: "PRAGMA ignore_check_constraints = OFF")
        }

        let session = try #require(try await house.hub.sessions.open(seenBy: owner).first)

        #expect(session.signedInBy == .password && !session.signedInBy.replacesPassword)
    }

    @Test("A guest or API token never satisfies a step-up")
    func noProof() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let now = house.clock.now
        func ask(_ who: Principal) async throws {
            try await house.store.read { try Sessions.requireStepUp(who, at: now, in: $0) }
        }
        await #expect {
            try await ask(.guest(id: "guest_1"))
        } throws: {
            if case People.PersonError.forbidden(.roleLacksRight) = $0 { true } else { false }
        }
        await #expect {
            try await ask(.apiToken(id: "token_1", personID: "person_1"))
        } throws: {
            if case People.PersonError.forbiddenToProgram = $0 { true } else { false }
        }
    }

    @Test("A key opens the store only if the store was sealed with it")
    func ownKey() async throws {
        let store = try Store.inMemory()
        #expect(try await Hub.opens(store, with: .random()))
        let house = try await TestHouse.make(store: store)
        #expect(try await Hub.opens(store, with: house.sealing))
        #expect(try await !Hub.opens(store, with: .random()))
    }

    @Test("Activity can be filtered by result, device and position")
    func activity() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            #expect(try await house.run(house.unlock(as: owner)).status == .confirmed)
            #expect(try await house.run(house.unlock("back-door", as: owner)).status == .confirmed)
            let confirmed = try await house.hub.activity.entries(.init(result: "confirmed"), seenBy: owner)
            #expect(confirmed.map(\.deviceID) == ["back-door", "front-door"])
            let older = try await house.hub.activity.entries(.init(result: "confirmed", before: confirmed.first?.id), seenBy: owner)
            #expect(older.map(\.deviceID) == ["front-door"])
            #expect(try await house.hub.activity.entries(.init(deviceID: "back-door", result: "refused"), seenBy: owner).isEmpty)
        }
    }
}
