import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import NIOCore
import NIOFoundationCompat
import Synchronization

@testable import CardeaLanguageModel

/// A server that speaks OpenAI's chat completions, answers as scripted, and records its requests.
final class FakeLanguageModelServer: Sendable {
    struct Request: Sendable {
        let headers: HTTPFields
        let body: Data
    }

    private let state = Mutex((answers: [Response](), requests: [Request]()))

    var requests: [Request] { state.withLock { $0.requests } }

    func answer(_ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:], body: String = "") {
        state.withLock { $0.answers.append(Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: body)))) }
    }

    func answerText(_ content: JSONValue) throws {
        let answer: JSONValue = ["id": "x", "choices": [["index": 0, "message": ["role": "assistant", "content": content]]]]
        self.answer(body: try CanonicalJSON.encode(answer))
    }

    /// Runs `body` with the server's address on loopback.
    func run(_ body: @escaping @Sendable (LanguageModelAddress) async throws -> Void) async throws {
        let router = Router()
        router.post("v1/chat/completions") { request, _ in
            let bytes = try await request.body.collect(upTo: 1 << 20)
            return self.state.withLock { state in
                state.requests.append(Request(headers: request.headers, body: Data(buffer: bytes)))
                return state.answers.isEmpty ? Response(status: .notImplemented) : state.answers.removeFirst()
            }
        }
        try await Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0))).test(.live) { client in
            guard let address = LanguageModelAddress("http://127.0.0.1:\(client.port ?? 0)/v1/") else { throw NoAddress() }
            try await body(address)
        }
    }

    struct NoAddress: Error {}
}
