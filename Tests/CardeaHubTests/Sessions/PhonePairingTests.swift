import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import Testing

@testable import CardeaHub

/// The number of digits tried. A million in `make chaos`.
private let guesses = TestRepetitions.of(480, full: 960, variable: "CARDEA_GUESSES")

@Suite("Phone pairing", .timeLimit(.minutes(guesses > 960 ? 60 : 5)))
struct PhonePairingTests {
    private func origin(_ remote: String) -> RequestOrigin { RequestOrigin(remote: remote, isLocal: true, requestID: nil) }

    private func redeem(
        _ asked: PhonePairings.PairingCode, _ phone: PhoneDescription, secret: Secret? = nil, from remote: RequestOrigin = .house,
        in house: TestHouse
    ) async throws -> SessionTokens {
        try await house.hub.phonePairings.redeem(
            .init(digits: asked.digits.reveal(), deviceID: phone.deviceID, secret: secret), origin: remote)
    }

    /// The reason why it was not paired.
    private func refusal(_ body: () async throws -> SessionTokens) async throws -> PhonePairings.PairingError {
        do {
            _ = try await body()
        } catch let problem as PhonePairings.PairingError { return problem }
        throw PairedError()
    }

    private func expectInvalid(_ body: () async throws -> SessionTokens) async throws {
        let problem = try await refusal(body)
        #expect(isInvalid(problem))
    }

    private struct PairedError: Error {}

    private func isInvalid(_ problem: PhonePairings.PairingError) -> Bool { if case .invalidCode = problem { true } else { false } }

    @Test("A phone shows six digits, a person confirms them, and it gets its own tokens")
    func whole() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let phone = try house.phone()

        let asked = try await house.hub.phonePairings.request(phone, origin: origin("192.168.1.20"))
        #expect(PairingDigits.normalized(asked.digits.reveal()) == asked.digits.reveal() && asked.secret.reveal().hasPrefix("cardea_dc_"))
        #expect(asked.expiresAt == house.clock.now.addingTimeInterval(300))
        let waiting = try await house.hub.phonePairings.pending(seenBy: owner)
        #expect(waiting.map(\.name) == ["Ada's phone"] && waiting.first?.address == "192.168.1.20")
        _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
        #expect(try await house.hub.phonePairings.pending(seenBy: owner).isEmpty)
        let tokens = try await redeem(asked, phone, in: house)

