import CardeaAPI
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

@Suite("Phones API of Seed 003", .timeLimit(.minutes(10)))
struct PhonesAPITests {
    private struct ContractCheckingClient {
        let client: any TestClientProtocol

        /// Sends a request, and compares the answer with the contract.
        func callAsFunction(
            _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil
        ) async throws -> (status: Int, body: JSONValue, headers: HTTPFields) {
            var headers: HTTPFields = [:]
            if body != nil { headers[.contentType] = "application/json" }
            if let token { headers[.authorization] = "Bearer \(token)" }
            let answer = try await client.executeRequest(
                uri: "/api/v1/mobile" + path, method: method, headers: headers, body: body.map(ByteBuffer.init(string:)))
            let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null
            let problems = try await OpenAPIContract.read(client).problems(
                method, "/api/v1/mobile" + path, status: answer.status.code, json)
            #expect(problems == [], "\(method) \(path)")
            return (answer.status.code, json, answer.headers)
        }
    }

    private let device = "6f1d2c1e-6d0b-4f7c-9c1a-1e2d3c4b5a69"
    private var asking: String { #"{"device_id":"\#(device)","device_name":"Ada's phone","device_model":"iPhone 17"}"# }

    @Test("The three pairing calls and the owner's calls give every documented answer")
    func calls() async throws {
        try await HubTransport.router.run { house, _, client in
            let line = ContractCheckingClient(client: client)
            let (_, mine) = try await house.claim()
            let owner = mine.access.reveal()

            let asked = try await line(.post, "/auth/pair", asking)
            #expect(asked.status == 201 && asked.body["expires_in"] == 300 && asked.body["interval"] == 5)
            let digits = try #require(asked.body["pairing_code"]?.string)
            let secret = try #require(asked.body["device_code"]?.string)
            #expect(digits.wholeMatch(of: /[0-9]{6}/) != nil)
            #expect(asked.body["expires_at"]?.string == Timestamp.text(house.clock.now.addingTimeInterval(300)))

            let pending = try await line(.get, "/auth/pending", token: owner)
            #expect(pending.body["total"] == 1 && pending.body["pairings"]?.array.first?["device_name"] == "Ada's phone")
            #expect(!"\(pending.body)".contains(digits) && !"\(pending.body)".contains(device))
            #expect(try await line(.get, "/auth/status", token: secret).body["confirmed"] == false)
            let early = try await line(.post, "/auth/verify", #"{"pairing_code":"\#(digits)","device_id":"\#(device)"}"#)
            #expect(early.status == 401 && early.body["detail"] == "Invalid or expired pairing code")

            #expect(try await line(.post, "/auth/confirm", #"{"code":"12a456"}"#, token: owner).status == 400)
            let unknown = digits == "000000" ? "000001" : "000000"
            #expect(try await line(.post, "/auth/confirm", #"{"code":"\#(unknown)"}"#, token: owner).status == 404)
            let spaced = PairingDigits.formatted(digits)
            let confirmed = try await line(.post, "/auth/confirm", #"{"code":"\#(spaced)"}"#, token: owner)
            #expect(confirmed.status == 200 && confirmed.body["confirmed"] == true && confirmed.body["device_model"] == "iPhone 17")
            #expect(try await line(.get, "/auth/status?wait=25", token: secret).body["confirmed"] == true)

            let wrong = try await line(
                .post, "/auth/verify", #"{"pairing_code":"\#(digits)","device_id":"\#(UUID().uuidString)"}"#)
            #expect(wrong.status == 401 && wrong.body == early.body.with(wrong.body))
            let taken = try await line(.post, "/auth/verify", #"{"pairing_code":"\#(digits)","device_id":"\#(device.uppercased())"}"#)
            #expect(taken.status == 200 && taken.body["token_type"] == "Bearer" && taken.body["expires_in"] == 3600)
            let id = try #require(taken.body["device_id"]?.string)
            #expect(id.hasPrefix("phone_"))
            #expect(try await line(.get, "/auth/status", token: secret).body["expired"] == true)

            let refresh = try #require(taken.body["refresh_token"]?.string)
            let next = try await line(.post, "/auth/refresh", #"{"refresh_token":"\#(refresh)"}"#)
            #expect(next.status == 200 && next.body["refresh_token"]?.string != refresh && next.body["device_id"]?.string == id)
            let bad = try await line(.post, "/auth/refresh", #"{"refresh_token":"cardea_rt_nobody"}"#)
            #expect(bad.status == 401 && bad.body["detail"] == "Invalid or expired refresh token")

            let listed = try await line(.get, "/devices", token: owner)
            #expect(listed.body["devices"]?.array.first?["device_id"]?.string == id && !"\(listed.body)".contains(device))
            let renamed = try await line(.patch, "/devices/\(id)", #"{"device_name":"Tablet"}"#, token: owner)
            #expect(renamed.body["device_name"] == "Tablet")
            #expect(try await line(.post, "/auth/revoke", "{}", token: owner).status == 400)
            #expect(try await line(.post, "/auth/revoke", #"{"device_id":"nobody"}"#, token: owner).body["revoked_count"] == 0)
            #expect(try await line(.delete, "/devices/\(id)", token: owner).status == 204)
            #expect(try await line(.delete, "/devices/\(id)", token: owner).status == 404)
            let over = try await line(.post, "/auth/refresh", #"{"refresh_token":"\#(next.body["refresh_token"]?.string ?? "")"}"#)
            #expect(over.status == 401 && over.body["detail"] == "Invalid or expired refresh token")
        }
    }

    @Test("A rejected phone, extra body fields and malformed codes are answered in the family's format")
    func refusals() async throws {
        try await HubTransport.router.run { house, _, client in
            let line = ContractCheckingClient(client: client)
            let owner = try await house.claim().tokens.access.reveal()
            for body in [
                "{}", #"{"device_id":"phone","device_name":"x"}"#, #"{"device_id":"\#(device)","device_name":""}"#,
                #"{"device_id":"\#(device)","device_name":"x","device_model":"\#(String(repeating: "x", count: 51))"}"#,
                #"{"device_id":"\#(device)","device_name":"x","admin":true}"#, "[]", "no json",
                #"{"device_id":"\#(device)","device_name":"x","platform":"symbian"}"#,
            ] {
                let answer = try await line(.post, "/auth/pair", body)
                #expect(answer.status == 400 && answer.body["detail"]?.string?.isEmpty == false, "\(body)")
            }
            for digits in ["12345", "1234567", "abcdef", "١٢٣٤٥٦", "12345é"] {
                #expect(try await line(.post, "/auth/verify", #"{"pairing_code":"\#(digits)","device_id":"\#(device)"}"#).status == 400)
            }
            #expect(try await line(.get, "/auth/status").status == 401)
            #expect(try await line(.get, "/auth/status?wait=26", token: "cardea_dc_nobody").status == 400)
            #expect(try await line(.get, "/auth/status", token: "x").status == 401)
            #expect(try await line(.get, "/auth/status", token: "cardea_dc_nobody").body["expired"] == true)

            let asked = try await line(.post, "/auth/pair", asking)
            let id = try #require(try await line(.get, "/auth/pending", token: owner).body["pairings"]?.array.first?["pairing_id"]?.string)
            #expect(try await line(.delete, "/auth/pending/\(id)", token: owner).body["message"] != nil)
            #expect(try await line(.delete, "/auth/pending/\(id)", token: owner).status == 404)
            let standing = try await line(.get, "/auth/status?wait=25", token: asked.body["device_code"]?.string)
            #expect(standing.body["confirmed"] == false && standing.body["expired"] == true)

            house.clock.advance(by: 301)
            let again = try await line(.post, "/auth/pair", asking)
            let stale = try await line(
                .post, "/auth/confirm", #"{"code":"\#(again.body["pairing_code"]?.string ?? "")"}"#, token: owner)
            #expect(stale.status == 403 && stale.body["error"]?["code"] == "step_up_required" && stale.body["detail"] != nil)
        }
    }

    @Test("Too many pairing requests and wrong codes from one address give 429")
    func slowed() async throws {
        try await HubTransport.live.run { house, _, client in
            let line = ContractCheckingClient(client: client)
            _ = try await house.claim()
            var answers: [(status: Int, body: JSONValue, headers: HTTPFields)] = []
            for _ in 0..<6 { answers.append(try await line(.post, "/auth/pair", asking)) }
            #expect(answers.map { $0.status } == [201, 201, 201, 201, 201, 429])
            #expect(answers.last?.headers[.retryAfter] == "12" && answers.last?.body["detail"]?.string?.isEmpty == false)

            let wrong = #"{"pairing_code":"000000","device_id":"\#(UUID().uuidString)"}"#
            var statuses: [Int] = []
            for _ in 0..<12 { statuses.append(try await line(.post, "/auth/verify", wrong).status) }
            #expect(statuses == Array(repeating: 401, count: 11) + [429])
        }
    }

    @Test("A phone token may do what the resident app needs, and no administration")
    func reach() async throws {
        try await HubTransport.router.run { house, _, client in
            let (owner, _) = try await house.claim()
            let (_, tokens) = try await house.paired(try house.phone(), by: owner)
            let phone = TestAPIClient(client: client, token: tokens.access)

            #expect(try await phone(.get, "/api/v1/devices").status == 200)
            #expect(try await phone(.put, "/api/v1/devices/hall-light/control", #"{"action":"on"}"#).status == 200)
            #expect(try await phone(.get, "/api/v1/people/me").status == 200)
            #expect(try await phone(.post, "/api/v1/realtime/ticket").status / 100 == 2)
            for (method, path) in [
                (HTTPRequest.Method.get, "/api/v1/people"), (.get, "/api/v1/auth/sessions"), (.get, "/api/v1/guests"),
                (.get, "/api/v1/integrations"), (.get, "/api/v1/mobile/auth/pending"), (.get, "/api/v1/mobile/devices"),
                (.post, "/api/v1/auth/recovery-codes"), (.delete, "/api/v1/rooms/hall"),
            ] {
                let answer = try await phone(method, path)
                #expect(answer.status == 403 && answer.body["error"]?["details"]?["reason"] == "beyond_phones", "\(method) \(path)")
            }
            #expect(try await phone(.post, "/api/v1/mobile/auth/revoke", #"{"revoke_all":true}"#).body["revoked_count"] == 1)
            #expect(try await phone(.get, "/api/v1/devices").status == 401)
        }
    }

    @Test("The QR code has URL and key pins in both link forms, and malformed links are rejected")
    func link() throws {
        let pins = [1, 2].map { "sha256/" + Data(repeating: $0, count: 32).base64EncodedString() }
        for url in ["https://home.example", "https://192.168.1.5:8443", "http://localhost:8080", "https://[fd00::1]:8443"] {
            for pins in [[], [pins[0]], pins] {
                let link = PairingLink(url: url, pins: pins)
                #expect(PairingLink(link.app) == link && PairingLink(link.web) == link, "\(link.app) \(link.web)")
            }
        }
        for text in [
            "", "cardea://pair", "cardea://door?url=https%3A%2F%2Fh", "cardea://pair?url=ftp%3A%2F%2Fh", "https://home.example/",
            "https://home.example/pair?x=1", "cardea://pair?url=https%3A%2F%2Fuser%3Apw%40h", "cardea://pair?url=https%3A%2F%2Fh&pin=abc",
            "https://home.example/pair#pin=sha256/AA", "javascript:alert(1)", "cardea://pair?url=https%3A%2F%2F",
            "https://home.example/pair#" + String(repeating: "x", count: 3000),
        ] { #expect(PairingLink(text) == nil, "\(text)") }
        let whole = Array(PairingLink(url: "https://home.example", pins: pins).app.utf8)
        var random = SeededGenerator.forTest(3)
        for _ in 0..<5000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let link = PairingLink(String(decoding: bytes, as: UTF8.self)) else { continue }
            #expect(link.url.lowercased().hasPrefix("http"), "\(link.url), seed \(random.seed)")
        }
    }
}

extension JSONValue {
    /// The same error, with another one's request id and time.
    fileprivate func with(_ other: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(var error)? = members["error"] else { return self }
        error["request_id"] = other["error"]?["request_id"]
        error["timestamp"] = other["error"]?["timestamp"]
        members["error"] = .object(error)
        return .object(members)
    }
}
