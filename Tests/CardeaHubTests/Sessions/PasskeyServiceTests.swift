import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@Suite("Passkey service", .serialized)
struct PasskeyServiceTests {
    private let party = RelyingParty(id: "house.example", origins: ["https://house.example"])

    private func add(
        _ house: TestHouse, _ who: Principal, kind: SoftwareAuthenticator.Kind = .es256, count: UInt32 = 0
    ) async throws -> (soft: SoftwareAuthenticator, passkey: Passkey) {
        let creation = try await house.hub.passkeys.creationOptions(at: party, by: who, origin: .house)
        let soft = SoftwareAuthenticator(kind, userHandle: creation.handle)
        let made = try soft.registrationResponse(creation.challenge, rpID: party.id, origin: "https://house.example", count: count)
        let passkey = try await house.hub.passkeys.register(
            .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: ["internal", "nonsense"]),
            name: "My phone", at: party, by: who, origin: .house)
        return (soft, passkey)
    }

    private func shown(_ soft: SoftwareAuthenticator, _ challenge: Data, count: UInt32 = 0, handle: Data? = nil) throws
        -> Passkeys.Assertion
    {
        let said = try soft.assertionResponse(challenge, rpID: party.id, origin: "https://house.example", count: count)
        return .init(
            credentialID: soft.credentialID, clientDataJSON: said.clientDataJSON, authenticatorData: said.authenticatorData,
            signature: said.signature, userHandle: handle ?? soft.userHandle)
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch { return "\(error)" }
    }

    @Test("A registered passkey signs its person in without a username", arguments: SoftwareAuthenticator.Kind.allCases)
    func signIn(kind: SoftwareAuthenticator.Kind) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (soft, passkey) = try await add(house, member, kind: kind)
        #expect(passkey.name == "My phone" && passkey.rpID == "house.example" && passkey.isBackedUp)
        let again = try await house.hub.passkeys.creationOptions(at: party, by: member, origin: .house)
        #expect(again.handle == soft.userHandle && again.excluded.map(\.credentialID) == [soft.credentialID])
        #expect(again.excluded.map(\.transports) == [["internal"]])

        let challenge = try await house.hub.passkeys.requestChallenge(at: party)
        let tokens = try await house.hub.passkeys.login(try shown(soft, challenge), at: party, origin: .house)
        guard case .person(let who, _) = try await house.hub.sessions.authenticate(tokens.access), case .person(let id, _) = member else {
            return
        }
        #expect(who == id)
        #expect(try await house.hub.sessions.open(seenBy: member).contains { $0.signedInBy == .passkey })
        #expect(try await house.hub.passkeys.all(of: member).first?.lastUsedAt == house.clock.now)
    }

    @Test("A passkey challenge is valid once, for five minutes, at one relying party, and unanswered ones are not stored")
    func challenges() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (soft, _) = try await add(house, owner)
        let passkeys = house.hub.passkeys
        let challenge = try await passkeys.requestChallenge(at: party)
        let answer = try shown(soft, challenge)
        _ = try await passkeys.login(answer, at: party, origin: .house)
        #expect(await refusal { _ = try await passkeys.login(answer, at: party, origin: .house) } == "unknownChallenge")

        // A wrong answer uses it up too.
        let second = try await passkeys.requestChallenge(at: party)
        #expect(
            await refusal { _ = try await passkeys.login(try shown(SoftwareAuthenticator(), second), at: party, origin: .house) }
                == "unknownPasskey")
        #expect(await refusal { _ = try await passkeys.login(try shown(soft, second), at: party, origin: .house) } == "unknownChallenge")

        let third = try await passkeys.requestChallenge(at: party)
        let elsewhere = RelyingParty(id: "other.example", origins: ["https://house.example"])
        #expect(await refusal { _ = try await passkeys.login(try shown(soft, third), at: elsewhere, origin: .house) } == "unknownChallenge")

        let fourth = try await passkeys.requestChallenge(at: party)
        house.clock.advance(by: 300)
        #expect(await refusal { _ = try await passkeys.login(try shown(soft, fourth), at: party, origin: .house) } == "unknownChallenge")

        let mine = try await passkeys.requestChallenge(at: party)
        for _ in 0..<100 { _ = try await passkeys.requestChallenge(at: party) }
        _ = try await passkeys.login(try shown(soft, mine), at: party, origin: .house)
        let left = try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM passkey_challenges") }
        #expect(left == 1, "nothing is kept of what nobody answered")
    }

    @Test("A signature counter that does not increase disables the passkey permanently and is audited")
    func cloned() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (soft, _) = try await add(house, owner, count: 5)
        let passkeys = house.hub.passkeys
        func login(count: UInt32) async -> String? {
            await refusal {
                let challenge = try await passkeys.requestChallenge(at: party)
                _ = try await passkeys.login(try shown(soft, challenge, count: count), at: party, origin: .house)
            }
        }
        #expect(await login(count: 6) == nil)
        #expect(await login(count: 6)?.contains("cloned") == true)
        #expect(await login(count: 7) == "ended")
        let passkey = try #require(try await passkeys.all(of: owner).first)
        #expect(passkey.endReason == "cloned" && passkey.endedAt == house.clock.now)
        let entries = try await house.hub.activity.entries(.init(), seenBy: owner)
        #expect(entries.contains { $0.action == "passkey.end" && $0.reason == "cloned" })
        #expect(entries.contains { $0.action == "login" && $0.result == "refused" && $0.reason == "cloned" })
    }

    @Test("A wrong user handle, a disabled or removed person and a removed passkey cannot sign in")
    func nobody() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let memberID, _) = member else { return }
        let passkeys = house.hub.passkeys
        let (soft, passkey) = try await add(house, member)
        let (own, _) = try await add(house, owner)
        func login(_ soft: SoftwareAuthenticator, handle: Data? = nil) async -> String? {
            await refusal {
                let challenge = try await passkeys.requestChallenge(at: party)
                _ = try await passkeys.login(try shown(soft, challenge, handle: handle), at: party, origin: .house)
            }
        }
        #expect(await login(soft, handle: own.userHandle) == "unknownPasskey")
        #expect(await login(soft) == nil)
        func disable(_ disabled: Bool) async throws {
            _ = try await house.hub.people.change(
                memberID, .init(name: nil, role: nil, canInviteGuests: nil, disabled: disabled), by: owner, origin: .house)
        }
        try await disable(true)
        #expect(await login(soft) == "unknownPasskey")
        try await disable(false)
        await #expect(throws: Passkeys.CredentialError.self) { try await passkeys.remove(passkey.id, by: owner, origin: .house) }
        #expect(await login(soft) == nil)
        try await house.hub.people.remove(memberID, by: owner, origin: .house)
        #expect(await login(soft) == "unknownPasskey")
        let ownID = try #require(try await passkeys.all(of: owner).first?.id)
        #expect(try await passkeys.rename(ownID, to: "Key ring", by: owner, origin: .house).name == "Key ring")
        try await passkeys.remove(ownID, by: owner, origin: .house)
        #expect(await login(own) == "unknownPasskey")
    }

    @Test("A challenge of one session cannot register a passkey in another, and only once in its own")
    func otherSession() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let creation = try await house.hub.passkeys.creationOptions(at: party, by: owner, origin: .house)
        let made = try SoftwareAuthenticator(userHandle: creation.handle).registrationResponse(
            creation.challenge, rpID: party.id, origin: "https://house.example")
        let answer = Passkeys.Attestation(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: [])
        for (who, refused) in [(member, "unknownChallenge"), (owner, nil), (owner, "unknownChallenge")] {
            #expect(
                await refusal { _ = try await house.hub.passkeys.register(answer, name: nil, at: party, by: who, origin: .house) }
                    == refused)
        }
        let (mine, theirs) = (try await house.hub.passkeys.all(of: owner), try await house.hub.passkeys.all(of: member))
        #expect(mine.count == 1 && theirs.isEmpty)
    }

    @Test("A passkey step-up allows a password change without the old password; another person's passkey fails")
    func stepUp() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, tokens) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let (soft, _) = try await add(house, owner)
        let (theirs, _) = try await add(house, member)
        let hub = house.hub
        // Signed in by the claim, not by a passkey: the old password is required.
        await #expect(throws: Sessions.SessionError.self) {
            try await hub.people.changePassword(from: nil, to: Secret("another one"), by: owner, origin: .house)
        }
        house.clock.advance(by: 400)
        let challenge = try await hub.passkeys.requestChallenge(at: party)
        #expect(
            await refusal { _ = try await hub.passkeys.stepUp(try shown(theirs, challenge), at: party, by: owner, origin: .house) }
                == "unknownPasskey")
        await #expect(throws: Sessions.SessionError.self) { try await hub.recoveryCodes.make(by: owner, origin: .house) }
        let second = try await hub.passkeys.requestChallenge(at: party)
        _ = try await hub.passkeys.stepUp(try shown(soft, second), at: party, by: owner, origin: .house)
        _ = try await hub.recoveryCodes.make(by: owner, origin: .house)
        try await hub.people.changePassword(from: nil, to: Secret("another one"), by: owner, origin: .house)
        _ = try await hub.sessions.authenticate(tokens.access)
        _ = try await hub.sessions.login(username: "owner", password: Secret("another one"), origin: .house)
    }

    @Test("Ten recovery codes sign in once each, new codes replace old ones, and a code sign-in allows a new password")
    func recovery() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let codes = house.hub.recoveryCodes
        #expect(try await codes.state(of: owner).remaining == 0)
        let old = try await codes.make(by: owner, origin: .house)
        let paper = try await codes.make(by: owner, origin: .house)
        #expect(paper.count == 10 && Set(paper.map { $0.reveal() }).count == 10)
        await #expect(throws: Sessions.SessionError.self) { try await codes.login(old[0].reveal(), origin: .house) }

        let tokens = try await codes.login(RecoveryCode.formatted(paper[3]).lowercased(), origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await codes.login(paper[3].reveal(), origin: .house) }
        #expect(try await codes.state(of: owner).remaining == 9)
        let who = try await house.hub.sessions.authenticate(tokens.access)
        try await house.hub.people.changePassword(from: nil, to: Secret("remembered now"), by: who, origin: .house)
        _ = try await house.hub.sessions.login(username: "owner", password: Secret("remembered now"), origin: .house)

        let stranger = RequestOrigin(remote: "203.0.113.5", isLocal: false, requestID: nil)
        for _ in 0..<6 { _ = try? await codes.login(SecretGenerator.recoveryCode().reveal(), origin: stranger) }
        do {
            _ = try await codes.login(SecretGenerator.recoveryCode().reveal(), origin: stranger)
            Issue.record("guesses are not slowed down")
        } catch Sessions.SessionError.throttled {}
        _ = try await codes.login(paper[4].reveal(), origin: stranger)
    }
}

