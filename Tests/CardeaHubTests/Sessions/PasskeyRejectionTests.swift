import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

@Suite("Passkey rejections", .serialized)
struct PasskeyRejectionTests {
    private let party = RelyingParty(id: "house.example", origins: ["https://house.example"])

    private func answer(_ soft: SoftwareAuthenticator, _ challenge: Data, flags: UInt8 = SoftwareAuthenticator.defaultFlags) throws
        -> Passkeys.Attestation
    {
        let made = try soft.registrationResponse(challenge, rpID: party.id, origin: "https://house.example", flags: flags)
        return .init(clientDataJSON: made.clientDataJSON, attestationObject: made.attestationObject, transports: ["usb"])
    }

    private func shown(_ soft: SoftwareAuthenticator, _ challenge: Data, flags: UInt8 = SoftwareAuthenticator.defaultFlags) throws
        -> Passkeys.Assertion
    {
        let said = try soft.assertionResponse(challenge, rpID: party.id, origin: "https://house.example", flags: flags)
        return .init(
            credentialID: soft.credentialID, clientDataJSON: said.clientDataJSON, authenticatorData: said.authenticatorData,
            signature: said.signature, userHandle: soft.userHandle)
    }

    private func add(_ house: TestHouse, _ who: Principal) async throws -> SoftwareAuthenticator {
        let creation = try await house.hub.passkeys.creationOptions(at: party, by: who, origin: .house)
        let soft = SoftwareAuthenticator(userHandle: creation.handle)
        _ = try await house.hub.passkeys.register(
            answer(soft, creation.challenge), name: nil, at: party, by: who, origin: .house)
        return soft
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch Passkeys.CredentialError.refused(let problem) {
            return "refused: \(problem)"
        } catch Passkeys.CredentialError.name(let problem) {
            return "name: \(problem)"
        } catch People.PersonError.forbidden(.roleLacksRight) {
            return "lacks right"
        } catch { return "\(error)" }
    }

