import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("A pass for which the phone checks who holds it", .timeLimit(.minutes(10)))
struct GuestUserVerificationTests {
    private struct APIResponse {
        let status: Int
        let body: JSONValue
        var code: String? { body["error"]?.string }
    }

    private func post(_ client: any TestClientProtocol, _ path: String, _ body: JSONValue) async throws -> APIResponse {
        let text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
        let guest = SigningGuest(client, token: Secret("none"), key: GuestKey(), clock: ManualClock())
        let answer = try await guest.send(.post, "/api/guest_access/\(path)", text, page)
        return APIResponse(status: answer.status, body: answer.body)
    }

    /// The browser's response for a passkey made for a code.
    private static func attestation(_ soft: SoftwareAuthenticator, for code: String, flags: UInt8 = SoftwareAuthenticator.defaultFlags)
        throws -> JSONValue
    {
        let made = try soft.registrationResponse(
            Data(SHA256.hash(data: Data(code.utf8))), rpID: "localhost", origin: "http://localhost", flags: flags)
        return ["response": ["clientDataJSON": base64URL(made.clientDataJSON), "attestationObject": base64URL(made.attestationObject)]]
    }

    private static func body(_ code: String, _ key: GuestKey, passkey: JSONValue? = nil, verifies: Bool = false) -> JSONValue {
        var fields: [String: JSONValue] = [
            "pairing_code": .string(code), "device_id": .string(key.deviceID), "device_public_key": .string(key.publicKey.text),
        ]
        fields["passkey"] = passkey
        if verifies { fields["device_key_verifies"] = true }
        return .object(fields)
    }

    private func code(_ house: TestHouse, _ presence: PresenceRequirement = .verified, approved: Bool = false, by owner: Principal)
        async throws -> (
            id: String, code: String
        )
    {
        var draft = house.draft(uses: 3, requiresApproval: approved)
        draft.presence = presence
        let (codes, _) = try await house.hub.guests.invite(draft, by: owner, call: nil, origin: .house)
        return (codes.guestID, codes.linkCode.reveal())
    }

    /// A phone with the pass, and its door requests.
    private struct Phone {
        let guest: SigningGuest
        let soft: SoftwareAuthenticator

        /// - Parameter of: a proof other than the one that is sent.
        func open(
            checked: Bool = true, flags: UInt8 = SoftwareAuthenticator.defaultFlags, of other: HTTPFields? = nil,
            origin: String = "http://localhost"
        ) async throws -> SigningGuest.GuestResponse {
            var fields = try await guest.proof()
            let name = try #require(HTTPField.Name("X-Cardea-Presence"))
            if checked {
                let header = try #require((other ?? fields)[SigningGuest.proofField])
                let proof = try #require(ActionProof(header: header))
                let said = try soft.assertionResponse(
                    Data(SHA256.hash(data: proof.signedBytes)), rpID: "localhost", origin: origin, flags: flags)
                let json: JSONValue = [
                    "clientDataJSON": base64URL(said.clientDataJSON), "authenticatorData": base64URL(said.authenticatorData),
                    "signature": base64URL(said.signature),
                ]
                fields[name] = Base64URL.encode(try JSONEncoder().encode(json))
            }
            for field in page { fields.append(field) }
            return try await guest.open(proof: fields)
        }
    }

    private func phone(_ house: TestHouse, _ client: any TestClientProtocol, by owner: Principal) async throws -> (Phone, id: String) {
        let (id, code) = try await code(house, by: owner)
        let (key, soft) = (GuestKey(), SoftwareAuthenticator())
        let taken = try await post(client, "pair", Self.body(code, key, passkey: try Self.attestation(soft, for: code)))
        let token = try #require(taken.body["guest_token"]?.string, "\(taken.body)")
        #expect(taken.body["presence"] == "verified")
        return (Phone(guest: SigningGuest(client, token: Secret(token), key: key, clock: house.clock), soft: soft), id)
    }

    @Test("A phone without user verification is refused before the code is used, and the code then works on another")
    func taking() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (id, code) = try await code(house, approved: true, by: owner)
            let (key, soft) = (GuestKey(), SoftwareAuthenticator())