@Suite("Tokens for programs", .serialized)
struct APITokenTests {
    private func token(
        _ house: TestHouse, _ who: Principal, items: [CardeaHub.Guests.Draft.Item]? = nil, role: String? = nil, lasts: TimeInterval? = nil
    ) async throws -> (id: String, secret: Secret, principal: Principal) {
        let (token, secret) = try await house.hub.apiTokens.make(
            .init(name: "Heating script", items: items, role: role, expiresAt: lasts.map { house.clock.now.addingTimeInterval($0) }),
            by: who,
            origin: .house)
        return (token.id, secret, try await house.hub.sessions.authenticate(secret))
    }

    @Test("An API token opens only the devices it names, and the audit names the token")
    func narrowed() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (id, _, program) = try await token(
                house, owner, items: [.init(deviceID: "front-door", entityID: nil, actions: ["door.open"])])
            #expect(try await house.run(house.unlock(as: program)).status == .confirmed)
            await #expect(throws: CommandRefusal.gate(.deviceNotInScope)) {
                try await house.hub.commands.submit(house.unlock("back-door", as: program))
            }
            let lock = CommandRequest(
                principal: program, target: .device(id: "front-door", entityID: nil, verb: .lock), origin: .house)
            await #expect(throws: CommandRefusal.gate(.actionNotAllowed)) { try await house.hub.commands.submit(lock) }
            let looks = try await house.hub.visibilityFilter.requireVisibility(program, isLocal: true)
            #expect(looks == .pass(guestID: nil, entities: ["lock.front_door"], devices: ["front-door"]))
            let entries = try await house.hub.activity.entries(.init(), seenBy: owner)
            #expect(entries.contains { $0.action == "unlock" && $0.result == "confirmed" && $0.whoName != nil })
            let locks = try await house.auditNotes().filter { $0.action == "lock" }
            #expect(Set(locks.map(\.grantID)) == ["token:\(id)"])
        }
    }

    @Test("An API token cannot access people, passkeys, recovery codes, sessions, guests or tokens")
    func beyond() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (id, _, program) = try await token(house, owner)
        let hub = house.hub
        let party = RelyingParty(id: "localhost", origins: ["http://localhost"])
        let asks: [@Sendable () async throws -> Void] = [
            { _ = try await hub.people.all(seenBy: program) },
            { _ = try await hub.people.invite(name: "X", role: "member", by: program, call: nil, origin: .house) },
            { try await hub.people.changePassword(from: TestHouse.password, to: Secret("another one"), by: program, origin: .house) },
            { _ = try await hub.guests.invite(house.draft(), by: program, call: nil, origin: .house) },
            { _ = try await hub.guests.all(seenBy: program) },
            { _ = try await hub.passkeys.creationOptions(at: party, by: program, origin: .house) },
            { _ = try await hub.passkeys.all(of: program) },
            { _ = try await hub.recoveryCodes.make(by: program, origin: .house) },
            { _ = try await hub.sessions.open(seenBy: program) },
            { _ = try await hub.sessions.endAll(keepCurrent: true, by: program, origin: .house) },
            { _ = try await hub.sessions.stepUp(password: TestHouse.password, by: program, origin: .house) },
            { _ = try await hub.apiTokens.make(.init(name: "Y", items: nil, role: nil, expiresAt: nil), by: program, origin: .house) },
            { _ = try await hub.apiTokens.all(of: program) },
            { try await hub.apiTokens.revoke(id, by: program, origin: .house) },
            { _ = try await hub.activity.entries(.init(), seenBy: program) },
            { try await hub.people.requireSettingsRight(for: "device.fault", by: program, origin: .house) },
        ]
        for (index, ask) in asks.enumerated() {
            await #expect(throws: (any Error).self, "ask \(index)") { try await ask() }
        }
    }

    @Test("An API token is limited to its creator's current rights and ends with its creator, its expiry or its revocation")
    func attenuated() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
            guard case .person(let adminID, _) = admin else { return }
            _ = try await house.hub.devices.edit(
                "front-door", .init(name: nil, room: nil, isSecurityDevice: true, isGuestAccessible: nil), by: owner, origin: .house)
            let (_, secret, program) = try await token(house, admin)
            let (_, _, modest) = try await token(house, owner, role: "member")
            #expect(try await house.run(house.unlock(as: program)).status == .confirmed)
            await #expect(throws: CommandRefusal.gate(.securityDevice)) { try await house.hub.commands.submit(house.unlock(as: modest)) }
            let (greedy, _) = try await house.hub.apiTokens.make(
                .init(name: "Greedy", items: nil, role: "owner", expiresAt: nil), by: admin, origin: .house)
            #expect(greedy.role == .admin)
            func change(role: String? = nil, disabled: Bool? = nil) async throws {
                _ = try await house.hub.people.change(
                    adminID, .init(name: nil, role: role, canInviteGuests: nil, disabled: disabled), by: owner, origin: .house)
            }
            try await change(role: "member")
            await #expect(throws: CommandRefusal.gate(.securityDevice)) { try await house.hub.commands.submit(house.unlock(as: program)) }
            #expect(try await house.run(house.unlock("back-door", as: program)).status == .confirmed)
            try await change(disabled: true)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(secret) }
            await #expect(throws: CommandRefusal.gate(.noGrant)) {
                try await house.hub.commands.submit(house.unlock("back-door", as: program))
            }
            try await change(disabled: false)
            _ = try await house.hub.sessions.authenticate(secret)
            try await house.hub.people.remove(adminID, by: owner, origin: .house)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(secret) }

            let (id, second, _) = try await token(house, owner)
            try await house.hub.apiTokens.revoke(id, by: owner, origin: .house)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(second) }
            let (_, brief, briefly) = try await token(house, owner, lasts: 60)
            house.clock.advance(by: 60)
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(brief) }
            await #expect(throws: CommandRefusal.self) { try await house.hub.commands.submit(house.unlock("back-door", as: briefly)) }
            for nonsense in ["cardea_at_", "cardea_at_" + String(repeating: "A", count: 43)] {
                await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(Secret(nonsense)) }
            }
        }
    }
}