    @Test("An unanswered challenge is not stored, and an answered one is deleted after six minutes")
    func kept() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        func left() async throws -> Int? {
            try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM passkey_challenges") }
        }
        let challenge = try await house.hub.passkeys.requestChallenge(at: party)
        #expect(try await left() == 0)
        #expect(
            await refusal { _ = try await house.hub.passkeys.login(shown(SoftwareAuthenticator(), challenge), at: party, origin: .house) }
                != nil)
        for (seconds, count) in [(0.0, 1), (240.0, 1), (120.0, 0)] {
            house.clock.advance(by: seconds)
            try await house.hub.clock.trust(at: house.clock.now)
            try await house.hub.housekeeping.sweep(at: house.clock.now)
            #expect(try await left() == count)
        }
    }

    @Test("An altered or random challenge is rejected as unknown")
    func forged() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let challenge = try await house.hub.passkeys.requestChallenge(at: party)
        var forged = challenge.indices.map { index in
            var other = challenge
            other[index] ^= 1
            return other
        }
        forged += [Data(), challenge.prefix(24), challenge.dropLast(), challenge + Data([0]), SecretGenerator.randomBytes(challenge.count)]
        for (number, one) in forged.enumerated() {
            // A single address would be throttled after some of them.
            let origin = RequestOrigin(remote: "192.0.2.\(number)", isLocal: false, requestID: nil)
            #expect(
                await refusal { _ = try await house.hub.passkeys.login(shown(SoftwareAuthenticator(), one), at: party, origin: origin) }
                    == "unknownChallenge")
            house.clock.advance(by: 1)
        }
    }

    @Test("Guests and API tokens cannot list, add or use passkeys or recovery codes")
    func onlyPeople() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (guest, _, _) = try await house.guest(house.draft(), by: owner)
        let program = Principal.apiToken(id: "token_1", personID: owner.personID ?? "")
        let soft = try await add(house, owner)
        let passkeys = house.hub.passkeys
        let passkey = try #require(try await passkeys.all(of: owner).first)
        for who in [guest, program] {
            let asks: [() async throws -> Void] = [
                { _ = try await passkeys.all(of: who) },
                { _ = try await passkeys.creationOptions(at: party, by: who, origin: .house) },
                {
                    _ = try await passkeys.register(
                        answer(soft, SecretGenerator.randomBytes(32)), name: nil, at: party, by: who, origin: .house)
                },
                { _ = try await passkeys.rename(passkey.id, to: "Mine now", by: who, origin: .house) },
                { try await passkeys.remove(passkey.id, by: who, origin: .house) },
                {
                    let challenge = try await passkeys.requestChallenge(at: party)
                    _ = try await passkeys.stepUp(shown(soft, challenge), at: party, by: who, origin: .house)
                },
                { _ = try await house.hub.recoveryCodes.state(of: who) },
                { _ = try await house.hub.recoveryCodes.make(by: who, origin: .house) },
            ]
            for (index, ask) in asks.enumerated() { #expect(await refusal(ask) == "lacks right", "ask \(index)") }
        }
        #expect(try await passkeys.all(of: owner) == [passkey])
    }

    @Test("An invalid registration response stores no passkey, and one that answers the challenge consumes it")
    func damaged() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let passkeys = house.hub.passkeys
        let creation = try await passkeys.creationOptions(at: party, by: owner, origin: .house)
        let soft = SoftwareAuthenticator(userHandle: creation.handle)
        func register(_ made: Passkeys.Attestation, name: String? = nil) async -> String? {
            await refusal { _ = try await passkeys.register(made, name: name, at: party, by: owner, origin: .house) }
        }
        let good = try answer(soft, creation.challenge)
        let noWords = Passkeys.Attestation(clientDataJSON: Data("{}".utf8), attestationObject: good.attestationObject, transports: [])
        #expect(await register(noWords) == "refused: malformed")
        #expect(await register(good, name: " ") == "name: empty")
        #expect(await register(good, name: "a\u{7}b") == "name: invalidCharacters")
        // An answer without user verification was an answer: the right one comes too late.
        #expect(await register(try answer(soft, creation.challenge, flags: 0x01)) == "refused: userNotVerified")
        #expect(await register(good) == "unknownChallenge")
        #expect(try await passkeys.all(of: owner).isEmpty)
    }

    /// An answer that is right except for this.
    private func answer(_ challenge: Data, wrongBy problem: PasskeyError) throws -> Passkeys.Attestation {
        let soft = SoftwareAuthenticator()
        var (type, origin, more) = ("webauthn.create", "https://house.example", "")
        var (rpID, flags) = (party.id, SoftwareAuthenticator.defaultFlags)
        switch problem {
        case .wrongType: type = "webauthn.get"
        case .wrongOrigin: origin = "https://elsewhere.example"
        case .crossOrigin: more = #","crossOrigin":true"#
        case .wrongRelyingParty: rpID = "elsewhere.example"
        case .userNotPresent: flags = 0x1C
        case .userNotVerified: flags = 0x19
        // Other bytes than the signed ones.
        case .wrongSignature: more = " "
        default: break
        }
        var object = try soft.registrationResponse(
            challenge, rpID: rpID, origin: "https://house.example", flags: flags, signsItself: problem == .wrongSignature
        ).attestationObject
        switch problem {
        case .malformed: object = Data([1])
        // No point of the curve has these coordinates.
        case .invalidKey: object = object.replacing(soft.coseKey.suffix(32), with: Data(count: 32))
        case .unsupportedAlgorithm: object = object.replacing(Data([0xA5, 1, 2, 3, 0x26]), with: Data([0xA5, 1, 2, 3, 0x27]))
        case .unsupportedAttestation: object = object.replacing(Data("none".utf8), with: Data("fido".utf8))
        default: break
        }
        return .init(
            clientDataJSON: SoftwareAuthenticator.clientData(type, challenge, origin, more: more), attestationObject: object, transports: []
        )
    }

    @Test("Each kind of invalid registration response stores no passkey and is audited with its reason")
    func wrong() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let passkeys = house.hub.passkeys
        let problems: [PasskeyError] = [
            .malformed, .wrongType, .wrongOrigin, .crossOrigin, .wrongRelyingParty, .userNotPresent, .userNotVerified, .invalidKey,
            .unsupportedAlgorithm, .unsupportedAttestation, .wrongSignature,
        ]
        for problem in problems {
            let challenge = try await passkeys.creationOptions(at: party, by: owner, origin: .house).challenge
            let made = try answer(challenge, wrongBy: problem)
            #expect(
                await refusal { _ = try await passkeys.register(made, name: nil, at: party, by: owner, origin: .house) }
                    == "refused: \(problem)")
        }
        #expect(try await passkeys.all(of: owner).isEmpty)

        // It was backup-eligible when it was made, and now says that it is not.
        let soft = try await add(house, owner)
        let said = try shown(soft, try await passkeys.requestChallenge(at: party), flags: 0x05)
        #expect(
            await refusal { _ = try await passkeys.login(said, at: party, origin: .house) } == "refused: changedEligibility")

        let entries = try await house.hub.activity.entries(.init(result: "refused", limit: 100), seenBy: owner)
        let told = (problems + [.changedEligibility]).map(\.auditReason.rawValue)
        #expect(entries.compactMap(\.reason) == told.reversed())
        #expect(entries.allSatisfy { $0.whoID == owner.personID })
    }

    @Test("Every passkey error has an audit reason of the same name")
    func words() {
        for problem in PasskeyError.allCases {
            let word = "\(problem)".reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
            #expect(problem.auditReason.rawValue == word)
        }
    }

    @Test("A passkey already registered to anyone is rejected")
    func twice() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let soft = try await add(house, owner)
        for who in [owner, member] {
            let again = try await house.hub.passkeys.creationOptions(at: party, by: who, origin: .house)
            #expect(
                await refusal {
                    _ = try await house.hub.passkeys.register(
                        answer(soft, again.challenge), name: nil, at: party, by: who, origin: .house)
                } == "alreadyRegistered")
        }
        #expect(try await house.hub.passkeys.all(of: owner).count == 1)
        #expect(try await house.hub.passkeys.all(of: member).isEmpty)
    }

    @Test("A person can have 32 passkeys, also when a registration was pending before the last")
    func tooMany() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let passkeys = house.hub.passkeys
        for _ in 0..<31 { _ = try await add(house, owner) }
        let waiting = try await passkeys.creationOptions(at: party, by: owner, origin: .house)
        _ = try await add(house, owner)

        #expect(await refusal { _ = try await passkeys.creationOptions(at: party, by: owner, origin: .house) } == "tooMany")
        #expect(
            await refusal {
                _ = try await passkeys.register(
                    answer(SoftwareAuthenticator(userHandle: waiting.handle), waiting.challenge), name: nil, at: party, by: owner,
                    origin: .house)
            } == "tooMany")
        #expect(try await passkeys.all(of: owner).count == 32)
    }

    @Test("Another person's or an unknown passkey cannot be renamed or removed")
    func notFound() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        _ = try await add(house, member)
        let passkeys = house.hub.passkeys
        let passkey = try #require(try await passkeys.all(of: member).first)
        for id in [passkey.id, "passkey_none"] {
            #expect(await refusal { _ = try await passkeys.rename(id, to: "Mine now", by: owner, origin: .house) } == "notFound")
            #expect(await refusal { try await passkeys.remove(id, by: owner, origin: .house) } == "notFound")
        }
        #expect(
            await refusal { _ = try await passkeys.rename(passkey.id, to: String(repeating: "x", count: 101), by: member, origin: .house) }
                == "name: tooLong")
        #expect(try await passkeys.all(of: member) == [passkey])
    }

    @Test("A person who no longer exists cannot start a passkey registration")
    func gone() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        guard case .person(_, let sessionID) = owner else { return }
        let ghost = Principal.person(id: "person_none", sessionID: sessionID)
        #expect(
            await refusal { _ = try await house.hub.passkeys.creationOptions(at: party, by: ghost, origin: .house) } == "notFound")
    }

    @Test("A step-up with a passkey response without user verification fails and is audited with the person")
    func unverified() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let soft = try await add(house, owner)
        house.clock.advance(by: 400)
        let passkeys = house.hub.passkeys
        let challenge = try await passkeys.requestChallenge(at: party)

        #expect(
            await refusal { _ = try await passkeys.stepUp(shown(soft, challenge, flags: 0x19), at: party, by: owner, origin: .house) }
                == "refused: userNotVerified")
        #expect(
            await refusal { _ = try await passkeys.stepUp(shown(soft, challenge), at: party, by: owner, origin: .house) }
                == "unknownChallenge")

        let entries = try await house.hub.activity.entries(.init(result: "refused"), seenBy: owner)
        #expect(entries.map(\.action) == ["session.step_up", "session.step_up"])
        #expect(entries.map(\.reason) == ["unknown_challenge", "user_not_verified"])
        #expect(entries.allSatisfy { $0.whoID == owner.personID })
        await #expect(throws: Sessions.SessionError.self) { try await house.hub.recoveryCodes.make(by: owner, origin: .house) }
    }

    /// Another person's passkey, and an answer without a challenge, were once refused without an audit entry and without a limit.
    @Test("A step-up with another person's passkey or an unknown challenge fails, is audited, and is throttled")
    func foreign() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let theirs = try await add(house, member)
        let passkeys = house.hub.passkeys
        let away = RequestOrigin(remote: "203.0.113.9", isLocal: false, requestID: "away")
        func stepUp(_ challenge: Data, _ soft: SoftwareAuthenticator) async -> String? {
            await refusal { _ = try await passkeys.stepUp(shown(soft, challenge), at: party, by: owner, origin: away) }
        }

        #expect(await stepUp(try await passkeys.requestChallenge(at: party), theirs) == "unknownPasskey")
        #expect(await stepUp(try await passkeys.requestChallenge(at: party), SoftwareAuthenticator()) == "unknownPasskey")
        #expect(await stepUp(SecretGenerator.randomBytes(32), theirs) == "unknownChallenge")
        let unasked = await refusal {
            _ = try await passkeys.login(shown(theirs, SecretGenerator.randomBytes(32)), at: party, origin: .house)
        }
        #expect(unasked == "unknownChallenge")

        let refused = try await house.hub.activity.entries(.init(result: "refused"), seenBy: owner)
        #expect(refused.map(\.action) == ["login", "session.step_up", "session.step_up", "session.step_up"])
        #expect(refused.map(\.reason) == ["unknown_challenge", "unknown_challenge", "unknown_passkey", "unknown_passkey"])
        #expect(refused.dropFirst().allSatisfy { $0.whoID == owner.personID } && refused.first?.whoID == nil)
        var waits = 0
        for _ in 0..<40 where await stepUp(SecretGenerator.randomBytes(32), theirs)?.hasPrefix("throttled") == true { waits += 1 }
        #expect(waits > 0)
        let written = try await house.hub.activity.entries(.init(result: "refused", limit: 100), seenBy: owner).count
        #expect(written == 4 + 40 - waits)
    }
}
