import CardeaAPI
import CardeaClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("A guest pass bound to a key", .timeLimit(.minutes(10)))
struct KeyBoundPassTests {
    /// A house with a door that a plumber's phone may open, by default twice.
    private func house(
        uses: Int = 2, asks: Bool = false,
        _ body: @escaping @Sendable (TestHouse, SigningGuest, _ owner: Principal, _ id: String) async throws -> Void
    ) async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let key = GuestKey()
            let (_, id, token) = try await house.guest(house.draft(uses: uses, asksEachTime: asks), key: key, by: owner)
            try await body(house, SigningGuest(client, token: token, key: key, clock: house.clock), owner, id)
        }
    }

    private func check(_ answer: SigningGuest.GuestResponse, _ guest: SigningGuest) async throws {
        let problems = try await OpenAPIContract.read(guest.client).problems(.post, SigningGuest.path, status: answer.status, answer.body)
        #expect(problems == [])
    }

    @Test("A bound pass opens with its key; a copied token alone is refused and uses nothing up")
    func copied() async throws {
        try await house { house, guest, owner, id in
            let shown = try await guest.send(.get, "/api/guest_access/pass", nil, [:])
            #expect(shown.body["device_id"]?.string == guest.key.deviceID)
            #expect(shown.body["cnf"]?["jkt"]?.string == guest.key.publicKey.thumbprint)

            let thief = SigningGuest(guest.client, token: guest.token, key: GuestKey(), clock: house.clock)
            let bare = try await thief.open(proof: [:])
            #expect(bare.status == 401 && bare.code == "action_proof_required")
            #expect(bare.headers[.wwwAuthenticate] == "Bearer realm=\"cardea\"")
            try await check(bare, guest)
            var lie = SigningGuest.ProofOverrides()
            lie.deviceID = guest.key.deviceID
            let forged = try await thief.open(proof: try await thief.proof(lie: lie))
            #expect(forged.status == 401 && forged.code == "action_proof_invalid")
            try await check(forged, guest)
            #expect(house.doorBackend.backendCommands.isEmpty)

            let opened = try await guest.open()
            #expect(opened.status == 200 && opened.body["remaining_uses"] == 1)
            #expect(house.doorBackend.backendCommands.count == 1)
            let (pass, history) = try await house.hub.guests.one(id, seenBy: owner)
            #expect(pass.key == guest.key.publicKey && pass.grant.useCount == 1)
            #expect(history.map(\.reason).prefix(3) == [nil, "action_proof_invalid", "action_proof_required"])
        }
    }

    @Test("A replayed proof is refused under any idempotency key")
    func replayed() async throws {
        try await house { house, guest, _, _ in
            let proof = try await guest.proof()
            #expect(try await guest.open(proof: proof, key: "one").status == 200)
            for key in ["one", "two"] {
                let again = try await guest.open(proof: proof, key: key)
                #expect(again.status == 401 && again.code == "action_proof_replay")
            }
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A proof for another request, token or phone, or malformed, is refused and uses nothing up")
    func lies() async throws {
        try await house { house, guest, _, _ in
            let nonce = try await guest.nonce()
            var lies = Array(repeating: SigningGuest.ProofOverrides(), count: 5)
            lies[0].body = #"{"action":"door.lock"}"#
            lies[1].path = "/api/guest_access/action/cancel"
            lies[2].method = "GET"
            lies[3].jti = "another"
            lies[4].deviceID = "another"
            var proofs: [HTTPFields] = []
            for lie in lies { proofs.append(try await guest.proof(nonce: nonce, lie: lie)) }
            let good = try await guest.proof(nonce: nonce)
            let (header, signature) = try (
                #require(good[SigningGuest.proofField]), #require(good[SigningGuest.signatureField])
            )
            proofs += [
                [SigningGuest.proofField: "e30", SigningGuest.signatureField: signature],
                [SigningGuest.proofField: header, SigningGuest.signatureField: "AA"],
                [SigningGuest.proofField: header, SigningGuest.signatureField: "?"],
                [SigningGuest.proofField: header + String(repeating: "A", count: 4096), SigningGuest.signatureField: signature],
            ]
            var twice = good
            twice.append(HTTPField(name: SigningGuest.proofField, value: header))
            proofs.append(twice)
            for (index, proof) in proofs.enumerated() {
                let answer = try await guest.open(proof: proof)
                #expect(answer.status == 401 && answer.code == "action_proof_invalid", "\(index)")
            }
            for half in [[SigningGuest.proofField: header], [SigningGuest.signatureField: signature]] as [HTTPFields] {
                #expect(try await guest.open(proof: half).code == "action_proof_invalid")
            }
            #expect(house.doorBackend.backendCommands.isEmpty)

            #expect(try await guest.open(proof: good).status == 200)
        }
    }

    @Test("A nonce is valid for 30 seconds, for its own pass, and not after the clock is set back")
    func nonces() async throws {
        try await house(uses: 0) { house, guest, owner, _ in
            let first = try await guest.nonce()
            #expect(first.status == 200)
            #expect(first.body["expires_at"]?.number == house.clock.now.timeIntervalSince1970 + 30)
            #expect(first.body["now"]?.number == house.clock.now.timeIntervalSince1970)
            house.clock.advance(by: 29)
            #expect(try await guest.open(proof: try await guest.proof(nonce: first)).status == 200)

            let late = try await guest.nonce()
            house.clock.advance(by: 30)
            #expect(try await guest.open(proof: try await guest.proof(nonce: late)).code == "action_nonce_expired")

            let other = try await house.guest(house.draft(), key: guest.key, by: owner)
            let theirs = SigningGuest(guest.client, token: other.token, key: guest.key, clock: house.clock)
            let foreign = try await theirs.nonce()
            var lie = SigningGuest.ProofOverrides()
            lie.jti = first.body["jti"]?.string
            #expect(try await guest.open(proof: try await guest.proof(nonce: foreign, lie: lie)).code == "action_nonce_expired")
            #expect(try await guest.open(proof: try await guest.proof(nonce: foreign)).code == "action_proof_invalid")

            // The house's clock is set back: later nonces are dropped, and no caller is locked out.
            let before = try await guest.nonce()
            house.clock.jump(to: house.clock.now.addingTimeInterval(-3600))
            #expect(try await guest.open(proof: try await guest.proof(nonce: before)).code == "action_nonce_expired")
        }
    }

    @Test("After a restart earlier nonces are rejected, spent or not")
    func restart() async throws {
        try await house { house, guest, owner, id in
            func asked(_ fields: HTTPFields) -> CommandRequest {
                CommandRequest(
                    principal: .guest(id: id), target: house.open(as: .guest(id: id)).target, origin: .house,
                    proof: RequestProof(
                        header: fields[SigningGuest.proofField] ?? "", signature: fields[SigningGuest.signatureField] ?? "", method: "POST",
                        path: SigningGuest.path, body: Data(SigningGuest.body.utf8)))
            }
            let (spent, unspent) = try await (guest.proof(), guest.proof())
            #expect(try await house.submit(asked(spent)).status == .dispatching)

            let again = try await TestHouse.make(store: house.store, sealing: house.sealing, clock: house.clock)
            for fields in [spent, unspent] {
                await #expect(throws: CommandRefusal.proof(.nonceExpired)) { try await again.hub.commands.submit(asked(fields)) }
            }
        }
    }

    @Test("A clock skew of 30 seconds is accepted, a larger one is reported")
    func skew() async throws {
        try await house(uses: 0) { house, guest, _, _ in
            for ahead in [-30.0, 30] {
                var lie = SigningGuest.ProofOverrides()
                lie.ahead = ahead
                #expect(try await guest.open(proof: try await guest.proof(lie: lie)).status == 200)
                lie.ahead += ahead.sign == .minus ? -1 : 1
                let answer = try await guest.open(proof: try await guest.proof(lie: lie))
                #expect(answer.status == 401 && answer.code == "action_proof_clock_skew")
                try await check(answer, guest)
            }
            #expect(house.doorBackend.backendCommands.count == 2)
        }
    }

    @Test("Sixteen parallel requests with one proof open once")
    func parallel() async throws {
        try await house(uses: 0) { house, guest, _, _ in
            for round in 0..<7 {
                house.clock.advance(by: 3)
                let proof = try await guest.proof()
                let answers = try await withThrowingTaskGroup { group in
                    for hand in 0..<16 {
                        group.addTask { try await guest.open(proof: proof, key: "\(round)-\(hand)") }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(answers.count { $0.status == 200 } == 1)
                #expect(answers.count { $0.code == "action_proof_replay" } == 15)
                #expect(house.doorBackend.backendCommands.count == round + 1)
            }
        }
    }

    @Test("A replayed call returns its stored result only with a new proof, even when the pass is used up")
    func again() async throws {
        try await house(uses: 1) { house, guest, _, _ in
            let opened = try await guest.open(key: "one")
            #expect(opened.status == 200 && opened.body["remaining_uses"] == 0)

            #expect(try await guest.open(proof: [:], key: "one").code == "action_proof_required")
            let told = try await guest.open(key: "one")
            #expect(told.status == 200 && told.body == opened.body)
            #expect(told.headers[HTTPField.Name("Idempotent-Replayed") ?? .age] == "true")
            #expect(try await guest.open(key: "two").code == "token_max_uses_exceeded")
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A request waiting for approval needs a new proof on retry, and none to cancel")
    func waits() async throws {
        try await house(asks: true) { house, guest, owner, _ in
            let asked = try await guest.open(key: "one")
            #expect(asked.status == 202)
            #expect(try await guest.open(key: "one").status == 202)
            let command = try #require(asked.body["command_id"]?.string)
            _ = try await house.hub.commands.decide(command, approve: true, by: owner, origin: .house)
            #expect(try await guest.open(key: "one").status == 200)

            let second = try await guest.open(key: "two")
            let body = #"{"command_id":"\#(second.body["command_id"]?.string ?? "")"}"#
            #expect(try await guest.send(.post, "/api/guest_access/action/cancel", body, [:]).body["status"] == "taken_back")
        }
    }

    @Test("A token gets at most thirty nonces a minute")
    func many() async throws {
        try await house { house, guest, _, _ in
            for _ in 0..<30 { #expect(try await guest.nonce().status == 200) }
            house.clock.advance(by: 20)
            let refused = try await guest.nonce()
            #expect(refused.status == 429 && refused.code == "rate_limited" && refused.headers[.retryAfter] == "40")
            house.clock.advance(by: 40)
            #expect(try await guest.open().status == 200)
        }
    }

    @Test("The client pairs with a key and opens with it, even with its clock in 1970")
    func client() async throws {
        try await HubTransport.router.run { house, _, line in
            let cardea = CardeaClient(
                hub: try HubAddress("http://localhost"), transport: RouterTransport(line),
                environment: TestPhone.environment(ManualClock(Date(timeIntervalSince1970: 0))))
            let (owner, _) = try await house.claim()
            let (codes, _) = try await house.hub.guests.invite(house.draft(uses: 2), by: owner, call: nil, origin: .house)
            let key = GuestKey()
            guard case .granted(let taken) = try await cardea.guestAccess.pair(code: codes.linkCode, key: key) else {
                Issue.record("the pass waits for somebody")
                return
            }
            #expect(taken.isBound)

            let stolen = await #expect(throws: GuestAccessError.self) {
                try await cardea.guestAccess.perform(GuestAction("door.open"), token: taken.token)
            }
            #expect(stolen?.proofRefusal == .required && stolen?.endsPass == false)
            let wish = GuestAction("door.open")
            for _ in 0..<2 {
                guard case .granted(let opened) = try await cardea.guestAccess.perform(wish, token: taken.token, key: key) else {
                    Issue.record("the door waits for somebody")
                    return
                }
                #expect(opened.usedCount == 1)
            }
            #expect(house.doorBackend.backendCommands.count == 1)
        }
    }

    @Test("A pass without a key opens with or without a proof")
    func unbound() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (_, id, token) = try await house.guest(house.draft(), by: owner)
            let guest = SigningGuest(client, token: token, key: GuestKey(), clock: house.clock)

            #expect(try await guest.open(proof: [:]).status == 200)
            #expect(try await guest.open().status == 200)
            let shown = try await guest.send(.get, "/api/guest_access/pass", nil, [:])
            #expect(shown.body["device_id"] == nil && shown.body["cnf"] == nil)
            #expect(try await house.hub.guests.guest(id, seenBy: owner).key == nil)
        }
    }

    @Test("Pairing needs a complete key, and a new code replaces the key")
    func taking() async throws {
        try await house { house, guest, owner, id in
            let code = try await house.hub.guests.newCode(for: id, by: owner, origin: .house).linkCode.reveal()
            let key = GuestKey()
            for fields in [
                #""device_id":"phone""#, #""device_public_key":"\#(key.publicKey.text)""#,
                #""device_id":"phone","device_public_key":"AAAA""#,
                #""device_id":"phone","device_public_key":"!""#, #""device_id":"","device_public_key":"\#(key.publicKey.text)""#,
                #""device_id":"a b","device_public_key":"\#(key.publicKey.text)""#,
            ] {
                let answer = try await guest.send(.post, "/api/guest_access/pair", #"{"pairing_code":"\#(code)",\#(fields)}"#, [:])
                #expect(answer.status == 400 && answer.code == "invalid_payload", "\(fields)")
            }
            let taken = try await guest.send(
                .post, "/api/guest_access/pair",
                #"{"pairing_code":"\#(code)","device_id":"phone","device_public_key":"\#(key.publicKey.text)"}"#, [:])
            #expect(taken.status == 200 && taken.body["device_id"] == "phone")
            #expect(taken.body["cnf"]?["jkt"]?.string == key.publicKey.thumbprint)

            let new = SigningGuest(
                guest.client, token: Secret(taken.body["guest_token"]?.string ?? ""), key: key, clock: house.clock)
            #expect(try await guest.open(proof: [:]).code == "token_revoked")
            var lie = SigningGuest.ProofOverrides()
            lie.deviceID = "phone"
            lie.key = guest.key
            #expect(try await new.open(proof: try await new.proof(lie: lie)).code == "action_proof_invalid")
            lie.key = nil
            #expect(try await new.open(proof: try await new.proof(lie: lie)).status == 200)
        }
    }

    @Test("A guest answer shows whether the pass is bound")
    func shown() async throws {
        try await HubTransport.router.run { house, cardea, client in
            let (owner, tokens) = try await house.claim()
            let bound = try await house.guest(house.draft(), key: GuestKey(), by: owner)
            let plain = try await house.guest(house.draft(), by: owner)
            let ask = TestAPIClient(client: client, token: tokens.access)

            #expect(try await ask(.get, "/api/v1/guests/\(bound.id)").body["bound_to_device"] == true)
            #expect(try await ask(.get, "/api/v1/guests/\(plain.id)").body["bound_to_device"] == false)
        }
    }
}
