import CardeaHub
import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import Testing

@testable import CardeaLanguageModel

extension FakeLanguageModelServer {
    /// Runs `body` with the server on loopback and a describer that uses it.
    fileprivate func run(
        key: Secret? = nil, log: LogRecorder = LogRecorder(), _ body: @escaping @Sendable (LanguageModelDescriber) async throws -> Void
    ) async throws {
        try await run { address in try await describing(at: address, key: key, log: log, body) }
    }
}

private func describing(
    at address: LanguageModelAddress, key: Secret? = nil, timeout: Duration = .seconds(120), log: LogRecorder = LogRecorder(),
    _ body: @Sendable (LanguageModelDescriber) async throws -> Void
) async throws {
    let describer = try LanguageModelDescriber(
        LanguageModelSettings(address: address, model: "little-eye", key: key), timeout: timeout, logger: log.logger)
    do { try await body(describer) } catch {
        try await describer.shutdown()
        throw error
    }
    try await describer.shutdown()
}

@Suite("Picture descriptions by a chat endpoint", .timeLimit(.minutes(5)))
struct LanguageModelDescriberTests {
    private let peer = FakeLanguageModelServer()

    @Test("The request contains only the picture and a prompt, and the answer is returned unchanged")
    func asked() async throws {
        try await peer.run(key: Secret("sk-garden")) { [peer] describer in
            try peer.answerText("A person carries a red parcel.\n<b>Really</b>")

            #expect(await describer.describe(smallestJPEG) == .text("A person carries a red parcel.\n<b>Really</b>"))

            let request = try #require(peer.requests.first)
            #expect(request.headers[.authorization] == "Bearer sk-garden" && request.headers[.contentType] == "application/json")
            let body = try JSONDecoder().decode(JSONValue.self, from: request.body)
            guard case .object(let members) = body, case .array(let messages)? = members["messages"], let message = messages.first,
                case .array(let parts)? = message["content"]
            else {
                Issue.record("This is not what such an endpoint reads.")
                return
            }
            #expect(Set(members.keys) == ["model", "max_tokens", "temperature", "stream", "messages"])
            #expect(members["model"] == "little-eye" && members["temperature"] == 0 && members["max_tokens"] == 120)
            #expect(messages.count == 1 && message["role"] == "user" && parts.count == 2)
            #expect(parts.first?["text"] == .string(LanguageModelDescriber.prompt))
            #expect(parts.last?["image_url"]?["url"] == .string("data:image/jpeg;base64," + smallestJPEG.base64EncodedString()))
        }
    }

    @Test("The endpoint's response determines if and when to retry")
    func outcomes() async throws {
        try await peer.run { [peer] describer in
            let expected: [(HTTPResponse.Status, HTTPFields, PictureDescriptionResult)] = [
                (.tooManyRequests, [.retryAfter: "30"], .retry(after: 30)), (.tooManyRequests, [.retryAfter: "-5"], .retry(after: 0)),
                (.tooManyRequests, [.retryAfter: "99999999999"], .retry(after: 86_400)),
                (.tooManyRequests, [.retryAfter: "Fri, 31 Dec 1999 23:59:59 GMT"], .retry(after: nil)),
                (.internalServerError, [:], .retry(after: nil)), (.serviceUnavailable, [.retryAfter: "7"], .retry(after: 7)),
                (.requestTimeout, [:], .retry(after: nil)), (.badRequest, [:], .noDescription), (.unauthorized, [:], .noDescription),
                (.forbidden, [:], .noDescription), (.notFound, [:], .noDescription), (.noContent, [:], .noDescription),
                (.temporaryRedirect, [.location: "/v1/chat/completions"], .noDescription),
            ]
            for (status, headers, outcome) in expected {
                peer.answer(status, headers)
                #expect(await describer.describe(smallestJPEG) == outcome, "\(status) \(headers)")
            }
            // A redirect is not followed, and no request carries a key that was not configured.
            #expect(peer.requests.count == expected.count && peer.requests.allSatisfy { $0.headers[.authorization] == nil })
        }
    }

