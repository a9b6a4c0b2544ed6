import CardeaHub
import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Synchronization
import Testing

@testable import CardeaPush

/// A push service with scripted answers that records its messages.
private final class FakePushService: Sendable {
    struct Request: Sendable {
        let headers: HTTPFields
        let body: Data
    }

    private let state = Mutex((answers: [Response](), requests: [Request]()))

    var requests: [Request] { state.withLock { $0.requests } }

    func answer(_ status: HTTPResponse.Status, _ headers: HTTPFields = [:]) {
        state.withLock { $0.answers.append(Response(status: status, headers: headers)) }
    }

    /// Runs `body` with the service on loopback and a browser that is subscribed there.
    func run(_ body: @escaping @Sendable (WebPushSubscription, FakeBrowser) async throws -> Void) async throws {
        let router = Router()
        router.post("push/:id") { request, _ in
            let bytes = try await request.body.collect(upTo: 8192)
            return self.state.withLock { state in
                state.requests.append(Request(headers: request.headers, body: Data(buffer: bytes)))
                return state.answers.isEmpty ? Response(status: .created) : state.answers.removeFirst()
            }
        }
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0))).test(.live) { client in
            let origin = "http://127.0.0.1:\(client.port ?? 0)"
            let browser = FakeBrowser()
            try await body(browser.subscription(at: origin + "/push/x", services: PushServicePolicy(others: [origin])), browser)
        }
    }
}

