import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("People of the house", .serialized)
struct PeopleTests {
    @Test("A house is claimed once, with the latest claim token")
    func claim() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let stale = try #require(try await house.hub.house.newClaimToken())
        func claim(_ token: Secret) async throws {
            _ = try await house.hub.people.claim(
                .init(
                    token: token, username: "owner", password: TestHouse.password, name: "Owner", houseName: "Lime House",
                    timeZone: "Europe/Berlin"),
                origin: .house)
        }
        let token = try #require(try await house.hub.house.newClaimToken())
        await #expect(throws: People.PersonError.self) { try await claim(stale) }
        try await claim(token)
        await #expect(throws: People.PersonError.self) { try await claim(token) }
        #expect(try await house.hub.house.newClaimToken() == nil)
        #expect(house.hub.house.current.name == "Lime House" && house.hub.house.current.timeZone.identifier == "Europe/Berlin")
    }

    @Test("Only an owner can manage owners and admins, and the last owner cannot be removed")
    func managing() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (admin, _) = try await house.resident("admin", role: "admin", by: owner)
        guard case .person(let ownerID, _) = owner, case .person(let adminID, _) = admin else { return }
        func change(_ id: String, role: String? = nil, disabled: Bool? = nil, by: Principal) async throws {
            _ = try await house.hub.people.change(
                id, .init(name: nil, role: role, canInviteGuests: nil, disabled: disabled), by: by, origin: .house)
        }
        await #expect(throws: People.PersonError.self) { try await change(ownerID, role: "member", by: admin) }
        await #expect(throws: People.PersonError.self) { try await change(adminID, role: "owner", by: admin) }
        await #expect(throws: People.PersonError.self) { try await house.resident("second", role: "admin", by: admin) }
        for attempt in [("member", Optional(false)), ("owner", true)] {
            do {
                try await change(ownerID, role: attempt.0, disabled: attempt.1, by: owner)
                Issue.record("the last owner went")
            } catch People.PersonError.lastOwner {}
        }
        do {
            try await house.hub.people.remove(ownerID, by: owner, origin: .house)
            Issue.record("the last owner went")
        } catch People.PersonError.lastOwner {}
        try await change(adminID, role: "owner", by: owner)
        try await change(ownerID, role: "member", by: admin)
        #expect(try await house.hub.people.person(ownerID)?.role == .member)
    }

    @Test("A removed person loses all sessions, sign-in and grants at once")
    func out() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, tokens) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let id, _) = member else { return }
        _ = try await house.hub.sessions.authenticate(tokens.access)
        try await house.hub.people.remove(id, by: owner, origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.refresh(tokens.refresh, origin: .house) }
        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.login(username: "member", password: TestHouse.password, origin: .house)
        }
        await #expect(throws: CommandRefusal.gate(.noGrant)) { try await house.hub.commands.submit(house.unlock(as: member)) }
    }

    /// Of two concurrent renames of a person, the later one once won, without a notice to either.
    @Test("A stale person change is rejected with the current person")
    func stale() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        guard case .person(let id, _) = member else { return }
        func rename(_ name: String, seen: ExpectedVersion = .any, by who: Principal) async throws -> Person {
            try await house.hub.people.change(
                id, .init(name: name, role: nil, canInviteGuests: nil, disabled: nil), seen: seen, by: who, origin: .house)
        }
        let before = try #require(try await house.hub.people.person(id))

        let changed = try await rename("Robin", seen: .oneOf([before.version]), by: owner)

        #expect(changed.version == before.version + 1)
        do {
            _ = try await rename("Robert", seen: .oneOf([before.version]), by: member)
            Issue.record("the other's name was overwritten")
        } catch People.PersonError.stale(let now) { #expect(now == changed) }
        #expect(try await rename("Bob", by: member).version == before.version + 2)
    }

    @Test("An invitation is accepted once, before it expires, and with a free username")
    func invitations() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (invitation, _) = try await house.hub.people.invite(name: "Newcomer", role: "member", by: owner, call: nil, origin: .house)
        func accept(_ token: Secret, _ name: String) async throws {
            _ = try await house.hub.people.accept(token, username: name, password: TestHouse.password, origin: .house)
        }
        do {
            try await accept(invitation.secret, "OWNER")
            Issue.record("a name was taken twice")
        } catch People.PersonError.usernameTaken {}
        try await accept(Secret("<https://house.example/join#\(invitation.secret.reveal())>."), "newcomer")
        await #expect(throws: People.PersonError.self) { try await accept(invitation.secret, "newcomer") }
        let (late, _) = try await house.hub.people.invite(name: "Late", role: "member", by: owner, call: nil, origin: .house)
        house.clock.advance(by: 7 * 86_400)
        await #expect(throws: People.PersonError.self) { try await accept(late.secret, "late") }
        _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
        let again = try await house.hub.people.renewInvitation(late.personID, by: owner, origin: .house)
        try await accept(again.secret, "late")
    }

    @Test("Wrong passwords throttle but never lock out, and unknown usernames get the same error")
    func passwords() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let origin = RequestOrigin(remote: "192.0.2.1", isLocal: false, requestID: nil)
        for _ in 0..<6 {
            do {
                _ = try await house.hub.sessions.login(username: "owner", password: Secret("wrong password"), origin: origin)
            } catch Sessions.SessionError.invalidCredentials {}
        }
        do {
            _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: origin)
            Issue.record("a seventh try was heard at once")
        } catch Sessions.SessionError.throttled(let wait) { #expect(wait == 1) }
        house.clock.advance(by: 1)
        _ = try await house.hub.sessions.login(username: " Owner", password: TestHouse.password, origin: origin)
        do {
            _ = try await house.hub.sessions.login(username: "nobody", password: Secret("wrong password"), origin: .house)
        } catch Sessions.SessionError.invalidCredentials {}
    }

    // The throttle was once checked before the password, and not again: concurrent guesses were all checked.
    @Test("Concurrent guesses get no more attempts than sequential ones")
    func guessesAtOnce() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let origin = RequestOrigin(remote: "192.0.2.1", isLocal: false, requestID: nil)
        /// The number of six concurrent guesses that were checked and refused as wrong.
        func together(_ guess: @escaping @Sendable () async throws -> Void) async -> Int {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        do {
                            try await guess()
                            return false
                        } catch Sessions.SessionError.throttled {
                            return false
                        } catch { return true }
                    }
                }
                var wrong = 0
                for await isWrong in group where isWrong { wrong += 1 }
                return wrong
            }
        }
        for _ in 0..<6 {
            await #expect(throws: Sessions.SessionError.self) {
                try await house.hub.sessions.login(username: "owner", password: Secret("wrong password"), origin: origin)
            }
        }
        house.clock.advance(by: 1)
        let signingIn = await together {
            _ = try await house.hub.sessions.login(username: "owner", password: Secret("wrong password"), origin: origin)
        }
        #expect(signingIn == 1)

        for _ in 0..<6 {
            await #expect(throws: People.PersonError.self) {
                try await house.hub.sessions.stepUp(password: Secret("no"), by: owner, origin: .house)
            }
        }
        house.clock.advance(by: 1)
        let stepping = await together { _ = try await house.hub.sessions.stepUp(password: Secret("no"), by: owner, origin: .house) }
        #expect(stepping == 1)
    }

    @Test("Guesses from other addresses do not throttle an address with an earlier sign-in")
    func knownAddress() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        func from(_ address: String) -> RequestOrigin { RequestOrigin(remote: address, isLocal: false, requestID: nil) }
        func login(_ password: Secret, from address: String) async throws {
            _ = try await house.hub.sessions.login(username: "owner", password: password, origin: from(address))
        }
        func guess(from address: (Int) -> String) async throws {
            for number in 0..<6 {
                do {
                    try await login(Secret("wrong password"), from: address(number))
                    Issue.record("a guess was right")
                } catch Sessions.SessionError.invalidCredentials {}
            }
        }
        func isThrottled(from address: String) async throws -> Bool {
            do {
                try await login(TestHouse.password, from: address)
                return false
            } catch Sessions.SessionError.throttled { return true }
        }
        try await login(TestHouse.password, from: "192.0.2.10")

        try await guess { "198.51.100.\($0)" }

        #expect(try await isThrottled(from: "203.0.113.5"))
        #expect(try await !isThrottled(from: "192.0.2.10"))
        // Guesses from that very address throttle it like any other.
        try await guess { _ in "192.0.2.10" }
        #expect(try await isThrottled(from: "192.0.2.10"))
    }

    @Test("A username in any script is compared regardless of case and normalization form")
    func usernames() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        // A letter and its caron as two code points, as some keyboards send it.
        let typed = "Z\u{30C}OFIE"
        _ = try await house.resident(typed, role: "member", by: owner)

        for name in ["\u{17E}ofie", "\u{17D}ofie", "z\u{30C}ofie", " \u{17D}OFIE "] {
            _ = try await house.hub.sessions.login(username: name, password: TestHouse.password, origin: .house)
            let (invitation, _) = try await house.hub.people.invite(name: "Other", role: "member", by: owner, call: nil, origin: .house)
            do {
                _ = try await house.hub.people.accept(invitation.secret, username: name, password: TestHouse.password, origin: .house)
                Issue.record("a name was taken twice")
            } catch People.PersonError.usernameTaken {}
        }
        // Without its caron it is another name, and another person's.
        _ = try await house.resident("zofie", role: "member", by: owner)
        #expect(try await house.hub.people.all(seenBy: owner).compactMap(\.username).sorted() == ["owner", "zofie", "\u{17E}ofie"])
    }

    @Test("A password change ends all other sessions")
    func newPassword() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, tokens) = try await house.claim()
        let other = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
        await #expect(throws: People.PersonError.self) {
            try await house.hub.people.changePassword(from: Secret("wrong one"), to: Secret("another one"), by: owner, origin: .house)
        }
        try await house.hub.people.changePassword(from: TestHouse.password, to: Secret("another one"), by: owner, origin: .house)
        _ = try await house.hub.sessions.authenticate(tokens.access)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(other.access) }
    }
}

