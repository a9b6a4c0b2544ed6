import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Session rejections", .serialized, .timeLimit(.minutes(10)))
struct SessionRejectionTests {
    @Test("An access token issued more than a minute in the future is rejected")
    func fromTheFuture() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (_, tokens) = try await house.claim()

        house.clock.jump(to: house.clock.now.addingTimeInterval(-60))
        _ = try await house.hub.sessions.authenticate(tokens.access)
        house.clock.jump(to: house.clock.now.addingTimeInterval(-1))

        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
    }

    @Test("An access token ends with its session's last day")
    func lastDay() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        var (_, tokens) = try await house.claim()
        let end = house.clock.now.addingTimeInterval(180 * 86_400)
        for _ in 0..<7 {
            house.clock.advance(by: 25 * 86_400)
            tokens = try await house.hub.sessions.refresh(tokens.refresh, origin: .house)
        }
        house.clock.jump(to: end.addingTimeInterval(-1800))
        tokens = try await house.hub.sessions.refresh(tokens.refresh, origin: .house)
        _ = try await house.hub.sessions.authenticate(tokens.access)

        house.clock.jump(to: end)

        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
        // Another person's sign-in reloads the session, and it is over all the same.
        _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.authenticate(tokens.access) }
    }

    @Test("A weaker password hash is replaced at the next sign-in")
    func rehash() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let weaker = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        try await house.store.write { try $0.execute(sql: "UPDATE people SET password_hash = ?", arguments: [weaker]) }

        _ = try await house.hub.sessions.login(username: "owner", password: Secret("password"), origin: .house)

        let kept = try await house.store.read { try String.fetchOne($0, sql: "SELECT password_hash FROM people") }
        #expect(kept.map { PasswordHash.needsRehash($0, cost: ManualClock.passwordCost) } == false)
        _ = try await house.hub.sessions.login(username: "owner", password: Secret("password"), origin: .house)
    }

    @Test("A flood of sign-ins is limited: some succeed, and the others get busy")
    func flood() async throws {
        let house = try await TestHouse.make(store: .inMemory(), passwordCost: HubEnvironment.real.passwordCost)
        try await house.claim()
        let kept = try await house.store.read { try String.fetchOne($0, sql: "SELECT password_hash FROM people") }
        #expect(kept?.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$") == true)
        var (heard, busy) = (0, 0)
        while busy == 0 {
            let outcomes = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        do {
                            _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
                            return true
                        } catch Sessions.SessionError.busy { return false }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            heard += outcomes.count { $0 }
            busy += outcomes.count { !$0 }
        }
        #expect(heard >= 8)
    }

    /// An address shared by many, as behind a router or a proxy.
    private static let shared = RequestOrigin(remote: "192.168.1.5", isLocal: true, requestID: nil)

    /// The result of a sign-in attempt: `in`, `wrong`, or `wait`.
    private static func login(_ house: TestHouse, _ name: String, _ password: Secret, from origin: RequestOrigin) async throws -> String {
        do {
            _ = try await house.hub.sessions.login(username: name, password: password, origin: origin)
            return "in"
        } catch Sessions.SessionError.invalidCredentials {
            return "wrong"
        } catch Sessions.SessionError.throttled { return "wait" }
    }

    // A member's own sign-in once reset their guesses at the owner's password from the shared address, five at a time.
    @Test("A successful sign-in as one person does not reset the guess counter for another")
    func guessingInTurns() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        _ = try await house.resident("member", role: "member", by: owner)
        for name in ["owner", "member"] { #expect(try await Self.login(house, name, TestHouse.password, from: Self.shared) == "in") }

        var heard = 0
        for _ in 0..<4 {
            for _ in 0..<5 where try await Self.login(house, "owner", Secret("wrong one"), from: Self.shared) == "wrong" { heard += 1 }
            #expect(try await Self.login(house, "member", TestHouse.password, from: Self.shared) == "in")
        }

        #expect(heard == 6)
        // Nor guesses at a person who has never signed in from there.
        _ = try await house.resident("other", role: "member", by: owner)
        heard = 0
        for _ in 0..<4 {
            for _ in 0..<5 where try await Self.login(house, "other", Secret("wrong one"), from: Self.shared) == "wrong" { heard += 1 }
            #expect(try await Self.login(house, "member", TestHouse.password, from: Self.shared) == "in")
        }
        #expect(heard == 6)
    }

    // A mistyped password once made everyone behind the same router wait.
    @Test("One person's wrong passwords do not throttle another at a known address; an attacker elsewhere is throttled")
    func sharedAddress() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        _ = try await house.resident("member", role: "member", by: owner)
        for name in ["owner", "member"] { #expect(try await Self.login(house, name, TestHouse.password, from: Self.shared) == "in") }

        for name in ["member", "nobody"] {
            for _ in 0..<6 { #expect(try await Self.login(house, name, Secret("wrong one"), from: Self.shared) == "wrong") }
            #expect(try await Self.login(house, name, TestHouse.password, from: Self.shared) == "wait")
        }
        let elsewhere = RequestOrigin(remote: "203.0.113.9", isLocal: false, requestID: nil)
        for _ in 0..<6 { #expect(try await Self.login(house, "owner", Secret("wrong one"), from: elsewhere) == "wrong") }

        #expect(try await Self.login(house, "owner", TestHouse.password, from: Self.shared) == "in")
        // Guesses from elsewhere still count at their own address.
        #expect(try await Self.login(house, "owner", TestHouse.password, from: elsewhere) == "wait")
    }

    @Test("Signing out as a guest ends no session")
    func guest() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, tokens) = try await house.claim()
        let (guest, _, token) = try await house.guest(house.draft(), by: owner)

        try await house.hub.sessions.logout(guest, origin: .house)

        #expect(try await house.hub.sessions.authenticate(tokens.access) == owner)
        #expect(try await house.hub.guestAccess.authenticate(token, origin: .house) == guest)
    }

    @Test("Any number of access tokens verify correctly with a limited cache")
    func remembered() async throws {
        let clock = ManualClock()
        let (store, sealing) = (try Store.inMemory(), SealingKey.random())
        _ = try await AuditLogWriter(store: store, sealing: sealing, at: clock.now)
        let tokens = try await AccessTokens(
            store: store, sealing: sealing, issuer: "house", environment: clock.environment, remembered: 2)
        for round in 0..<2 {
            for number in 0..<5 {
                let token = try await tokens.make(personID: "person_\(number)", sessionID: "session_\(round)", at: clock.now)
                for _ in 0..<2 { #expect(try await tokens.verify(token, at: clock.now).personID == "person_\(number)") }
            }
        }
    }
}
