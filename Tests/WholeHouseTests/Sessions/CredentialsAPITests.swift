import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@Suite("Credentials API", .timeLimit(.minutes(10)))
struct CredentialsAPITests {
    private func send(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> (status: Int, body: JSONValue) {
        var headers = headers
        if body != nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        let answer = try await client.executeRequest(uri: path, method: method, headers: headers, body: body.map(ByteBuffer.init(string:)))
        return (answer.status.code, (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null)
    }

    @Test("Sessions are listed with device names, ended singly and together, and a stale one needs a step-up")
    func sessions() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let token = tokens.access.reveal()
            let agent: HTTPFields = [.userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"]
            let login = #"{"username":"owner","password":"\#(TestHouse.password.reveal())"}"#
            let other = try await send(client, .post, "/api/v1/auth/login", login, headers: agent)
            let otherToken = try #require(other.body["access_token"]?.string)

            let list = try await send(client, .get, "/api/v1/auth/sessions", token: token)
            #expect(list.status == 200 && list.body["total"] == 2)
            guard case .array(let sessions)? = list.body["sessions"] else { throw MissingFieldError() }
            #expect(sessions.contains { $0["device"] == "Firefox on Linux" && $0["current"] == false && $0["place"] == "local network" })
            #expect(sessions.contains { $0["current"] == true && $0["signed_in_by"] == "claim" })
            let id = try #require(sessions.first { $0["current"] == false }?["session_id"]?.string)
            #expect(try await send(client, .delete, "/api/v1/auth/sessions/\(id)", token: token).status == 204)
            #expect(try await send(client, .get, "/api/v1/people/me", token: otherToken).status == 401)
            #expect(try await send(client, .delete, "/api/v1/auth/sessions/\(id)", token: token).status == 404)

            house.clock.advance(by: 301)
            let asked = try await send(client, .post, "/api/v1/auth/sessions/revoke-all", token: token)
            #expect(asked.status == 403 && asked.body["error"]?["code"] == "step_up_required")
            #expect(try await send(client, .post, "/api/v1/people", #"{"name":"Ben","role":"member"}"#, token: token).status == 403)
            let pass =
                #"{"name":"Plumber","grants":[{"device_id":"front-door","actions":["door.open"]}],"expires_at":"2027-01-01T00:00:00Z","max_uses":1}"#
            #expect(try await send(client, .post, "/api/v1/guests", pass, token: token).status == 403)
            let wrong = try await send(client, .post, "/api/v1/auth/step-up", #"{"password":"wrong one"}"#, token: token)
            #expect(wrong.status == 401 && wrong.body["error"]?["code"] == "invalid_credentials")
            #expect(try await send(client, .post, "/api/v1/auth/step-up", "{}", token: token).status == 400)
            let proven = try await send(
                client, .post, "/api/v1/auth/step-up", #"{"password":"\#(TestHouse.password.reveal())"}"#, token: token)
            #expect(proven.status == 200 && proven.body["until"] != nil)
            #expect(try await send(client, .post, "/api/v1/guests", pass, token: token).status == 201)
            let invited = try await send(client, .post, "/api/v1/people", #"{"name":"Ben","role":"member"}"#, token: token)
            let ben = try #require(invited.body["person"]?["person_id"]?.string)
            #expect(try await send(client, .get, "/api/v1/people/\(ben)/sessions", token: token).body["total"] == 0)
            #expect(try await send(client, .delete, "/api/v1/people/\(ben)/sessions", token: token).body["revoked"] == 0)
            #expect(try await send(client, .delete, "/api/v1/people/\(ben)/sessions/none", token: token).status == 404)
            _ = try await send(client, .post, "/api/v1/auth/login", login)
            let all = try await send(client, .post, "/api/v1/auth/sessions/revoke-all", #"{"keep_current":true}"#, token: token)
            #expect(all.body["revoked"] == 1)
            #expect(try await send(client, .get, "/api/v1/people/me", token: token).status == 200)
        }
    }

    @Test("A passkey is registered and used as by a browser, with options in the WebAuthn JSON format")
    func passkeys() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let token = tokens.access.reveal()
            let page: HTTPFields = [.origin: "http://localhost"]
            func post(_ path: String, _ body: String = "{}", token: String? = nil) async throws -> (status: Int, body: JSONValue) {
                try await send(client, .post, "/api/v1/auth/passkeys/\(path)", body, token: token, headers: page)
            }
            #expect(try await post("register/options").status == 401)
            let options = try await post("register/options", token: token).body["public_key"]
            #expect(options?["rp"]?["id"] == "localhost" && options?["attestation"] == "none" && options?["excludeCredentials"] == [])
            #expect(options?["authenticatorSelection"]?["userVerification"] == "required")
            #expect(options?["user"]?["displayName"] == "owner" && options?["timeout"] == 300_000)
            let algorithms: JSONValue = [
                ["type": "public-key", "alg": -8], ["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257],
            ]
            #expect(options?["pubKeyCredParams"] == algorithms)
            let handle = try #require(options?["user"]?["id"]?.string.flatMap(Base64URL.decode))
            let challenge = try #require(options?["challenge"]?.string.flatMap(Base64URL.decode))

            let soft = SoftwareAuthenticator(.ed25519, userHandle: handle)
            let id = Base64URL.encode(soft.credentialID)
            let made = try soft.registrationResponse(challenge, rpID: "localhost", origin: "http://localhost", signsItself: true)
            let registration = """
                {"name":"Phone","credential":{"id":"\(id)","rawId":"\(id)","type":"public-key","authenticatorAttachment":"platform",
                "clientExtensionResults":{"credProps":{"rk":true}},"response":{"clientDataJSON":"\(Base64URL.encode(made.clientDataJSON))",
                "attestationObject":"\(Base64URL.encode(made.attestationObject))","transports":["internal","hybrid"],
                "publicKeyAlgorithm":-8}}}
                """
            let added = try await post("register/verify", registration, token: token)
            #expect(added.status == 201 && added.body["name"] == "Phone" && added.body["rp_id"] == "localhost", "\(added.body)")
            #expect(try await post("register/verify", registration, token: token).body["error"]?["code"] == "passkey_refused")

            func assertion(count: UInt32 = 0, origin: String = "http://localhost") async throws -> String {
                let options = try await post("login/options").body["public_key"]
                #expect(options?["rpId"] == "localhost" && options?["allowCredentials"] == [])
                let challenge = try #require(options?["challenge"]?.string.flatMap(Base64URL.decode))
                let said = try soft.assertionResponse(challenge, rpID: "localhost", origin: origin, count: count)
                return """
                    {"id":"\(id)","rawId":"\(id)","type":"public-key","clientExtensionResults":{},"response":{
                    "clientDataJSON":"\(Base64URL.encode(said.clientDataJSON))","signature":"\(Base64URL.encode(said.signature))",
                    "authenticatorData":"\(Base64URL.encode(said.authenticatorData))","userHandle":"\(Base64URL.encode(handle))"}}
                    """
            }
            let login = try await post("login/verify", #"{"credential":\#(try await assertion())}"#)
            #expect(login.status == 200 && login.body["token_type"] == "Bearer", "\(login.body)")
            let fresh = try #require(login.body["access_token"]?.string)
            // Another port of our name is another origin.
            for origin in ["https://evil.example", "http://localhost:8301", "https://localhost"] {
                let elsewhere = try await post("login/verify", #"{"credential":\#(try await assertion(origin: origin))}"#)
                #expect(elsewhere.status == 401 && elsewhere.body["error"]?["details"]?["reason"] == "wrong_origin", "\(origin)")
            }
            house.clock.advance(by: 301)
            #expect(try await post("register/options", token: fresh).body["error"]?["code"] == "step_up_required")
            let stepUp = try await send(
                client, .post, "/api/v1/auth/step-up", #"{"credential":\#(try await assertion())}"#, token: fresh, headers: page)
            #expect(stepUp.status == 200, "\(stepUp.body)")
            #expect(try await post("register/options", token: fresh).status == 200)

            let listed = try await send(client, .get, "/api/v1/auth/passkeys", token: fresh)
            let passkey = try #require(added.body["passkey_id"]?.string)
            #expect(listed.body["total"] == 1)
            let renamed = try await send(client, .patch, "/api/v1/auth/passkeys/\(passkey)", #"{"name":"Old phone"}"#, token: fresh)
            #expect(renamed.body["name"] == "Old phone")
            let codes = try await send(client, .post, "/api/v1/auth/recovery-codes", token: fresh)
            guard codes.status == 201, case .array(let paper)? = codes.body["codes"], let code = paper.first?.string else {
                throw MissingFieldError()
            }
            #expect(paper.count == 10)
            let recovered = try await send(client, .post, "/api/v1/auth/recovery", #"{"code":"\#(code.lowercased())"}"#)
            #expect(recovered.status == 200)
            #expect(try await send(client, .get, "/api/v1/auth/recovery-codes", token: fresh).body["left"] == 9)
            #expect(try await send(client, .post, "/api/v1/auth/recovery", #"{"code":"\#(code)"}"#).status == 401)
            let recoveredToken = try #require(recovered.body["access_token"]?.string)
            let password = try await send(
                client, .put, "/api/v1/people/me/password", #"{"new_password":"a new one at last"}"#, token: recoveredToken)
            #expect(password.status == 204)
            #expect(try await send(client, .delete, "/api/v1/auth/passkeys/\(passkey)", token: recoveredToken).status == 204)
            #expect(
                try await post("login/verify", #"{"credential":\#(try await assertion())}"#).body["error"]?["details"]?["reason"]
                    == "unknown_passkey")
        }
    }

    @Test("Passkeys on an IP address are refused with 409, and malformed responses are rejected")
    func nameless() async throws {
        try await HubTransport.router.run { house, _, client in
            house.application.address.update("http://127.0.0.1:8300")
            let options = try await send(
                client, .post, "/api/v1/auth/passkeys/login/options", "{}", headers: [.origin: "http://127.0.0.1:8300"])
            #expect(options.status == 409 && options.body["error"]?["code"] == "passkeys_need_a_name", "\(options.body)")
            for body in [
                "{}", #"{"credential":{}}"#,
                #"{"credential":{"id":"=","response":{"clientDataJSON":"","authenticatorData":"","signature":""}}}"#,
                #"{"credential":{"id":7}}"#,
                #"{"credential":{"id":"AA","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA"}},"role":"owner"}"#,
            ] {
                let answer = try await send(
                    client, .post, "/api/v1/auth/passkeys/login/verify", body)
                #expect(answer.status == 400, "\(body) \(answer.body)")
            }
            let empty = #"{"credential":{"id":"AA","response":{"clientDataJSON":"AA","authenticatorData":"AA","signature":"AA"}}}"#
            let answer = try await send(
                client, .post, "/api/v1/auth/passkeys/login/verify", empty)
            #expect(answer.status == 401 && answer.body["error"]?["code"] == "passkey_refused")
        }
    }

    @Test("An API token is shown once and reads and controls only its own device")
    func apiTokens() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            let token = tokens.access.reveal()
            let body =
                #"{"name":"Script","grants":[{"device_id":"front-door","actions":["door.open"]}],"expires_at":"2027-01-01T00:00:00Z"}"#
            let made = try await send(client, .post, "/api/v1/auth/api-tokens", body, token: token)
            let program = try #require(made.body["token"]?.string)
            let id = try #require(made.body["token_id"]?.string)
            #expect(made.status == 201 && program.hasPrefix("cardea_at_") && made.body["role"] == "owner")
            #expect(made.body["grants"] == [["device_id": "front-door", "entity_id": "lock.front_door", "actions": ["unlock"]]])
            let list = try await send(client, .get, "/api/v1/auth/api-tokens", token: token)
            #expect(list.body["total"] == 1)
            #expect(!String(decoding: try JSONEncoder().encode(list.body), as: UTF8.self).contains("cardea_at_"))

            let seen = try await send(client, .get, "/api/v1/devices", token: program)
            #expect(seen.status == 200 && seen.body["total"] == 1)
            // Its own device's granted values, and nothing else known about it.
            try await house.hub.devices.report([
                EntityReport(entityID: "lock.front_door", state: EntityState("locked"), deviceAttributes: ["serial": "14"])
            ])
            let whole = try await send(client, .get, "/api/v1/devices/front-door", token: token).body
            let part = try await send(client, .get, "/api/v1/devices/front-door", token: program).body
            #expect(whole["attributes"]?["serial"] == "14" && part["attributes"] == [:] && part["entities"]?.array.count == 1)
            #expect(try await send(client, .get, "/api/v1/devices", token: program).body["devices"]?.array.first == part)
            #expect(try await send(client, .get, "/api/v1/devices/back-door", token: program).status == 404)
            let opened = try await send(client, .put, "/api/v1/devices/front-door/control", #"{"action":"unlock"}"#, token: program)
            #expect(opened.status == 200 && opened.body["status"] == "confirmed")
            let command = try #require(opened.body["command_id"]?.string)
            #expect(try await send(client, .get, "/api/v1/commands/\(command)", token: program).status == 200)
            let lock = try await send(client, .put, "/api/v1/devices/front-door/control", #"{"action":"lock"}"#, token: program)
            #expect(lock.status == 403 && lock.body["error"]?["details"]?["reason"] == "action_not_allowed")
            let tried = try await send(client, .get, "/api/v1/activity?limit=2", token: token).body["entries"]?.array ?? []
            let record = try await send(client, .get, "/api/v1/activity", token: token).body["entries"]?.array ?? []
            #expect(record.first { $0["action"] == "api_token.make" }.map { $0["via"] == nil } == true, "a token does not make itself")
            #expect(tried.map { $0["via"]?["name"] } == ["Script", "Script"] && tried.allSatisfy { $0["via"]?["kind"] == "api_token" })
            for (method, path, body) in [
                (.get, "/api/v1/people", nil), (.get, "/api/v1/people/me", nil), (.get, "/api/v1/guests", nil),
                (.get, "/api/v1/activity", nil), (.get, "/api/v1/auth/sessions", nil), (.get, "/api/v1/auth/passkeys", nil),
                (.get, "/api/v1/auth/api-tokens", nil), (.post, "/api/v1/auth/recovery-codes", "{}"),
                (.post, "/api/v1/auth/api-tokens", #"{"name":"x"}"#), (.post, "/api/v1/people", #"{"name":"x","role":"member"}"#),
                (.get, "/api/v1/integrations", nil), (.patch, "/api/v1/devices/front-door", #"{"name":"x"}"#),
            ] as [(HTTPRequest.Method, String, String?)] {
                let answer = try await send(client, method, path, body, token: program)
                #expect(answer.status == 403, "\(path) \(answer.body)")
            }
            #expect(try await send(client, .delete, "/api/v1/auth/api-tokens/\(id)", token: token).status == 204)
            #expect(try await send(client, .get, "/api/v1/devices", token: program).status == 401)
        }
    }

    private struct MissingFieldError: Error {}
}

/// Regression tests for defects found by reading the code that were visible to API clients.
@Suite("Error answers of credentials", .timeLimit(.minutes(10)))
struct CredentialErrorResponseTests {
    @Test("An unknown guest token in /api/v1 gets 401 and does not count as a server error")
    func strangersPass() async throws {
        try await HubTransport.router.run { house, _, client in
            let stranger = TestAPIClient(client: client, token: SecretGenerator.token(.guestPass))
            for path in ["/api/v1/changes", "/api/v1/realtime/events"] {
                let answer = try await stranger(.get, path)
                #expect(answer.status == 401 && answer.code == "unauthorized")
                #expect(answer.headers[.wwwAuthenticate] != nil)
            }
        }
    }

    @Test("Concurrent writes with one idempotency key execute once")
    func namedTwice() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, tokens) = try await house.claim()
            let caller = TestAPIClient(client: client, token: tokens.access)
            let answers = try await withThrowingTaskGroup(of: TestAPIClient.Answer.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await caller(.post, "/api/v1/auth/api-tokens", #"{"name":"Panel"}"#, key: "panel-1") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 || ($0.status == 409 && $0.code == "in_flight") })
            #expect(Set(answers.compactMap { $0.body["token"]?.string }).count == 1)
            #expect(try await house.hub.apiTokens.all(of: owner).count == 1)
        }
    }
}
