import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import Testing

@Suite("Pass approval bound to the requesting phone")
struct GuestPairingRequestTests {
    /// Two phones with the same link, and the owner.
    private struct Scene {
        let house: TestHouse
        let owner: Principal
        let codes: Guests.Codes
        let phones = [GuestKey(), GuestKey()]

        init(requiresApproval: Bool = true) async throws {
            house = try await TestHouse.make(store: .inMemory())
            (owner, _) = try await house.claim()
            (codes, _) = try await house.hub.guests.invite(
                house.draft(requiresApproval: requiresApproval), by: owner, call: nil, origin: .house)
        }

        enum Answer: Equatable {
            case paired, rejected, otherPhoneAsked, codeUsed
            case waits(number: String)

            var number: String? { if case .waits(let number) = self { number } else { nil } }
        }

        /// - Parameter phone: nil for a phone without a key.
        func show(
            _ code: Secret? = nil, on phone: Int?, claimSecret: Secret? = nil, asksAgain: Bool = false
        ) async throws -> (answer: Answer, claimSecret: Secret?) {
            do {
                _ = try await house.hub.guestAccess.pair(
                    (code ?? codes.linkCode).reveal(), key: phone.map { phones[$0].publicKey }, claimSecret: claimSecret,
                    asksAgain: asksAgain, origin: .house)
                return (.paired, nil)
            } catch GuestAccess.GuestAccessError.waiting(let waiting) {
                return (.waits(number: waiting.number), waiting.claimSecret)
            } catch GuestAccess.GuestAccessError.pass(.rejected) {
                return (.rejected, nil)
            } catch GuestAccess.GuestAccessError.anotherPhonePending {
                return (.otherPhoneAsked, nil)
            } catch GuestAccess.GuestAccessError.codeUnknown {
                return (.codeUsed, nil)
            }
        }

        @discardableResult
        func decide(_ decision: Guests.Decision, _ number: String? = nil) async throws -> Guest {
            let decide = { try await house.hub.guests.decide(decision, codes.guestID, number: number, by: owner, origin: .house) }
            do { return try await decide() } catch is Sessions.SessionError {
                _ = try await house.hub.sessions.stepUp(password: TestHouse.password, by: owner, origin: .house)
                return try await decide()
            }
        }

        func asks() async throws -> [Guests.PendingApproval] { try await house.hub.guests.pendingApprovals(seenBy: owner).reversed() }

        var status: GuestStatus {
            get async throws { try await house.hub.guests.guest(codes.guestID, seenBy: owner).status(at: house.clock.now) }
        }
    }

    @Test("Only the approved phone can redeem the pass; another phone with the same link is refused before and after")
    func bound() async throws {
        let scene = try await Scene()
        let number = try #require(try await scene.show(on: 0).answer.number)
        #expect(try await scene.show(on: 0).answer == .waits(number: number))
        #expect(try await scene.asks().map(\.pairingRequest?.number) == [number])
        #expect(try await scene.show(on: nil).answer == .otherPhoneAsked)

        try await scene.decide(.approve, number)

        #expect(try await scene.show(on: nil).answer == .otherPhoneAsked)
        #expect(try await scene.show(on: 1).answer.number != number)
        #expect(try await scene.show(on: 0).answer == .paired)
        #expect(try await scene.show(on: 1).answer == .codeUsed)
        #expect(try await scene.asks().isEmpty)
    }

    @Test("A phone without a key is recognized only by the claim secret of its first response")
    func claimSecret() async throws {
        let scene = try await Scene()
        let (first, secret) = try await scene.show(on: nil)
        let claimSecret = try #require(secret)
        let again = try await scene.show(on: nil, claimSecret: claimSecret)
        #expect(first.number != nil && again.answer == first && again.claimSecret == nil)

        try await scene.decide(.approve)

        #expect(try await scene.show(on: nil, claimSecret: Secret("cardea_gc_another")).answer == .otherPhoneAsked)
        #expect(try await scene.show(on: nil).answer == .otherPhoneAsked)
        #expect(try await scene.show(on: nil, claimSecret: claimSecret).answer == .paired)
    }