    @Test("An invalid or oversized answer gives no description and is not retried")
    func junk() async throws {
        try await peer.run { [peer] describer in
            let long = String(repeating: "x", count: 70_000)
            for body in [
                "", "<html>", "null", "[]", "{}", #"{"choices":[]}"#, #"{"choices":[{}]}"#, #"{"choices":[{"message":{"content":null}}]}"#,
                #"{"choices":[{"message":{"content":["a"]}}]}"#, #"{"choices":[{"message":{"content":5}}]}"#,
                #"{"choices":[{"message":{"content":"\#(long)"}}]}"#, String(repeating: "[", count: 60_000),
                #"{"choices":[{"message":{"content":"half"#,
            ] {
                peer.answer(body: body)
                #expect(await describer.describe(smallestJPEG) == .noDescription, "\(body.prefix(80))")
            }
        }
    }

    @Test("A hanging endpoint is aborted in time, and an unavailable one is retried later")
    func hangs() async throws {
        for saysHead in [false, true] {
            let listener = try await LoopbackServer.http()
            let address = try #require(LanguageModelAddress("http://127.0.0.1:\(listener.port)/v1"))
            try await listener.run(serving: { connection in
                try? await connection.executeThenClose { inbound, outbound in
                    for try await part in inbound {
                        guard case .end = part, saysHead else { continue }
                        try await outbound.write(.head(HTTPResponseHead(version: .http1_1, status: .ok)))
                        // A little at a time: no single wait is long.
                        while !Task.isCancelled {
                            try await outbound.write(.body(.byteBuffer(ByteBuffer(string: " "))))
                            try await Task.sleep(for: .milliseconds(20))
                        }
                    }
                }
            }) {
                try await describing(at: address, timeout: .milliseconds(300)) { describer in
                    #expect(await describer.describe(smallestJPEG) == .retry(after: nil))
                }
            }
        }
        try await describing(at: try #require(LanguageModelAddress("http://127.0.0.1:1/v1"))) {
            #expect(await $0.describe(smallestJPEG) == .retry(after: nil))
        }
    }

    @Test("A refusal is logged once, without key, picture or text")
    func quietLog() async throws {
        let log = LogRecorder()
        try await peer.run(key: Secret("sk-garden"), log: log) { [peer] describer in
            for _ in 0..<3 {
                peer.answer(.unauthorized, body: "bad key sk-garden")
                _ = await describer.describe(smallestJPEG)
            }
            try peer.answerText("A cat.")
            _ = await describer.describe(smallestJPEG)
            peer.answer(.unauthorized)
            _ = await describer.describe(smallestJPEG)
        }

        let warnings = log.entries.filter { $0.contains("describer") }
        #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("status=401") })
        #expect(!log.entries.contains { $0.contains("sk-garden") || $0.contains("cat") || $0.contains("base64") })
    }

    @Test(
        "TLS is required except for loopback and local numeric addresses",
        arguments: [
            ("https://api.example.org/v1", "https://api.example.org/v1/chat/completions"),
            ("https://api.example.org/v1///", "https://api.example.org/v1/chat/completions"),
            ("HTTPS://Api.Example.org:8443", "https://api.example.org:8443/chat/completions"),
            ("http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"),
            ("http://192.168.1.5:11434/v1", "http://192.168.1.5:11434/v1/chat/completions"),
            ("http://[fd00::5]:80/v1", "http://[fd00::5]:80/v1/chat/completions"), ("http://[::1]/v1", "http://[::1]/v1/chat/completions"),
            ("http://api.example.org/v1", nil), ("http://8.8.8.8/v1", nil), ("http://ollama.local/v1", nil),
            ("http://127.evil.org/v1", nil),
            ("http://10.0.0.1.evil.org/v1", nil), ("https://user:word@example.org/v1", nil), ("https://example.org/v1?key=x", nil),
            ("https://example.org/v1#x", nil), ("ftp://example.org", nil), ("file:///etc/passwd", nil), ("example.org/v1", nil),
            ("https://", nil), ("", nil), ("https://example.org/a b", nil), ("https://example.org/\r\nx", nil),
        ] as [(String, String?)])
    func addresses(text: String, asked: String?) {
        #expect(LanguageModelAddress(text)?.completionsURL == asked)
    }
}
