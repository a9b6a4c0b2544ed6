import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

/// A right existed at the beginning of a request, and is gone when it counts. A request's token was once checked when its head arrived, and
/// the action ran when its body arrived, up to half a minute later.
@Suite("Rights revoked during a request", .timeLimit(.minutes(10)))
struct RevokedDuringRequestTests {
    private let party = RelyingParty(id: "house.example", origins: ["https://house.example"])

    private func session(of principal: Principal) throws -> String {
        guard case .person(_, let sessionID) = principal else { throw Sessions.SessionError.unauthorized }
        return sessionID
    }

    private func isSignedOut(_ error: any Error) -> Bool {
        if case Sessions.SessionError.unauthorized = error { true } else { false }
    }

    private func endSession(_ principal: Principal, in house: TestHouse) async throws {
        let (id, now) = (try session(of: principal), house.clock.now)
        try await house.store.write { try Sessions.end(id, reason: "ended_by_person", at: now, in: $0) }
    }

    @Test("A passkey registration fails when its session ends before it completes")
    func passkey() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let passkeys = house.hub.passkeys
        let creation = try await passkeys.creationOptions(at: party, by: owner, origin: .house)
        let soft = SoftwareAuthenticator(userHandle: creation.handle)
        let made = try soft.registrationResponse(
            creation.challenge, rpID: party.id, origin: "https://house.example", flags: SoftwareAuthenticator.defaultFlags)
        try await endSession(owner, in: house)

        await #expect {
            _ = try await passkeys.register(
                .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: []), name: nil,
                at: party, by: owner, origin: .house)
        } throws: {
            isSignedOut($0)
        }
    }

    @Test("A password change fails after its session ended, even with the correct old password")
    func password() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        try await endSession(owner, in: house)

        await #expect {
            try await house.hub.people.changePassword(
                from: TestHouse.password, to: Secret("another long password"), by: owner, origin: .house)
        } throws: {
            isSignedOut($0)
        }
        _ = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
    }

    @Test("Of two concurrent password changes, the second fails with a wrong-password error")
    func twoPasswords() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let results = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<2 {
                group.addTask {
                    do {
                        try await house.hub.people.changePassword(
                            from: TestHouse.password, to: Secret("another long password \(number)"), by: owner, origin: .house)
                        return true
                    } catch People.PersonError.wrongPassword {
                        return false
                    } catch {
                        Issue.record(error)
                        return false
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results.count(where: \.self) == 1)
    }

    @Test("A login fails when the person's password changes while the password is being checked")
    func signingIn() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (ben, _) = try await house.resident("ben", role: "member", by: owner)
        guard case .person(let id, _) = ben else { return }
        let sink = house.hub.sessions.passwordHasher
        sink.queue.suspend()
        let login = Task { try await house.hub.sessions.login(username: "ben", password: TestHouse.password, origin: .house) }
        // A request that waits for its password check has been read.
        try await waitUntil { sink.queueLength == 1 }
        try await house.store.write { db in
            try db.execute(sql: "UPDATE people SET password_hash = 'changed meanwhile' WHERE id = ?", arguments: [id])
        }
        sink.queue.resume()
        await #expect {
            _ = try await login.value
        } throws: {
            if case Sessions.SessionError.invalidCredentials = $0 { true } else { false }
        }
    }

    @Test("A replaced guest phone loses visibility even with a realtime ticket issued before")
    func replacedPhone() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, first) = try await house.guest(house.draft(), by: owner)
            let ticket = try house.hub.realtimeTickets.issue(to: Credential(guest, by: first))
            let second = try await house.hub.guestAccess.pair(
                house.hub.guests.newCode(for: id, by: owner, origin: .house).linkCode.reveal(), origin: .house
            ).token

            let held = try #require(house.hub.realtimeTickets.redeem(ticket))
            #expect(try await house.hub.visibilityFilter.visibility(of: held.principal, by: held.token, isLocal: true) == nil)
            #expect(
                try await house.hub.visibilityFilter.visibility(of: guest, by: Credential(guest, by: second).token, isLocal: true) != nil)
        }
    }

    @Test("A device closed to guests is removed from guest views, and its later events are filtered out")
    func closedDevice() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, _, _) = try await house.guest(house.draft(), by: owner)
            let viewer = try #require(try await house.hub.visibilityFilter.visibility(of: guest, isLocal: true))
            let start = try await house.hub.journal.last()
            _ = try await house.hub.devices.edit("front-door", .init(isGuestAccessible: false), by: owner, origin: .house)
            _ = try await house.run(house.unlock(as: owner))

            let told = try await house.hub.journal.events(after: start, limit: 100).events.compactMap(viewer.filtered)
            #expect(told.map(\.name) == [.deviceRemoved])
            #expect(viewer.filtered(try #require(house.hub.devices.device("front-door"))) == nil)
        }
    }
}

