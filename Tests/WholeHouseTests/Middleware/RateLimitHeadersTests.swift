import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("RateLimit header fields", .timeLimit(.minutes(10)))
struct RateLimitHeadersTests {
    @Test("Wrong passwords count down in RateLimit, and a delay is given there and in Retry-After")
    func passwords() async throws {
        try await HubTransport.live.run { _, _, client in
            func login(_ password: String) async throws -> TestResponse {
                try await client.executeRequest(
                    uri: "/api/v1/auth/login", method: .post, headers: [.contentType: "application/json"],
                    body: ByteBuffer(string: #"{"username":"nobody","password":"\#(password)"}"#))
            }

            for left in [4, 3, 2, 1, 1] {
                let answer = try await login("wrong horse")
                #expect(answer.status == .unauthorized && answer.policy == #""password";q=5;w=3600"#)
                #expect(answer.limit == #""password";r=\#(left);t=3600"#)
            }
            #expect(try await login("wrong horse").limit == #""password";r=0;t=1"#)
            let slowed = try await login("wrong horse")
            #expect(slowed.status == .tooManyRequests && slowed.headers[.retryAfter] == "1")
            #expect(slowed.limit == #""password";r=0;t=1"#)
        }
    }

    @Test("Wrong guest codes and unknown tokens count down; a known pass gets no such header")
    func strangers() async throws {
        try await HubTransport.live.run { house, _, client in
            let wrong = try await client.executeRequest(
                uri: "/api/guest_access/pair", method: .post, headers: [.contentType: "application/json"],
                body: ByteBuffer(string: #"{"pairing_code":"WRONG12345"}"#))
            #expect(wrong.policy == #""pairing";q=10;w=3600"# && wrong.limit == #""pairing";r=9;t=3600"#)

            func pass(_ token: String) async throws -> TestResponse {
                try await client.executeRequest(
                    uri: "/api/guest_access/pass", method: .get, headers: [.authorization: "Bearer \(token)"], body: nil)
            }
            let unknown = try await pass("cardea_gp_nobody")
            #expect(unknown.status == .unauthorized && unknown.limit == #""strangers";r=29;t=600"#)

            let (owner, _) = try await house.claim()
            let known = try await pass(try await house.guest(house.draft(), by: owner).token.reveal())
            #expect(known.status == .ok && known.limit == nil && known.policy == nil)
        }
    }
}

extension TestResponse {
    fileprivate var policy: String? { HTTPField.Name("RateLimit-Policy").flatMap { headers[$0] } }
    fileprivate var limit: String? { HTTPField.Name("RateLimit").flatMap { headers[$0] } }
}