@Suite("Refresh tokens and session lifetime", .serialized)
struct SessionTests {
    @Test("A refresh token works once, and a lost response can be repeated within half a minute")
    func rotation() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (_, first) = try await house.claim()
        let second = try await house.hub.sessions.refresh(first.refresh, origin: .house)
        house.clock.advance(by: 29)
        let again = try await house.hub.sessions.refresh(first.refresh, origin: .house)
        #expect(again.refresh.reveal() == second.refresh.reveal())
        let third = try await house.hub.sessions.refresh(second.refresh, origin: .house)
        #expect(third.refresh.reveal() != second.refresh.reveal())
    }

    @Test("Reusing a refresh token ends the whole token family")
    func reuse() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (_, first) = try await house.claim()
        let second = try await house.hub.sessions.refresh(first.refresh, origin: .house)
        house.clock.advance(by: 31)
        do {
            _ = try await house.hub.sessions.refresh(first.refresh, origin: .house)
            Issue.record("a copied token was taken")
        } catch Sessions.SessionError.reused {}
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.refresh(second.refresh, origin: .house) }
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(second.access) }
    }

    @Test("A refresh token is reused as soon as its successor was used, even within the grace period")
    func reuseWithinGrace() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (_, first) = try await house.claim()
        let second = try await house.hub.sessions.refresh(first.refresh, origin: .house)
        _ = try await house.hub.sessions.refresh(second.refresh, origin: .house)
        do {
            _ = try await house.hub.sessions.refresh(first.refresh, origin: .house)
            Issue.record("a copied token was taken")
        } catch Sessions.SessionError.reused {}
    }

    @Test("64 concurrent refreshes return the same successor", .timeLimit(.minutes(10)))
    func parallel() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (_, tokens) = try await house.claim()
        let successors = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<64 { group.addTask { try await house.hub.sessions.refresh(tokens.refresh, origin: .house).refresh.reveal() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(successors.count == 1)
    }

    @Test("An access token lasts an hour; a session lasts 30 idle days and 180 days in total")
    func ages() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (_, tokens) = try await house.claim()
        house.clock.advance(by: 3599)
        _ = try await house.hub.sessions.authenticate(tokens.access)
        house.clock.advance(by: 1)
        do {
            _ = try await house.hub.sessions.authenticate(tokens.access)
            Issue.record("an old token was taken")
        } catch Sessions.SessionError.expired {}
        var latest = tokens
        for _ in 0..<7 {
            house.clock.advance(by: 25 * 86_400)
            latest = try await house.hub.sessions.refresh(latest.refresh, origin: .house)
        }
        house.clock.advance(by: 25 * 86_400)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.refresh(latest.refresh, origin: .house) }
        let idle = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
        house.clock.advance(by: 30 * 86_400)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.refresh(idle.refresh, origin: .house) }
    }

    @Test("Signing out ends the session at once")
    func logout() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, tokens) = try await house.claim()
        try await house.hub.sessions.logout(refresh: Secret("unknown"), origin: .house)
        _ = try await house.hub.sessions.authenticate(tokens.access)
        try await house.hub.sessions.logout(owner, origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
    }

    @Test("Foreign, unsigned and altered access tokens are rejected")
    func forged() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (_, tokens) = try await house.claim()
        let other = try await TestHouse.make(store: .inMemory(), clock: house.clock)
        let (_, foreign) = try await other.claim()
        let parts = tokens.access.reveal().split(separator: ".").map(String.init)
        func base64(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "").replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_")
        }
        let none = base64(#"{"alg":"none","typ":"JWT","kid":"x"}"#)
        let hmac = base64(#"{"alg":"HS256","typ":"JWT","kid":"x"}"#)
        let forgeries = [
            "", ".", "..", "a.b.c", foreign.access.reveal(), "\(none).\(parts[1]).", "\(hmac).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).\(parts[2].reversed())", tokens.refresh.reveal(), String(repeating: "a", count: 10_000),
        ]
        for forgery in forgeries {
            await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(Secret(forgery)) }
        }
        // Every single changed character of the signature is detected.
        var signature = Array(parts[2])
        for index in stride(from: 0, to: signature.count - 1, by: 7) {
            let kept = signature[index]
            signature[index] = kept == "A" ? "B" : "A"
            await #expect(throws: Sessions.SessionError.self) {
                try await house.hub.sessions.authenticate(Secret("\(parts[0]).\(parts[1]).\(String(signature))"))
            }
            signature[index] = kept
        }
        _ = try await house.hub.sessions.authenticate(tokens.access)
    }
}