            #expect(try await post(client, "pair/scanned", ["pairing_code": .string(code)]).body["presence"] == "verified")
            let tries: [JSONValue] = [
                ["pairing_code": .string(code)], Self.body(code, key),
                // Its owner was not verified; the passkey is of another code; there is no key beside it.
                Self.body(code, key, passkey: try Self.attestation(soft, for: code, flags: 0x19)),
                Self.body(code, key, passkey: try Self.attestation(soft, for: "another")),
                ["pairing_code": .string(code), "passkey": try Self.attestation(soft, for: code)],
            ]
            let answers = try await tries.asyncMap { try await post(client, "pair", $0) }
            #expect(
                answers.map(\.code) == [
                    "verification_required", "verification_required", "passkey_refused", "passkey_refused", "verification_required",
                ])
            #expect(try await house.hub.guests.pendingApprovals(seenBy: owner).isEmpty, "the house is asked for none of them")

            let asked = try await post(client, "pair", Self.body(code, key, passkey: try Self.attestation(soft, for: code)))
            #expect(asked.status == 202)
            _ = try await house.hub.guests.decide(.approve, id, by: owner, origin: .house)
            let taken = try await post(client, "pair", Self.body(code, key, passkey: try Self.attestation(soft, for: code)))
            #expect(taken.status == 200 && taken.body["remaining_uses"] == 3)
        }
    }

    @Test("A door opens only with user verification bound to this request, and failures use nothing up")
    func opening() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (phone, id) = try await phone(house, client, by: owner)

            #expect(try await phone.open(checked: false).code == "presence_required")
            #expect(try await phone.open(flags: 0x19).code == "presence_invalid", "present, and not verified")
            #expect(try await phone.open(of: phone.guest.proof()).code == "presence_invalid", "of another opening")
            #expect(try await phone.open(origin: "https://evil.example").code == "presence_invalid")
            #expect(
                try await Phone(guest: phone.guest, soft: SoftwareAuthenticator()).open().code == "presence_invalid", "of another phone")
            #expect(house.doorBackend.backendCommands.isEmpty)

            let opened = try await phone.open()
            #expect(opened.status == 200 && opened.body["remaining_uses"] == 2)
            #expect(house.doorBackend.backendCommands.count == 1)
            let (_, history) = try await house.hub.guests.one(id, seenBy: owner)
            #expect(history.compactMap(\.reason) == Array(repeating: "presence_invalid", count: 4) + ["presence_required"])

            // A key guarded by a phone's keychain or a PIN states itself that its owner was verified.
            let (_, code) = try await code(house, by: owner)
            let key = GuestKey()
            let taken = try await post(client, "pair", Self.body(code, key, verifies: true))
            let native = SigningGuest(
                client, token: Secret(try #require(taken.body["guest_token"]?.string)), key: key, clock: house.clock)
            #expect(try await native.open().status == 200)
        }
    }

    @Test("A passkey restores a lost pass once per challenge, until the pass ends")
    func restoring() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (phone, id) = try await phone(house, client, by: owner)
            #expect(try await phone.open().status == 200)

            func restore(_ soft: SoftwareAuthenticator, key: GuestKey = GuestKey(), challenge: Data? = nil) async throws -> APIResponse {
                let party = RelyingParty(id: "localhost", origins: ["http://localhost"])
                let asked = if let challenge { challenge } else { try await house.hub.passkeys.requestChallenge(at: party) }
                let said = try soft.assertionResponse(asked, rpID: "localhost", origin: "http://localhost")
                return try await post(
                    client, "restore",
                    [
                        "device_id": .string(key.deviceID), "device_public_key": .string(key.publicKey.text),
                        "credential": [
                            "id": base64URL(soft.credentialID),
                            "response": [
                                "clientDataJSON": base64URL(said.clientDataJSON), "signature": base64URL(said.signature),
                                "authenticatorData": base64URL(said.authenticatorData),
                            ],
                        ],
                    ])
            }
            for wrong in [
                try await restore(SoftwareAuthenticator()), try await restore(phone.soft, challenge: SecretGenerator.randomBytes(32)),
            ] {
                #expect(wrong.status == 401 && wrong.code == "unauthorized")
            }
            let key = GuestKey()
            let restored = try await restore(phone.soft, key: key)
            #expect(
                restored.status == 200 && restored.body["used_count"] == 1 && restored.body["guest_id"]?.string == id, "\(restored.body)")
            let token = Secret(try #require(restored.body["guest_token"]?.string))
            let again = Phone(guest: SigningGuest(client, token: token, key: key, clock: house.clock), soft: phone.soft)
            #expect(try await again.open().status == 200)
            #expect(try await phone.open().code == "token_revoked", "what it had before is worth nothing")

            _ = try await house.hub.guests.decide(.revoke, id, by: owner, origin: .house)
            #expect(try await restore(phone.soft).code == "token_revoked")
        }
    }
}

private let page: HTTPFields = [.origin: "http://localhost"]
private func base64URL(_ data: Data) -> JSONValue { .string(Base64URL.encode(data)) }

extension Array {
    fileprivate func asyncMap<Value>(_ turn: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await turn(element)) }
        return values
    }
}
