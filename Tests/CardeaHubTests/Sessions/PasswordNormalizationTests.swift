import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Password normalization", .serialized, .timeLimit(.minutes(5)))
struct PasswordNormalizationTests {
    private static let composed = "Stra\u{DF}e \u{FC}ber B\u{E4}che 7"
    private static let apart = "Stra\u{DF}e u\u{308}ber Ba\u{308}che 7"

    private func hash(_ house: TestHouse, of username: String) async throws -> String? {
        try await house.store.read { db in
            try String.fetchOne(
                db, sql: "SELECT password_hash FROM people WHERE username_mark = marked(?, 'people.username')", arguments: [username])
        }
    }

    private func storeHash(_ hash: String, in house: TestHouse) async throws {
        try await house.store.write { try $0.execute(sql: "UPDATE people SET password_hash = ?", arguments: [hash]) }
    }

    @Test("A password chosen in one normal form signs in and steps up in the other", arguments: [(composed, apart), (apart, composed)])
    func chosen(_ chosen: String, _ typed: String) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (invitation, _) = try await house.hub.people.invite(name: "Member", role: "member", by: owner, call: nil, origin: .house)
        _ = try await house.hub.people.accept(invitation.secret, username: "rene", password: Secret(chosen), origin: .house)

        let tokens = try await house.hub.sessions.login(username: "rene", password: Secret(typed), origin: .house)
        let member = try await house.hub.sessions.authenticate(tokens.access)
        _ = try await house.hub.sessions.stepUp(password: Secret(typed), by: member, origin: .house)

        let kept = try #require(try await hash(house, of: "rene"))
        #expect(PasswordHash.verify(Secret(Self.composed), against: kept))
    }

    @Test("A hash of an unnormalized password still signs in, and is rehashed to the normalized form where one exists")
    func older() async throws {
        for former in [Self.apart, "\u{FEFF}" + Self.composed, "Stra\u{DF}e\u{A0}\u{FC}ber B\u{E4}che 7", "with a\ttab 7"] {
            let house = try await TestHouse.make(store: .inMemory())
            try await house.claim()
            let old = try PasswordHash.make(Secret(former), cost: ManualClock.passwordCost)
            try await storeHash(old, in: house)

            _ = try await house.hub.sessions.login(username: "owner", password: Secret(former), origin: .house)

            let kept = try #require(try await hash(house, of: "owner"))
            let isPrepared = (try? OpaqueString.prepared(Secret(former))) != nil
            // A tab is allowed in no new password: an old one is kept as it is.
            #expect((kept != old) == isPrepared)
            _ = try await house.hub.sessions.login(username: "owner", password: Secret(former), origin: .house)
            if isPrepared {
                #expect(PasswordHash.verify(Secret(Self.composed), against: kept))
                _ = try await house.hub.sessions.login(username: "owner", password: Secret(Self.composed), origin: .house)
            }
        }
    }

    @Test("A hash of the other normalization form is accepted at sign-in, step-up and password change, and is rehashed")
    func otherForm() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let old = try PasswordHash.make(Secret(Self.apart), cost: ManualClock.passwordCost)

        try await storeHash(old, in: house)
        _ = try await house.hub.sessions.login(username: "owner", password: Secret(Self.composed), origin: .house)
        let signedIn = try #require(try await hash(house, of: "owner"))
        #expect(signedIn != old && PasswordHash.verify(Secret(Self.composed), against: signedIn))

        try await storeHash(old, in: house)
        _ = try await house.hub.sessions.stepUp(password: Secret(Self.composed), by: owner, origin: .house)
        let steppedUp = try #require(try await hash(house, of: "owner"))
        #expect(steppedUp != old && PasswordHash.verify(Secret(Self.composed), against: steppedUp))

        try await storeHash(old, in: house)
        try await house.hub.people.changePassword(
            from: Secret(Self.composed), to: Secret("four words of mine"), by: owner, origin: .house)
        _ = try await house.hub.sessions.login(username: "owner", password: Secret("four words of mine"), origin: .house)
    }

    @Test("A wrong password tried in several forms counts as one guess")
    func oneGuess() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()

        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.login(username: "owner", password: Secret("\u{FEFF}" + Self.apart), origin: .house)
        }

        let failures = try await house.store.read { try Int.fetchAll($0, sql: "SELECT failures FROM throttles WHERE scope = 'account'") }
        #expect(failures == [1])
    }
}