        #expect(tokens.expiresIn == 3600)
        let who = try await house.hub.sessions.authenticate(tokens.access)
        #expect(who.key == owner.key && who != owner)
        let phones = try await house.hub.phones.all(of: owner)
        #expect(phones.map(\.id) == [tokens.phoneID] && phones.first?.name == "Ada's phone" && phones.first?.model == "iPhone 17")
        let session = try #require(try await house.hub.sessions.open(seenBy: owner).first { $0.signedInBy == .phone })
        #expect(session.device == "Ada's phone")
        let words = try await house.store.read { db in
            try String.fetchAll(db, sql: "SELECT id || opened(name, 'phones.name', id) || quote(device_hash) FROM phones")
        }
        #expect(words.allSatisfy { !$0.lowercased().contains(phone.deviceID) })
    }

    @Test("A phone token names its phone and audience, and phone and browser tokens are not interchangeable")
    func audience() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, mine) = try await house.claim()
        let (_, tokens) = try await house.paired(try house.phone(), by: owner)

        let parts = tokens.access.reveal().split(separator: ".")
        let claims = try JSONDecoder().decode(JSONValue.self, from: try #require(Base64URL.decode(String(parts[1]))))
        #expect(claims["aud"] == "cardea:phone" && claims["device"]?.string == tokens.phoneID)
        let plain = try JSONDecoder().decode(
            JSONValue.self, from: try #require(Base64URL.decode(String(mine.access.reveal().split(separator: ".")[1]))))
        #expect(plain["aud"] == nil && plain["device"] == nil)

        await #expect(throws: Sessions.SessionError.self) { try await house.hub.sessions.refresh(tokens.refresh, origin: .house) }
        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.sessions.refresh(mine.refresh, of: .phone(deviceID: nil), origin: .house)
        }
        // That used neither of them up.
        _ = try await house.hub.sessions.refresh(tokens.refresh, of: .phone(deviceID: nil), origin: .house)
        _ = try await house.hub.sessions.refresh(mine.refresh, origin: .house)
    }

    @Test("Unconfirmed, wrong, foreign, expired and used redemptions fail alike, and early ones do not count as guesses")
    func refusedAlike() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (phone, other) = (try house.phone(), try house.phone("Another"))
        let asked = try await house.hub.phonePairings.request(phone, origin: .house)

        for _ in 0..<40 { try await expectInvalid { try await redeem(asked, phone, in: house) } }
        _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
        try await expectInvalid { try await redeem(asked, other, in: house) }
        try await expectInvalid { try await redeem(asked, phone, secret: SecretGenerator.token(.waitingPhone), in: house) }
        let tokens = try await redeem(asked, phone, secret: asked.secret, in: house)
        try await expectInvalid { try await redeem(asked, phone, secret: asked.secret, in: house) }
        _ = try await house.hub.sessions.authenticate(tokens.access)

        let late = try await house.hub.phonePairings.request(phone, origin: .house)
        _ = try await house.hub.phonePairings.confirm(late.digits.reveal(), by: owner, origin: .house)
        house.clock.advance(by: 300)
        try await expectInvalid { try await redeem(late, phone, secret: late.secret, in: house) }
        #expect(try await house.hub.phonePairings.status(of: late.secret, wait: 0, origin: .house).isOver)
    }

    @Test("Five wrong redemptions by device or digits end a pairing, across restarts")
    func fiveTries() async throws {
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        var house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        let (owner, _) = try await house.claim()
        let phone = try house.phone()
        let asked = try await house.hub.phonePairings.request(phone, origin: .house)
        _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
        let wrong = asked.digits.reveal() == "000000" ? "000001" : "000000"

        for turn in 0..<5 {
            house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
            let (digits, device) =
                turn.isMultiple(of: 2) ? (wrong, phone.deviceID) : (asked.digits.reveal(), UUID().uuidString.lowercased())
            let problem = try await refusal {
                try await house.hub.phonePairings.redeem(
                    .init(digits: digits, deviceID: device, secret: nil), origin: origin("10.0.0.\(turn)"))
            }
            #expect(isInvalid(problem))
        }

        try await expectInvalid { try await redeem(asked, phone, secret: asked.secret, in: house) }
        #expect(try await house.hub.phones.all(of: owner).isEmpty)
    }

    @Test("Guessing digits from many addresses across restarts pairs no phone, and the owner can still pair one")
    func bruteForce() async throws {
        let rounds = guesses < 960 ? 12 : 24
        let guessesOfARound = max(guesses / rounds, 40)
        let (store, sealing, clock) = (try Store.inMemory(), SealingKey.random(), ManualClock())
        var house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
        _ = try await house.claim()
        let phone = try house.phone()
        var (heard, slowed) = (0, 0)
        for round in 0..<rounds {
            // The victim requests and confirms again each time; the attacker knows the phone's name for itself.
            let login = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
            let owner = try await house.hub.sessions.authenticate(login.access)
            let asked = try await house.hub.phonePairings.request(phone, origin: .house)
            _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
            for guess in 0..<guessesOfARound {
                let digits = String(format: "%06d", (Int(asked.digits.reveal()) ?? 0) &+ 1 &+ guess).suffix(6)
                let problem = try await refusal {
                    try await house.hub.phonePairings.redeem(
                        .init(digits: String(digits), deviceID: phone.deviceID, secret: nil),
                        origin: origin("10.\(round).\(guess >> 8).\(guess & 255)"))
                }
                if isInvalid(problem) { heard += 1 } else { slowed += 1 }
                // The full duration of a pairing, without a gap.
                clock.advance(by: 200 / TimeInterval(guessesOfARound))
            }
            house = try await TestHouse.make(store: store, sealing: sealing, clock: clock)
            clock.advance(by: 200)
        }
        let least = min(guesses / 9, 100)
        #expect(heard > least && slowed > least, "\(heard) heard, \(slowed) slowed down")
        let login = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: .house)
        let owner = try await house.hub.sessions.authenticate(login.access)
        #expect(try await house.hub.phones.all(of: owner).isEmpty)

        // Guesses from many addresses throttle strangers, and not the phone with its secret.
        _ = try await house.paired(phone, by: owner)
        #expect(try await house.hub.phones.all(of: owner).count == 1)
    }

    @Test("Of twenty concurrent redemptions, exactly one gets tokens")
    func race() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let phone = try house.phone()
        let asked = try await house.hub.phonePairings.request(phone, origin: .house)
        _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)

        let won = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { (try? await redeem(asked, phone, secret: asked.secret, in: house)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        #expect(won == 1)
        #expect(try await house.hub.sessions.open(seenBy: owner).filter { $0.signedInBy == .phone }.count == 1)
    }

    @Test("Pairing requests are limited per minute, per address and in total, and expired ones make room")
    func crowd() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        func asks(_ remote: String) async throws -> Bool {
            do {
                _ = try await house.hub.phonePairings.request(try house.phone(), origin: origin(remote))
                return true
            } catch PhonePairings.PairingError.throttled(let wait) {
                #expect((0...60).contains(wait))
            } catch PhonePairings.PairingError.full(let wait) { #expect((0...300).contains(wait)) }
            return false
        }
        for turn in 0..<7 { #expect(try await asks("10.0.0.1") == (turn < 4)) }
        for address in 2...8 { for _ in 0..<4 { #expect(try await asks("10.0.0.\(address)")) } }
        #expect(try await !asks("10.0.0.9"))
        // The same phone reuses its place.
        let phone = try house.phone()
        house.clock.advance(by: 300)
        for _ in 0..<4 { _ = try await house.hub.phonePairings.request(phone, origin: origin("10.0.0.1")) }
        #expect(try await house.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM phone_pairings") } == 1)
    }

    @Test("Pairing requests from remote addresses leave room for local phones")
    func strangers() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        func asks(_ number: Int, isLocal: Bool) async throws -> Bool {
            let origin = RequestOrigin(remote: isLocal ? "10.0.0.\(number)" : "198.51.100.\(number)", isLocal: isLocal, requestID: nil)
            do {
                _ = try await house.hub.phonePairings.request(try house.phone(), origin: origin)
                return true
            } catch PhonePairings.PairingError.full { return false }
        }
        var strangers = 0
        for number in 1...40 where try await asks(number, isLocal: false) { strangers += 1 }
        #expect(strangers == 24)
        var residents = 0
        for number in 1...40 where try await asks(number, isLocal: true) { residents += 1 }
        #expect(residents >= 8, "each of a household")
    }

    @Test("Wrong digits are throttled, and a rejected phone learns it at once")
    func confirming() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let asked = try await house.hub.phonePairings.request(try house.phone(), origin: .house)
        let wrong = asked.digits.reveal() == "000000" ? "000001" : "000000"

        for _ in 0..<11 {
            await #expect(throws: PhonePairings.PairingError.self) {
                try await house.hub.phonePairings.confirm(wrong, by: owner, origin: .house)
            }
        }
        do {
            _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
            Issue.record("it was heard")
        } catch PhonePairings.PairingError.throttled {}
        // No other caller is affected.
        _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: member, origin: .house)
        await #expect(throws: PhonePairings.PairingError.self) {
            try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
        }

        house.clock.advance(by: 301)
        let stale = try await house.hub.phonePairings.request(try house.phone(), origin: .house)
        await #expect(throws: Sessions.SessionError.self) {
            try await house.hub.phonePairings.confirm(stale.digits.reveal(), by: member, origin: .house)
        }
        let id = try #require(try await house.hub.phonePairings.pending(seenBy: owner).first?.id)
        try await house.hub.phonePairings.reject(id, by: owner, origin: .house)
        #expect(try await house.hub.phonePairings.status(of: stale.secret, wait: 25, origin: .house).isOver)
        await #expect(throws: PhonePairings.PairingError.self) { try await house.hub.phonePairings.reject(id, by: owner, origin: .house) }
    }

    @Test("Confirming twice as the same person returns the same phone; another person's confirmation is refused")
    func confirmedTwice() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let phone = try house.phone()
        let asked = try await house.hub.phonePairings.request(phone, origin: .house)

        let first = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
        let again = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
        await #expect {
            try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: member, origin: .house)
        } throws: {
            if case PhonePairings.PairingError.notFound = $0 { true } else { false }
        }

        #expect(first.id == again.id)
        let confirmed = try await house.hub.activity.entries(.init(limit: 20), seenBy: owner).filter { $0.action == "phone.confirm" }
        #expect(confirmed.map { "\($0.result)" } == ["refused", "done"])
        let tokens = try await redeem(asked, phone, secret: asked.secret, in: house)
        #expect(try await house.hub.sessions.authenticate(tokens.access).personID == owner.personID)
    }

    @Test("Guessing pairing secrets is throttled without affecting a waiting phone at the same address")
    func guessedSecrets() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        try await house.claim()
        let asked = try await house.hub.phonePairings.request(try house.phone(), origin: origin("10.0.0.1"))
        func isHeard(_ secret: Secret, _ origin: RequestOrigin) async throws -> Bool {
            do {
                #expect(try await house.hub.phonePairings.status(of: secret, wait: 0, origin: origin) == .over)
                return true
            } catch PhonePairings.PairingError.throttled(let wait) {
                #expect((0...60).contains(wait))
                return false
            }
        }

        for guess in 0..<40 { #expect(try await isHeard(SecretGenerator.token(.waitingPhone), origin("10.0.0.1")) == (guess <= 30)) }

        #expect(try await isHeard(SecretGenerator.token(.waitingPhone), origin("10.0.0.2")))
        let standing = try await house.hub.phonePairings.status(of: asked.secret, wait: 0, origin: origin("10.0.0.1"))
        #expect(standing == .init(isConfirmed: false, isOver: false, expiresAt: asked.expiresAt))
    }

    @Test("A waiting phone's long poll returns on confirmation or at its timeout")
    func longPoll() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let asked = try await house.hub.phonePairings.request(try house.phone(), origin: .house)
        async let woken = house.hub.phonePairings.status(of: asked.secret, wait: 25, origin: .house)
        try await waitUntil { house.clock.isAwaited(house.clock.now.addingTimeInterval(25)) }
        _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: owner, origin: .house)
        #expect(try await woken.isConfirmed)

        let second = try await house.hub.phonePairings.request(try house.phone(), origin: .house)
        async let patient = house.hub.phonePairings.status(of: second.secret, wait: 1000, origin: .house)
        try await waitUntil { house.clock.isAwaited(house.clock.now.addingTimeInterval(25)) }
        house.clock.advance(by: 25)
        #expect(try await patient == .init(isConfirmed: false, isOver: false, expiresAt: second.expiresAt))
    }

    @Test("A confirmed phone cannot redeem after its confirmer signed out or was disabled", arguments: ["signed out", "disabled"])
    func confirmerGone(how: String) async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (member, _) = try await house.resident("member", role: "member", by: owner)
        let phone = try house.phone()
        let asked = try await house.hub.phonePairings.request(phone, origin: .house)
        _ = try await house.hub.phonePairings.confirm(asked.digits.reveal(), by: member, origin: .house)

        if how == "disabled", case .person(let id, _) = member {
            _ = try await house.hub.people.change(
                id, .init(name: nil, role: nil, canInviteGuests: nil, disabled: true), by: owner, origin: .house)
        } else {
            try await house.hub.sessions.logout(member, origin: .house)
        }

        try await expectInvalid { try await redeem(asked, phone, secret: asked.secret, in: house) }
    }

    @Test("Every pairing step is audited with the person who did it")
    func onRecord() async throws {
        let house = try await TestHouse.make(store: .inMemory())
        let (owner, _) = try await house.claim()
        let (phone, _) = try await house.paired(try house.phone(), by: owner)
        await #expect(throws: Phones.PhoneError.self) { try await house.hub.phones.recordRejection(phone, origin: .house) }
        _ = try await house.hub.phones.revoke(.all, by: owner, origin: .house)

        let entries = try await house.hub.activity.entries(.init(limit: 20), seenBy: owner).filter { $0.action.hasPrefix("phone.") }
        #expect(
            entries.reversed().map { "\($0.action) \($0.result)" } == [
                "phone.ask asked", "phone.confirm done", "phone.pair done", "phone.beyond refused", "phone.revoke done",
            ])
        #expect(entries.filter { $0.whoID == owner.personID }.count == 4)
    }
}
