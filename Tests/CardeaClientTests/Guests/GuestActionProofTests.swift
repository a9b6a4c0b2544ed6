import CardeaClient
import CardeaModel
import CardeaSecurity
import Foundation
import Synchronization
import Testing

@Suite("Signed guest actions")
struct GuestActionProofTests {
    private static let opened = TransportResponse.json(200, #"{"success":true,"action":"door.open","used_count":1,"remaining_uses":1}"#)
    private static let token = Secret("cardea_gp_token")
    private let key = GuestKey()

    /// A house that issues a nonce per request, and answers actions by `script`.
    private func house(
        now: Int = 1_795_269_600, _ script: @escaping @Sendable (_ before: Int) -> Result<TransportResponse, TransportError>
    ) -> ScriptedTransport {
        let (nonces, actions) = (Counter(), Counter())
        return ScriptedTransport { request, _ in
            guard request.method == .post else {
                let nonce = nonces.next()
                return .success(.json(200, #"{"nonce":"nonce-\#(nonce)","jti":"jti","expires_at":\#(now + 30),"now":\#(now)}"#))
            }
            return script(actions.next() - 1)
        }
    }

    private func refused(_ code: String, _ status: Int = 401) -> Result<TransportResponse, TransportError> {
        .success(.json(status, #"{"success":false,"error":"\#(code)","message":"No."}"#))
    }

    private func act(_ hub: ScriptedTransport) async throws -> ApprovalResult<Void> {
        switch try await CardeaClient.at(hub).guestAccess.perform(GuestAction("door.open", key: "one"), token: Self.token, key: key) {
        case .granted: .granted(())
        case .waiting(let pending): .waiting(pending)
        }
    }

    private func actions(_ hub: ScriptedTransport) -> [TransportRequest] { hub.requests(to: "/api/guest_access/action") }

    private func proof(_ request: TransportRequest) throws -> ActionProof {
        try #require(ActionProof(header: request.headers["x-cardea-proof"] ?? ""))
    }

    @Test("A request is signed over the server nonce and server time")
    func signed() async throws {
        let hub = house { _ in .success(Self.opened) }

        _ = try await act(hub)

        let request = try #require(actions(hub).first)
        let proof = try proof(request)
        #expect(proof.nonce == "nonce-1" && proof.jti == "jti" && proof.ts == 1_795_269_600 && proof.deviceID == key.deviceID)
        #expect(proof.matches(method: "POST", path: "/api/guest_access/action", body: request.body ?? Data()))
        #expect(key.publicKey.signed(proof.signedBytes, request.headers["x-cardea-proof-signature"] ?? ""))
        #expect(hub.requests.allSatisfy { $0.headers["authorization"] == "Bearer \(Self.token.reveal())" })
    }

    @Test("A lost answer is requested again with the same key and a new signature")
    func lost() async throws {
        let hub = house { $0 < 2 ? .failure(.interrupted) : .success(Self.opened) }

        _ = try await act(hub)

        #expect(try actions(hub).map { try proof($0).nonce } == ["nonce-1", "nonce-2", "nonce-3"])
        #expect(Set(actions(hub).map { $0.headers["idempotency-key"] }) == ["one"])
    }

    @Test(
        "A rejected proof is renewed once, a used one is not, and the user is verified once",
        arguments: ProofRefusal.allCases)
    func refusals(_ refusal: ProofRefusal) async throws {
        let isFinal = [.replay, .presenceRequired, .presenceInvalid].contains(refusal)
        let tries = isFinal ? 1 : 2
        let stubborn = house { [refused] _ in refused(refusal.rawValue, 401) }

        let error = await #expect(throws: GuestAccessError.self) { try await act(stubborn) }

        #expect(error?.proofRefusal == refusal && error?.endsPass == false)
        #expect(try Set(actions(stubborn).map { try proof($0).nonce }).count == tries && actions(stubborn).count == tries)

        let once = house { [refused] in $0 == 0 ? refused(refusal.rawValue, 401) : .success(Self.opened) }
        if isFinal {
            await #expect(throws: GuestAccessError.self) { try await act(once) }
        } else {
            _ = try await act(once)
        }
    }

    @Test("Without a key nothing is signed, and a proof refusal is not retried")
    func keyless() async throws {
        let hub = house { [refused] _ in refused(ProofRefusal.required.rawValue, 401) }

        let error = await #expect(throws: GuestAccessError.self) {
            try await CardeaClient.at(hub).guestAccess.perform(GuestAction("door.open"), token: Self.token)
        }

        #expect(error?.proofRefusal == .required && hub.requests.count == 1)
        #expect(hub.requests.first?.headers["x-cardea-proof"] == nil)
    }

    @Test("Without a nonce no action is sent, also after a timeout", arguments: [TransportError.noConnection, .timeout])
    func noNonce(_ failure: TransportError) async throws {
        let hub = ScriptedTransport { request, _ in request.method == .get ? .failure(failure) : .success(Self.opened) }

        await #expect(throws: GuestAccessError.client(.noConnection(host: "house.example"))) { try await act(hub) }

        #expect(actions(hub).isEmpty)
    }

    @Test("An action whose connection broke has an unknown outcome, whatever the next nonce request returns")
    func goneAfterSending() async throws {
        let nonces = Counter()
        let hub = ScriptedTransport { request, _ in
            guard request.method == .get else { return .failure(.interrupted) }
            guard nonces.next() == 1 else { return .failure(.noConnection) }
            return .success(.json(200, #"{"nonce":"n","jti":"j","expires_at":30,"now":0}"#))
        }

        await #expect(throws: GuestAccessError.outcomeUnknown(nil)) { try await act(hub) }

        #expect(actions(hub).count == 1)
    }

    @Test("A proof refusal of a retry does not imply that the first request failed")
    func unprovenAfterSending() async throws {
        let hub = house { [refused] in $0 == 0 ? .failure(.interrupted) : refused(ProofRefusal.nonceExpired.rawValue, 401) }

        await #expect(throws: GuestAccessError.outcomeUnknown(nil)) { try await act(hub) }

        #expect(actions(hub).count == 2)
    }

    @Test("A refusal of the nonce request is passed on: a revoked pass ends, a rate limit does not end it")
    func refusedNonce() async throws {
        for (status, code, ends) in [(401, "token_revoked", true), (429, "rate_limited", false)] {
            let hub = ScriptedTransport { [refused] _, _ in refused(code, status) }
            let error = await #expect(throws: GuestAccessError.self) { try await act(hub) }
            #expect(error?.endsPass == ends && error?.text == "No." && actions(hub).isEmpty)
        }
    }

    @Test("A nonce that arrives too late sends no action")
    func late() async throws {
        let hub = house { _ in .success(Self.opened) }
        let (clock, start) = (Counter(), Date())
        let environment = ClientEnvironment(now: { start.addingTimeInterval(Double(clock.next()) * 5) }, sleep: { _ in }, newKey: { "key" })
        let client = try CardeaClient.at(hub, MemorySessionStore(), environment)

        await #expect(throws: GuestAccessError.client(.noConnection(host: "house.example"))) {
            try await client.guestAccess.perform(GuestAction("door.open"), token: Self.token, key: key)
        }

        #expect(actions(hub).isEmpty)
    }

    @Test("Two concurrent actions never sign the same nonce")
    func together() async throws {
        let hub = house { _ in .success(Self.opened) }
        let client = try CardeaClient.at(hub)
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { _ = try await client.guestAccess.perform(GuestAction("door.open"), token: Self.token, key: key) }
            }
            try await group.waitForAll()
        }
        #expect(try Set(actions(hub).map { try proof($0).nonce }).count == 20)
    }

    @Test("A pass is bound only if the hub confirms the binding to this key")
    func bound() async throws {
        for (thumbprint, isBound) in [(key.publicKey.thumbprint, true), (GuestKey().publicKey.thumbprint, false), (nil, false)] {
            let confirmation = thumbprint.map { #","cnf":{"jkt":"\#($0)"}"# } ?? ""
            let hub = ScriptedTransport { _, _ in
                .success(
                    .json(
                        200,
                        """
                        {"guest_token":"t","guest_id":"guest_1","name":"P","house_name":"H","time_zone":"UTC","allowed_actions":[],"entities":[],
                        "expires_at":1,"max_uses":0,"used_count":0,"remaining_uses":-1,"ask_each_time":false,"status":"active","now":0\(confirmation)}
                        """))
            }
            guard case .granted(let taken) = try await CardeaClient.at(hub).guestAccess.pair(code: Secret("c"), key: key) else {
                Issue.record("the pass waits for somebody")
                return
            }
            #expect(taken.isBound == isBound)
            let body = String(decoding: hub.requests.first?.body ?? Data(), as: UTF8.self)
            #expect(body.contains(key.publicKey.text) && body.contains(#""device_id":"\#(key.deviceID)""#))
        }
    }
}
