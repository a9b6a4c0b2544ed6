import CardeaHub
import CardeaSecurity
import CardeaTestSupport
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTesting
import Logging
import NIOCore
import NIOFoundationCompat
import NIOSSL
import Synchronization
import Testing

@testable import CardeaPush

/// A server that speaks HTTP/2 over TLS, like Apple's push service, with scripted answers.
private final class FakeAPNs: Sendable {
    struct Request: Sendable {
        let path: String
        let headers: HTTPFields
        let body: Data
    }

    private let state = Mutex((answers: [(status: HTTPResponse.Status, reason: String?)](), requests: [Request]()))

    var requests: [Request] { state.withLock { $0.requests } }

    func answer(_ status: HTTPResponse.Status, _ reason: String? = nil) { state.withLock { $0.answers.append((status, reason)) } }

    /// Runs `body` with the server on loopback, a sender that trusts its certificate, and one that does not.
    func run(
        provider: APNsTokenProvider, now: @escaping @Sendable () -> Date = { Date() },
        _ body: @escaping @Sendable (_ carrier: APNsSender, _ distrustful: APNsSender) async throws -> Void
    ) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let (key, certificate) = (folder.appending(path: "key.pem"), folder.appending(path: "certificate.pem"))
            _ = try await ChildProcess.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key.path, "-out",
                    certificate.path, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                ], hearsErrors: false)
            let tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.path).map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(file: key.path, format: .pem)))
            let router = Router()
            router.post("3/device/:token") { request, _ in
                let bytes = try await request.body.collect(upTo: 8192)
                return self.state.withLock { state in
                    state.requests.append(Request(path: request.uri.path, headers: request.headers, body: Data(buffer: bytes)))
                    let (status, reason) = state.answers.isEmpty ? (.ok, nil) : state.answers.removeFirst()
                    return Response(
                        status: status, body: .init(byteBuffer: ByteBuffer(string: reason.map { #"{"reason":"\#($0)"}"# } ?? "")))
                }
            }
            // HTTP/2 only: an older client gets no answer.
            let application = Application(
                router: router, server: try .http2Upgrade(tlsConfiguration: tls, configuration: .init()),
                configuration: .init(address: .hostname("127.0.0.1", port: 0)))
            try await application.test(.live) { client in
                let url = "https://localhost:\(client.port ?? 0)"
                let trusting = try PushClient(authorities: certificate, timeout: .seconds(120), logger: Logger(label: "push"))
                let distrustful = try PushClient(timeout: .seconds(120), logger: Logger(label: "push"))
                func carrier(_ client: PushClient) -> APNsSender {
                    APNsSender(client: client, provider: provider, topic: "org.example.house", url: url, now: now)
                }
                do { try await body(carrier(trusting), carrier(distrustful)) } catch {
                    try await trusting.shutdown()
                    try await distrustful.shutdown()
                    throw error
                }
                try await trusting.shutdown()
                try await distrustful.shutdown()
            }
        }
    }
}

@Suite("APNs sender", .timeLimit(.minutes(5)))
struct APNsSenderTests {
    private let peer = FakeAPNs()
    private let key = P256.Signing.PrivateKey()
    private let token = String(repeating: "0F", count: 32)
    private let parcel = PushMessage(
        text: Data(#"{"kind":"ring","place":"Garden gate"}"#.utf8), eventID: "event_1", timeToLive: 60, urgency: .high, topic: "a-topic",
        thread: "a-thread")

    private func provider() async throws -> APNsTokenProvider {
        try await APNsTokenProvider(key: Secret(key.pemRepresentation), keyID: "KEYKEYKEY1", teamID: "TEAMTEAM11")
    }

    @Test("Apple sees only the event id, the phone decrypts the rest, and an untrusted server gets nothing")
    func taken() async throws {
        let browser = FakeBrowser()
        let phone = try #require(ApplePushSubscription(token: token, keys: try browser.keys))
        try await peer.run(provider: try await provider()) { [peer, parcel, token, key] carrier, distrustful in
            #expect(await carrier.send(parcel, to: .apple(phone)) == .accepted)
            #expect(await distrustful.send(parcel, to: .apple(phone)) == .retry(after: nil))
            #expect(peer.requests.count == 1)

            let request = try #require(peer.requests.first)
            #expect(request.path == "/3/device/" + token.lowercased())
            for (name, value) in [
                ("apns-topic", "org.example.house"), ("apns-push-type", "alert"), ("apns-priority", "10"), ("apns-collapse-id", "a-topic"),
            ] { #expect(request.headers[try #require(HTTPField.Name(name))] == value, "\(name)") }
            #expect(request.body.range(of: Data("Garden".utf8)) == nil && request.body.range(of: Data("ring".utf8)) == nil)

            struct Payload: Decodable {
                let event_id: String
                let sealed: String
            }
            let payload = try JSONDecoder().decode(Payload.self, from: request.body)
            #expect(payload.event_id == "event_1")
            #expect(try browser.open(try #require(Base64URL.decode(payload.sealed))) == parcel.text)

            let header = try #require(request.headers[.authorization])
            let parts = header.dropFirst("bearer ".count).split(separator: ".").map(String.init)
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2])))
            #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
            let head = String(decoding: try #require(Base64URL.decode(parts[0])), as: UTF8.self)
            #expect(head.contains(#""kid":"KEYKEYKEY1""#) && head.contains("ES256"))
        }
    }

    @Test("An app without keys gets only the event id")
    func keyless() async throws {
        let phone = try #require(ApplePushSubscription(token: token, keys: nil))
        try await peer.run(provider: try await provider()) { [peer, parcel] carrier, _ in
            #expect(await carrier.send(parcel, to: .apple(phone)) == .accepted)
            let body = String(decoding: try #require(peer.requests.first).body, as: UTF8.self)
            #expect(body.contains(#""event_id":"event_1""#) && !body.contains("sealed"))
        }
    }

    @Test("Apple's response determines whether to continue")
    func outcomes() async throws {
        let phone = try #require(ApplePushSubscription(token: token, keys: nil))
        try await peer.run(provider: try await provider()) { [peer, parcel] carrier, _ in
            let expected: [(HTTPResponse.Status, String?, PushResult)] = [
                (.ok, nil, .accepted), (.badRequest, "BadDeviceToken", .rejected(status: 400)),
                (.badRequest, "BadTopic", .rejected(status: 400)),
                (.forbidden, "Forbidden", .rejected(status: 403)), (.forbidden, "ExpiredProviderToken", .retry(after: nil)),
                (.gone, "Unregistered", .gone), (.contentTooLarge, "PayloadTooLarge", .rejected(status: 413)),
                (.tooManyRequests, "TooManyRequests", .retry(after: nil)),
                (.tooManyRequests, "TooManyProviderTokenUpdates", .retry(after: 1200)),
                (.serviceUnavailable, "Shutdown", .retry(after: nil)), (.internalServerError, nil, .retry(after: nil)),
            ]
            for (status, reason, outcome) in expected {
                peer.answer(status, reason)
                #expect(await carrier.send(parcel, to: .apple(phone)) == outcome, "\(status) \(reason ?? "")")
            }
        }
    }

    @Test(
        "A token is used for 40 minutes and replaced after a rejection, as soon as allowed, or after a clock set back"
    )
    func provided() async throws {
        let provider = try await provider()
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        func token(after seconds: TimeInterval) async throws -> String {
            try await provider.token(at: now.addingTimeInterval(seconds)).reveal()
        }
        let first = try await token(after: 0)
        #expect(try await token(after: 2399) == first)
        let second = try await token(after: 2400)
        #expect(second != first)
        provider.invalidate()
        #expect(try await token(after: 2400 + 1199) == second)
        let third = try await token(after: 2400 + 1200)
        #expect(third != second)
        #expect(try await token(after: 0) != third)
        await #expect(throws: APNsTokenProvider.KeyError.self) {
            try await APNsTokenProvider(key: Secret("no key"), keyID: "KEYKEYKEY1", teamID: "TEAMTEAM11")
        }
    }
}
