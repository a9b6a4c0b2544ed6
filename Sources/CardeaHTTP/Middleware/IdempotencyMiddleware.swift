import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import Synchronization

/// Writes that their callers named: the answer is kept and given again. One that is named while it still runs is not done twice.
final class IdempotencyMiddleware: Sendable {
    private let store: IdempotentResponseStore
    private let logger: Logger
    private let running = Mutex<Set<RunningRequest>>([])

    private struct RunningRequest: Hashable {
        let principal: Principal
        let key: String
    }

    init(store: IdempotentResponseStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    private struct StoredResponse: Codable {
        let status: Int
        let contentType: String?
        let body: Data
    }

    func handle(_ request: Request, by principal: Principal, _ answer: (Request) async throws -> Response) async throws -> Response {
        var request = request
        let data = try await request.bodyData()
        request.body = RequestBody(buffer: ByteBuffer(data: data))
        guard let call = try request.idempotencyKey(data) else { return try await answer(request) }
        let name = RunningRequest(principal: principal, key: call.key)
        guard running.withLock({ $0.insert(name).inserted }) else {
            throw APIResponseError(.conflict, "in_flight", RefusalSentences.inFlight, retryAfter: 1)
        }
        defer { running.withLock { _ = $0.remove(name) } }
        if let before = try await store.find(call, by: principal) { return try replay(before) }
        var response = try await answer(request)
        let body = try await Self.collect(response.body)
        response.body = ResponseBody(byteBuffer: body)
        let stored = StoredResponse(status: response.status.code, contentType: response.headers[.contentType], body: Data(buffer: body))
        do {
            try await store.save(try JSONEncoder().encode(stored), call, by: principal)
        } catch {
            // The write is done, and the caller gets its answer anyway.
            logger.error("idempotent answer could not be stored", metadata: ["error": "\(type(of: error))"])
        }
        return response
    }

    private func replay(_ data: Data) throws -> Response {
        let answer = try JSONDecoder().decode(StoredResponse.self, from: data)
        var headers: HTTPFields = [.idempotentReplayed: "true"]
        headers[.contentType] = answer.contentType
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(data: answer.body)))
    }

    /// The bytes of an answer. Those of the routes that are kept are one buffer.
    private static func collect(_ body: ResponseBody) async throws -> ByteBuffer {
        final class Collected: ResponseBodyWriter {
            var buffer = ByteBuffer()
            func write(_ buffer: ByteBuffer) async throws { self.buffer.writeImmutableBuffer(buffer) }
            func finish(_ trailingHeaders: HTTPFields?) async throws {}
        }
        let collected = Collected()
        try await body.write(collected)
        return collected.buffer
    }
}