@Suite("Web Push sender", .timeLimit(.minutes(5)))
struct WebPushSenderTests {
    private let service = FakePushService()
    private let parcel = PushMessage(text: Data(#"{"event_id":"1"}"#.utf8), timeToLive: 60, urgency: .high, topic: "a-topic")

    private func withSender(_ body: @escaping @Sendable (WebPushSender, WebPushSubscription, FakeBrowser) async throws -> Void) async throws
    {
        let identity = try await VAPIDTokenProvider(key: .init(), contact: "mailto:house@example.org")
        try await service.run { subscription, browser in
            let client = try PushClient(timeout: .seconds(120), logger: Logger(label: "push"))
            do { try await body(WebPushSender(client: client, identity: identity), subscription, browser) } catch {
                try await client.shutdown()
                throw error
            }
            try await client.shutdown()
        }
    }

    @Test("The service sees urgency, lifetime and sender; only the browser reads the content")
    func taken() async throws {
        try await withSender { [service, parcel] carrier, subscription, browser in
            #expect(await carrier.send(parcel, to: .browser(subscription)) == .accepted)

            let request = try #require(service.requests.first)
            #expect(request.headers[.contentEncoding] == "aes128gcm")
            for (name, value) in [("ttl", "60"), ("urgency", "high"), ("topic", "a-topic")] {
                #expect(request.headers[try #require(HTTPField.Name(name))] == value)
            }
            #expect(try browser.open(request.body) == parcel.text)
            #expect(request.headers[.authorization]?.hasPrefix("vapid t=ey") == true)
        }
    }

    @Test("The service's response determines whether to continue")
    func outcomes() async throws {
        try await withSender { [service, parcel] carrier, subscription, _ in
            let expected: [(HTTPResponse.Status, PushResult)] = [
                (.ok, .accepted), (.accepted, .accepted), (.notFound, .gone), (.gone, .gone), (.badRequest, .rejected(status: 400)),
                (.forbidden, .rejected(status: 403)), (.contentTooLarge, .rejected(status: 413)), (.serviceUnavailable, .retry(after: nil)),
                (.internalServerError, .retry(after: nil)),
            ]
            for (status, outcome) in expected {
                service.answer(status)
                #expect(await carrier.send(parcel, to: .browser(subscription)) == outcome, "\(status)")
            }
            for (text, seconds) in [("30", 30), ("-5", 0), ("999999999", 86_400), ("Fri, 31 Dec 1999 23:59:59 GMT", nil)]
                as [(String, Int?)]
            {
                service.answer(.tooManyRequests, [.retryAfter: text])
                #expect(await carrier.send(parcel, to: .browser(subscription)) == .retry(after: seconds), "\(text)")
            }
        }
    }

    @Test("A redirect is not followed")
    func redirected() async throws {
        try await withSender { [service, parcel] carrier, subscription, _ in
            service.answer(.temporaryRedirect, [.location: "/push/elsewhere"])
            #expect(await carrier.send(parcel, to: .browser(subscription)) == .rejected(status: 307))
            #expect(service.requests.count == 1)
        }
    }

    @Test("An unavailable service is retried later, and an oversized message is never sent")
    func unsent() async throws {
        try await withSender { [service, parcel] carrier, subscription, browser in
            let nobody = "http://127.0.0.1:1"
            let away = try browser.subscription(at: nobody + "/x", services: PushServicePolicy(others: [nobody]))
            #expect(await carrier.send(parcel, to: .browser(away)) == .retry(after: nil))
            let long = PushMessage(text: Data(count: 4000), timeToLive: 0, urgency: .low)
            #expect(await carrier.send(long, to: .browser(subscription)) == .rejected(status: 0))
            #expect(service.requests.isEmpty)
        }
    }

    @Test("A response without end is aborted")
    func endless() async throws {
        let listener = try await LoopbackServer.http()
        try await listener.run(serving: Self.drip) { [parcel] in
            let client = try PushClient(timeout: .seconds(1), logger: Logger(label: "push"))
            let carrier = WebPushSender(
                client: client, identity: try await VAPIDTokenProvider(key: .init(), contact: "mailto:house@example.org"))
            let origin = "http://127.0.0.1:\(listener.port)"
            let subscription = try FakeBrowser().subscription(at: origin + "/x", services: PushServicePolicy(others: [origin]))

            #expect(await carrier.send(parcel, to: .browser(subscription)) == .retry(after: nil))

            try await client.shutdown()
        }
    }

    /// Sends an octet now and then, for as long as the client reads.
    private static func drip(_ connection: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>) async {
        do {
            try await connection.executeThenClose { _, answer in
                try await answer.write(.head(HTTPResponseHead(version: .http1_1, status: .created, headers: ["content-length": "4000"])))
                while true {
                    try await answer.write(.body(.byteBuffer(ByteBuffer(string: "."))))
                    try await Task.sleep(for: .milliseconds(50))
                }
            }
        } catch {
            // The hub has disconnected.
        }
    }
}

@Suite("VAPID tokens")
struct VAPIDTokenProviderTests {
    private struct Claims: Decodable {
        let aud: String
        let exp: Int
        let sub: String
    }

    /// Reads the claims of the header. Checks its signature as RFC 8292 requires of the push service.
    private func read(_ header: String) throws -> (claims: Claims, key: String) {
        let parts = header.dropFirst("vapid ".count).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let token = try #require(parts.first { $0.hasPrefix("t=") }).dropFirst(2)
        let key = String(try #require(parts.first { $0.hasPrefix("k=") }).dropFirst(2))
        let pieces = token.split(separator: ".").map(String.init)
        let (signature, claims) = (try #require(Base64URL.decode(pieces[2])), try #require(Base64URL.decode(pieces[1])))
        let publicKey = try P256.Signing.PublicKey(x963Representation: try #require(Base64URL.decode(key)))
        let signed = Data("\(pieces[0]).\(pieces[1])".utf8)
        #expect(publicKey.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: signed))
        return (try JSONDecoder().decode(Claims.self, from: claims), key)
    }

    @Test("RFC 8292's example is verified, and generated tokens verify too")
    func example() async throws {
        let published = try read(
            "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
        )
        #expect(published.claims.aud == "https://push.example.net" && published.claims.sub == "mailto:push@example.com")

        let identity = try await VAPIDTokenProvider(key: .init(), contact: "mailto:house@example.org")
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        let made = try read(try await identity.authorization(for: "https://fcm.googleapis.com", at: now).reveal())
        #expect(made.claims.aud == "https://fcm.googleapis.com" && made.claims.sub == "mailto:house@example.org")
        #expect(made.claims.exp == 1_795_000_000 + 12 * 3600 && made.key == identity.publicKey)
    }

    @Test("Each service has its own token until half its lifetime or a clock set back")
    func kept() async throws {
        let identity = try await VAPIDTokenProvider(key: .init(), contact: "https://house.example")
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        func token(_ service: String = "https://fcm.googleapis.com", after seconds: TimeInterval) async throws -> String {
            try await identity.authorization(for: service, at: now.addingTimeInterval(seconds)).reveal()
        }
        let first = try await token(after: 0)
        #expect(try await token(after: 5 * 3600) == first)
        #expect(try await token("https://web.push.apple.com", after: 0) != first)
        #expect(try await token(after: 7 * 3600) != first)
        let later = try await token(after: 7 * 3600)
        #expect(try await token(after: -3600) != later)
    }
}
