import CardeaHTTP
import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaStore
import CardeaTestSupport
import Foundation
import GRDB
import HTTPTypes
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Testing

@Suite("Browser sessions with DPoP", .timeLimit(.minutes(10)))
struct DPoPSessionTests {
    private static let refresh = "/api/v1/auth/refresh"
    private static let page = "http://localhost"

    private struct Answer {
        let status: Int
        let body: JSONValue
        let headers: HTTPFields

        var code: JSONValue? { body["error"]?["code"] }
        /// `name=value` of the cookie that was set.
        var cookie: String? { headers[.setCookie]?.split(separator: ";").first.map(String.init) }
        var nonce: String? { DPoPSessionTests.nonceField.flatMap { headers[$0] } }
    }

    private static let proofField = HTTPField.Name("DPoP")
    private static let nonceField = HTTPField.Name("DPoP-Nonce")

    private static func post(
        _ client: any TestClientProtocol, _ path: String, _ body: String? = nil, proof: String? = nil, cookie: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if body != nil { headers[.contentType] = "application/json" }
        if let proof { headers[try #require(proofField)] = proof }
        headers[.cookie] = cookie
        let answer = try await client.executeRequest(uri: path, method: .post, headers: headers, body: body.map(ByteBuffer.init(string:)))
        let json = (try? JSONDecoder().decode(JSONValue.self, from: Data(buffer: answer.body))) ?? .null
        return Answer(status: answer.status.code, body: json, headers: answer.headers)
    }

    private static let login = #"{"username":"owner","password":"\#(TestHouse.password.reveal())","cookie":true}"#

    private static func signIn(_ client: any TestClientProtocol, by key: BrowserKey, at page: String = page) async throws -> Answer {
        try await post(client, "/api/v1/auth/login", login, proof: try key.proof(url: page + "/api/v1/auth/login"))
    }

    @Test("The refresh token is an HttpOnly cookie, and each refresh needs a proof over the hub's nonce")
    func bound() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let key = BrowserKey()
            let signedIn = try await Self.signIn(client, by: key)
            #expect(signedIn.status == 200 && signedIn.body["refresh_token"] == nil && signedIn.body["token_type"] == "Bearer")
            let words = try #require(signedIn.headers[.setCookie])
            for word in ["cardea_refresh_", "HttpOnly", "SameSite=Strict", "Path=/api/v1/auth"] { #expect(words.contains(word)) }

            // A reloaded page has no nonce: it gets one, without an audit entry.
            let unsaid = try await Self.post(client, Self.refresh, proof: key.proof(url: Self.page + Self.refresh), cookie: signedIn.cookie)
            #expect(unsaid.status == 400 && unsaid.code == "use_dpop_nonce" && unsaid.nonce == signedIn.nonce)
            let refreshed = try await Self.post(
                client, Self.refresh, proof: key.proof(url: Self.page + Self.refresh, nonce: unsaid.nonce), cookie: signedIn.cookie)
            #expect(refreshed.status == 200 && refreshed.cookie != signedIn.cookie && refreshed.nonce != signedIn.nonce)
            // A lost answer: the same request again gets the same answer.
            let again = try await Self.post(
                client, Self.refresh, proof: key.proof(url: Self.page + Self.refresh, nonce: unsaid.nonce), cookie: signedIn.cookie)
            #expect(again.status == 200 && again.cookie == refreshed.cookie)

            let logout = "/api/v1/auth/logout"
            let out = try await Self.post(client, logout, proof: key.proof(url: Self.page + logout), cookie: refreshed.cookie)
            #expect(out.status == 204 && out.headers[.setCookie]?.contains("Max-Age=0") == true)
            let over = try await Self.post(
                client, Self.refresh, proof: key.proof(url: Self.page + Self.refresh, nonce: refreshed.nonce), cookie: refreshed.cookie)
            #expect(over.status == 401)
        }
    }

    @Test("A stolen cookie without the key neither refreshes nor ends the session")
    func stolen() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let (key, thief) = (BrowserKey(), BrowserKey())
            let signedIn = try await Self.signIn(client, by: key)
            let cookie = try #require(signedIn.cookie)
            let value = String(cookie.split(separator: "=")[1])

            let alone = try await Self.post(client, Self.refresh, cookie: cookie)
            #expect(alone.status == 401 && alone.code == "dpop_proof_required")
            let asProgram = try await Self.post(client, Self.refresh, #"{"refresh_token":"\#(value)"}"#)
            #expect(asProgram.status == 401 && asProgram.code == "unauthorized")
            let byAnother = try await Self.post(
                client, Self.refresh, proof: thief.proof(url: Self.page + Self.refresh, nonce: signedIn.nonce), cookie: cookie)
            #expect(byAnother.status == 401 && byAnother.nonce == nil)
            let logout = "/api/v1/auth/logout"
            #expect(try await Self.post(client, logout, proof: thief.proof(url: Self.page + logout), cookie: cookie).status == 204)
            #expect(try await Self.post(client, logout, cookie: cookie).status == 204)

            let own = try await Self.post(
                client, Self.refresh, proof: key.proof(url: Self.page + Self.refresh, nonce: signedIn.nonce), cookie: cookie)
            #expect(own.status == 200)
        }
    }