    @Test("A second requesting phone is flagged, an approval must name the phone's number, and the other phone is rejected")
    func secondPhone() async throws {
        let scene = try await Scene()
        let first = try #require(try await scene.show(on: 0).answer.number)
        let second = try #require(try await scene.show(on: 1).answer.number)
        #expect(first != second)
        #expect(try await scene.asks().map(\.pairingRequest?.number) == [first, second])
        #expect(try await scene.asks().map(\.isSecondPhone) == [false, true])

        do {
            try await scene.decide(.approve)
            Issue.record("nobody knows which phone was let in")
        } catch Guests.GuestError.severalPhones(let numbers) { #expect(numbers == [first, second]) }
        await #expect(throws: Guests.GuestError.self) { try await scene.decide(.approve, first == "0000" ? "0001" : "0000") }
        try await scene.decide(.approve, second)

        #expect(try await scene.show(on: 0).answer == .rejected)
        #expect(try await scene.show(on: 1).answer == .paired)
    }

    @Test("Rejecting one phone keeps the pass available; rejecting the pass rejects every phone")
    func refused() async throws {
        let scene = try await Scene()
        let first = try #require(try await scene.show(on: 0).answer.number)
        try await scene.decide(.reject, first)
        #expect(try await scene.show(on: 0).answer == .rejected)
        #expect(try await scene.status == .waiting)
        #expect(try await scene.show(on: 1).answer.number != nil)
        #expect(try await scene.status == .approvalPending)

        try await scene.decide(.reject)

        for phone in [0, 1] { #expect(try await scene.show(on: phone).answer == .rejected) }
        #expect(try await scene.status == .rejected)
    }

    @Test("An unanswered pairing request expires, and the next one gets a new number")
    func lapsed() async throws {
        let scene = try await Scene()
        let first = try #require(try await scene.show(on: nil).answer.number)
        scene.house.clock.advance(by: 900)
        #expect(try await scene.asks().isEmpty)
        await #expect(throws: Guests.GuestError.self) { try await scene.decide(.approve, first) }
        #expect(try await scene.show(on: 0).answer.number != nil)
        #expect(try await scene.asks().map(\.isSecondPhone) == [false])
    }

    @Test("A new link for a paired pass needs a new approval, and the current phone keeps the pass until then")
    func newLink() async throws {
        let scene = try await Scene()
        _ = try await scene.show(on: 0)
        try await scene.decide(.approve)
        #expect(try await scene.show(on: 0).answer == .paired)
        let codes = try await scene.house.hub.guests.newCode(for: scene.codes.guestID, by: scene.owner, origin: .house)

        let number = try #require(try await scene.show(codes.linkCode, on: 1).answer.number)
        #expect(try await scene.status == .active)
        #expect(try await scene.asks().map(\.pairingRequest?.number) == [number])
        try await scene.decide(.reject)
        #expect(try await scene.status == .active)
        #expect(try await scene.show(codes.linkCode, on: 1).answer == .rejected)
        #expect(try await scene.show(codes.linkCode, on: 0).answer.number != nil)
        try await scene.decide(.approve)
        #expect(try await scene.show(codes.linkCode, on: 0).answer == .paired)
    }

    @Test(
        "A phone that lost its pass can request it again with its used link, and an approval moves the pass",
        arguments: [false, true])
    func askedAgain(requiresApproval: Bool) async throws {
        let scene = try await Scene(requiresApproval: requiresApproval)
        if requiresApproval {
            _ = try await scene.show(on: 0)
            try await scene.decide(.approve)
        }
        #expect(try await scene.show(on: 0).answer == .paired)
        #expect(try await scene.show(on: 1).answer == .codeUsed)
        #expect(try await scene.show(scene.codes.spokenCode, on: 1, asksAgain: true).answer == .codeUsed)

        let number = try #require(try await scene.show(on: 1, asksAgain: true).answer.number)
        #expect(try await scene.asks().map(\.replacesPhone) == [true])
        #expect(try await scene.status == .active)
        try await scene.decide(.reject, number)
        #expect(try await scene.show(on: 1, asksAgain: true).answer == .rejected)
        #expect(try await scene.show(on: 0, asksAgain: true).answer.number != nil)
        try await scene.decide(.approve)
        #expect(try await scene.show(on: 0, asksAgain: true).answer == .paired)
        #expect(try await scene.status == .active)

        // After a newer link the previous one requests nothing, and an ended pass is not requested.
        let codes = try await scene.house.hub.guests.newCode(for: scene.codes.guestID, by: scene.owner, origin: .house)
        #expect(try await scene.show(on: 1, asksAgain: true).answer == .codeUsed)
        try await scene.decide(.revoke)
        await #expect(throws: GuestAccess.GuestAccessError.self) { try await scene.show(codes.linkCode, on: 1, asksAgain: true) }
    }

    @Test("At most five phones can request one pass at a time")
    func crowd() async throws {
        let scene = try await Scene()
        func ask(_ number: Int) async throws {
            // A code that is shown often is throttled there.
            scene.house.clock.advance(by: 60)
            _ = try await scene.house.hub.guestAccess.pair(scene.codes.linkCode.reveal(), key: GuestKey().publicKey, origin: .house)
        }
        for number in 1...6 {
            do {
                try await ask(number)
            } catch GuestAccess.GuestAccessError.waiting { #expect(number <= 5) } catch GuestAccess.GuestAccessError.anotherPhonePending {
                #expect(number == 6)
            }
        }
        #expect(try await scene.asks().count == 5)
    }

    @Test("In any order of requests and decisions, the pass goes to the phone whose number was approved last")
    func interleavings() async throws {
        var dice = XorshiftGenerator.forTest(0x9A55)
        for round in 0..<50 {
            let scene = try await Scene()
            // The numbers that the phones show, and the admitted phone.
            var (shown, allowed, holder) = ([Int: String](), Int?.none, Int?.none)
            for _ in 0..<12 where holder == nil {
                scene.house.clock.advance(by: Double(dice.next(3) * 20))
                let phone = dice.next(2)
                switch dice.next(4) {
                case 0, 1:
                    switch try await scene.show(on: phone).answer {
                    case .waits(let number): shown[phone] = number
                    case .paired: holder = phone
                    case .rejected: shown[phone] = nil
                    case .otherPhoneAsked, .codeUsed: Issue.record("round \(round): a phone with a key was not heard")
                    }
                case 2:
                    guard let number = shown[phone] else { continue }
                    do {
                        try await scene.decide(.approve, number)
                        allowed = phone
                    } catch Guests.GuestError.conflict {}
                default:
                    guard let number = shown[phone] else { continue }
                    do { try await scene.decide(.reject, number) } catch Guests.GuestError.conflict {}
                }
            }
            if let holder { #expect(holder == allowed, "round \(round), seed \(dice.seed)") }
        }
    }
}