@Suite("Repeated refusals are throttled and bounded in the audit log", .timeLimit(.minutes(10)))
struct RepeatedRefusalTests {
    private let outside = RequestOrigin(remote: "203.0.113.9", isLocal: false, requestID: nil)

    private func written(_ house: TestHouse) async throws -> Int {
        try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM audit") ?? 0 }
    }

    @Test("Unknown passkeys are refused, audited, and throttled after 31 attempts; a known passkey still signs in")
    func passkeys() async throws {
        let party = RelyingParty(id: "house.example", origins: ["https://house.example"])
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let passkeys = house.hub.passkeys
        let creation = try await passkeys.creationOptions(at: party, by: owner, origin: .house)
        let ours = SoftwareAuthenticator(userHandle: creation.handle)
        let made = try ours.registrationResponse(
            creation.challenge, rpID: party.id, origin: "https://house.example", flags: SoftwareAuthenticator.defaultFlags)
        _ = try await passkeys.register(
            .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: []), name: nil, at: party,
            by: owner, origin: .house)

        func show(_ soft: SoftwareAuthenticator) async throws {
            let challenge = try await passkeys.requestChallenge(at: party)
            let said = try soft.assertionResponse(
                challenge, rpID: party.id, origin: "https://house.example", flags: SoftwareAuthenticator.defaultFlags)
            _ = try await passkeys.login(
                .init(
                    credentialID: soft.credentialID, clientDataJSON: said.clientDataJSON, authenticatorData: said.authenticatorData,
                    signature: said.signature, userHandle: soft.userHandle), at: party, origin: outside)
        }
        let stranger = SoftwareAuthenticator(userHandle: Data(repeating: 7, count: 32))
        let before = try await written(house)
        var throttled = 0
        for _ in 0..<40 {
            do {
                try await show(stranger)
            } catch Passkeys.CredentialError.throttled {
                throttled += 1
            } catch Passkeys.CredentialError.unknownPasskey {}
        }
        #expect(throttled == 9)
        #expect(try await written(house) == before + 31)
        try await show(ours)
    }

    @Test("A replaced guest phone and a guest's repeated forbidden commands are throttled; allowed commands still run")
    func passes() async throws {
        try await TestHouse.open { house in
            let (owner, _) = try await house.claim()
            let (guest, id, first) = try await house.guest(house.draft(), by: owner)
            _ = try await house.hub.guestAccess.pair(
                house.hub.guests.newCode(for: id, by: owner, origin: .house).linkCode.reveal(), origin: .house)
            var waits = 0
            for _ in 0..<40 {
                do {
                    _ = try await house.hub.guestAccess.authenticate(first, origin: outside)
                } catch GuestAccess.GuestAccessError.throttled {
                    waits += 1
                } catch GuestAccess.GuestAccessError.pass {}
            }
            #expect(waits == 9)

            _ = try await house.hub.guests.decide(.suspend, id, by: owner, origin: .house)
            let before = try await written(house)
            var busy = 0
            for _ in 0..<130 {
                do {
                    _ = try await house.hub.commands.submit(house.open(as: guest))
                } catch CommandRefusal.busy {
                    busy += 1
                } catch CommandRefusal.gate {}
            }
            #expect(busy == 9)
            #expect(try await written(house) == before + 121)
            // Its permitted actions are not delayed by it.
            _ = try await house.hub.guests.decide(.resume, id, by: owner, origin: .house)
            #expect(try await house.run(house.open(as: guest)).status == .confirmed)
        }
    }
}