    @Test("A planted cookie does not sign a browser in to another session")
    func planted() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let (key, other) = (BrowserKey(), BrowserKey())
            let signedIn = try await Self.signIn(client, by: key)
            let planted = try await Self.signIn(client, by: other)
            let answer = try await Self.post(
                client, Self.refresh, proof: key.proof(url: Self.page + Self.refresh, nonce: planted.nonce), cookie: planted.cookie)
            #expect(answer.status == 401)
            let own = try await Self.post(
                client, Self.refresh, proof: key.proof(url: Self.page + Self.refresh, nonce: signedIn.nonce), cookie: signedIn.cookie)
            #expect(own.status == 200)
        }
    }

    @Test("A DPoP proof is valid for one method, one URL and an origin of the hub")
    func otherRequests() async throws {
        try await HubTransport.router.run { house, _, client in
            try await house.claim()
            let key = BrowserKey()
            let signedIn = try await Self.signIn(client, by: key)
            let proofs = [
                try key.proof(method: "GET", url: Self.page + Self.refresh, nonce: signedIn.nonce),
                try key.proof(url: Self.page + "/api/v1/auth/logout", nonce: signedIn.nonce),
                try key.proof(url: Self.page + Self.refresh + "?again=1", nonce: signedIn.nonce),
                try key.proof(url: "http://localhost:8080" + Self.refresh, nonce: signedIn.nonce),
                try key.proof(url: "https://evil.example" + Self.refresh, nonce: signedIn.nonce), "nonsense", "",
            ]
            for proof in proofs {
                let answer = try await Self.post(client, Self.refresh, proof: proof, cookie: signedIn.cookie)
                #expect(answer.status == 400 && answer.code == "invalid_dpop_proof")
            }
            let unsigned = try await Self.post(client, "/api/v1/auth/login", Self.login)
            #expect(unsigned.status == 400 && unsigned.code == "validation_error")
        }
    }

    @Test("Browser sessions without a key end at start, and program sessions continue")
    func before() async throws {
        try await TestHouse.open { house in try await before(house) }
    }

    private func before(_ house: TestHouse) async throws {
        try await house.claim()
        let firefox = RequestOrigin(
            remote: "192.168.1.5", isLocal: true, requestID: nil,
            agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
        let terminal = RequestOrigin(remote: "192.168.1.5", isLocal: true, requestID: nil, agent: "cardea/1.0")
        let browser = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: firefox)
        let program = try await house.hub.sessions.login(username: "owner", password: TestHouse.password, origin: terminal)
        try await house.store.write { try $0.execute(sql: "UPDATE sessions SET key_thumbprint = x''") }

        let again = try await Hub(store: house.store, sealing: house.sealing, environment: house.clock.environment, logger: .silent)
        await #expect(throws: Sessions.SessionError.self) { try await again.sessions.refresh(browser.refresh, origin: firefox) }
        #expect(try await again.sessions.refresh(program.refresh, origin: terminal).phoneID == nil)
    }
}
