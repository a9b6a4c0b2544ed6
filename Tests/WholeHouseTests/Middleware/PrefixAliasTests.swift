import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

/// `/v1/X`, which is `/api/v1/X` without cookies. `QueryParameterTests` checks that its query names are read in camelCase too.
@Suite("Prefix alias /v1", .timeLimit(.minutes(5)))
struct PrefixAliasTests {
    private struct Answer {
        let status: Int
        let body: JSONValue
        let headers: HTTPFields

        var code: JSONValue? { body["error"]?["code"] }
        var cookie: String? { headers[.setCookie]?.split(separator: ";").first.map(String.init) }

        func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
    }

    private static func send(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: Secret? = nil,
        more: [String: String] = [:]
    ) async throws -> Answer {
        var headers: HTTPFields = [:]
        if body != nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token.reveal())" }
        for (name, value) in more { headers[try #require(HTTPField.Name(name))] = value }
        let answer = try await client.executeRequest(uri: path, method: method, headers: headers, body: body.map(ByteBuffer.init(string:)))
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null
        return Answer(status: answer.status.code, body: json, headers: answer.headers)
    }

    @Test("/v1 has every route with the same authentication and methods, and no other family")
    func routes() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let patch = HTTPRequest.Method.patch
            for operation in try await OpenAPIContract.read(client).operations where operation.path.hasPrefix("/api/v1/") {
                let path = operation.path.replacing("{id}", with: "nobody").replacing("{session_id}", with: "none")
                let there = try await Self.send(client, operation.method, path)
                for alias in [String(path.dropFirst(4)), "/v1" + path] {
                    let here = try await Self.send(client, operation.method, alias)
                    #expect(here.status == there.status && here.code == there.code, "\(operation.method.rawValue) \(alias)")
                    let (other, others) = (try await Self.send(client, patch, alias), try await Self.send(client, patch, path))
                    #expect(other.status == others.status && other.headers[.allow] == others.headers[.allow], "\(alias)")
                }
            }
            for path in ["/v1/guest_access/pass", "/v1/healthz", "/v1/openapi.json", "/v1/v1/devices", "/v1/", "/v1", "/v1/nowhere"] {
                #expect(try await Self.send(client, .get, path).status == 404, "\(path)")
            }
        }
    }

    @Test("/v1 answers with the same bodies, ETags, headers and errors, in each family's format")
    func answers() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            for path in ["/house", "/devices", "/devices/front-door", "/twins", "/mobile/devices"] {
                let there = try await Self.send(client, .get, "/api/v1" + path, token: tokens.access)
                let here = try await Self.send(client, .get, "/v1" + path, token: tokens.access)
                #expect(here.status == 200 && here.body == there.body && here.headers[.eTag] == there.headers[.eTag], "\(path)")
                let head = try await Self.send(client, .head, "/v1" + path, token: tokens.access)
                #expect(head.status == 200 && head.body == .null, "\(path)")
            }
            let tag = try #require(try await Self.send(client, .get, "/api/v1/devices", token: tokens.access).headers[.eTag])
            let known = try await Self.send(client, .get, "/v1/devices", token: tokens.access, more: ["If-None-Match": tag])
            #expect(known.status == 304)
            let nowhere = try await Self.send(client, .get, "/v1/nowhere", token: tokens.access)
            #expect(nowhere.status == 404 && nowhere.code == "not_found")
            let method = try await Self.send(client, .delete, "/v1/devices", token: tokens.access)
            #expect(method.status == 405 && method.headers[.allow] == "GET, HEAD")
            let unknown = try await Self.send(client, .get, "/v1/devices")
            #expect(unknown.status == 401 && unknown.headers[.wwwAuthenticate] == "Bearer realm=\"cardea\"")
            let phone = try await Self.send(client, .post, "/v1/mobile/auth/verify", "{}")
            #expect(phone.status == 400 && phone.body["detail"]?.string?.isEmpty == false)
            let answers = [nowhere, method, unknown, phone]
            #expect(answers.allSatisfy { $0.field("X-Request-Id") != nil && $0.headers[.cacheControl] == "no-store" })
        }
    }

    @Test("An idempotency key is shared between both prefixes")
    func idempotency() async throws {
        try await HubTransport.router.run { house, _, client in
            let (_, tokens) = try await house.claim()
            func unlock(_ base: String) async throws -> Answer {
                try await Self.send(
                    client, .put, base + "/devices/front-door/control", #"{"action":"unlock"}"#, token: tokens.access,
                    more: ["Idempotency-Key": "evening"])
            }
            func remember(_ base: String) async throws -> Answer {
                try await Self.send(
                    client, .post, base + "/memory", #"{"type":"semantic","content":"The key hangs in the hall."}"#, token: tokens.access,
                    more: ["Idempotency-Key": "key"])
            }

            let (first, second) = (try await unlock("/v1"), try await unlock("/api/v1"))
            #expect(first.status == 200 && second.status == 200 && first.body["command_id"] == second.body["command_id"])
            #expect(first.field("Idempotent-Replayed") == nil && second.field("Idempotent-Replayed") == "true")
            #expect(house.doorBackend.backendCommands.count == 1)
            let (told, again) = (try await remember("/api/v1"), try await remember("/v1"))
            #expect(told.status == 201 && again.status == 201 && told.body["memory_id"] == again.body["memory_id"])
            #expect(again.field("Idempotent-Replayed") == "true")
        }
    }

    @Test("Failed passwords count together on both prefixes")
    func throttles() async throws {
        try await HubTransport.live.run { _, _, client in
            for (place, left) in [4, 3, 2, 1].enumerated() {
                let path = (place % 2 == 0 ? "/v1" : "/api/v1") + "/auth/login"
                let answer = try await Self.send(client, .post, path, #"{"username":"nobody","password":"wrong horse"}"#)
                #expect(answer.status == 401 && answer.field("RateLimit") == #""password";r=\#(left);t=3600"#)
            }
        }
    }

    @Test("/v1 passes tokens in bodies and neither sets nor reads cookies or DPoP proofs")
    func cookies() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let (key, page) = (BrowserKey(), "http://localhost")
            let words = #"{"username":"owner","password":"\#(TestHouse.password.reveal())""#
            let browser = try await Self.send(
                client, .post, "/api/v1/auth/login", words + #","cookie":true}"#,
                more: ["DPoP": try key.proof(url: page + "/api/v1/auth/login")])
            let cookie = try #require(browser.cookie)

            for proof in [try key.proof(url: page + "/v1/auth/login"), try key.proof(url: page + "/api/v1/auth/login"), "nonsense"] {
                let wanted = try await Self.send(client, .post, "/v1/auth/login", words + #","cookie":true}"#, more: ["DPoP": proof])
                #expect(wanted.status == 400 && wanted.body["error"]?["details"]?["field"] == "cookie" && wanted.cookie == nil)
                let signedIn = try await Self.send(client, .post, "/v1/auth/login", words + "}", more: ["DPoP": proof, "Cookie": cookie])
                #expect(signedIn.status == 200 && signedIn.body["token_type"] == "Bearer" && signedIn.body["refresh_token"]?.string != nil)
                #expect(signedIn.cookie == nil && signedIn.field("DPoP-Nonce") == nil)
            }

            let proof = try key.proof(url: page + "/api/v1/auth/refresh", nonce: browser.field("DPoP-Nonce"))
            for path in ["/v1/auth/refresh", "/v1/api/v1/auth/refresh"] {
                let unread = try await Self.send(client, .post, path, more: ["DPoP": proof, "Cookie": cookie])
                #expect(unread.status == 401 && unread.cookie == nil && unread.field("DPoP-Nonce") == nil)
            }
            let out = try await Self.send(client, .post, "/v1/auth/logout", more: ["DPoP": proof, "Cookie": cookie])
            #expect(out.status == 204 && out.cookie == nil)
            // The browser's session continues: none of it was used there.
            let refreshed = try await Self.send(client, .post, "/api/v1/auth/refresh", more: ["DPoP": proof, "Cookie": cookie])
            #expect(refreshed.status == 200 && refreshed.cookie != nil)

            let program = try await Self.send(client, .post, "/v1/auth/login", words + "}")
            let renewed = try await Self.send(
                client, .post, "/v1/auth/refresh", #"{"refresh_token":"\#(program.body["refresh_token"]?.string ?? "")"}"#)
            let token = try #require(renewed.body["refresh_token"]?.string)
            #expect(renewed.status == 200 && renewed.cookie == nil && token != program.body["refresh_token"]?.string)
            #expect(try await Self.send(client, .post, "/v1/auth/logout", #"{"refresh_token":"\#(token)"}"#).status == 204)
            #expect(try await Self.send(client, .post, "/api/v1/auth/refresh", #"{"refresh_token":"\#(token)"}"#).status == 401)
        }
    }

    @Test("/v1/realtime upgrades to a WebSocket, and answers 426 without an upgrade")
    func realtime() async throws {
        try await TestHouse.open { house in
            let (_, tokens) = try await house.claim()
            try await house.withServer { port in
                let listener = try await NIOWebSocketClient.connect(port, token: tokens.access, path: "/v1/realtime")
                try await listener.subscribe()
                try await house.doorBackend.report("unlocked", at: "lock.front_door")
                let heard = try await listener.received.waitUntil("the door is told of") { $0.count("device_update") > 0 }
                #expect(heard.snapshot != nil && heard.problems == [])
                try await listener.abort()
                await #expect(throws: NIOWebSocketClient.UpgradeRefusedError.self) {
                    _ = try await NIOWebSocketClient.connect(port, token: Secret("not-a-token"), path: "/v1/realtime")
                }
            }
        }
        try await HubTransport.router.run { _, _, client in
            let plain = try await Self.send(client, .get, "/v1/realtime")
            #expect(plain.status == 426)
        }
    }

    @Test("/v1 is the contract's second server, and the demo serves it beside its own paths")
    func documented() async throws {
        try await SourceDemoHouse.run { _, tokens, client in
            let document = try await Self.send(client, .get, "/openapi.json").body
            #expect(document["servers"]?.elements?.map { $0["url"] } == ["/", "/v1"])
            #expect(try await Self.send(client, .get, "/v1/devices").status == 401)
            #expect(try await Self.send(client, .get, "/v1/devices", token: tokens.access).status == 200)
            #expect(try await Self.send(client, .get, "/api/devices").status == 200)
        }
    }
}
