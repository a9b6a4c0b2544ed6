import CardeaHub
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOFoundationCompat

/// A write that its caller named, and that does the same when done again: its answer is kept and given again.
struct NamedWrite {
    let kept: KeptAnswers

    private struct Answer: Codable {
        let status: Int
        let contentType: String?
        let body: Data
    }

    func run(_ request: Request, by principal: Principal, _ answer: (Request) async throws -> Response) async throws -> Response {
        var request = request
        let data = try await request.bytes()
        request.body = RequestBody(buffer: ByteBuffer(data: data))
        guard let call = try request.callName(data) else { return try await answer(request) }
        if let before = try await kept.find(call, by: principal) { return try replay(before) }
        var response = try await answer(request)
        let body = try await Self.collect(response.body)
        response.body = ResponseBody(byteBuffer: body)
        let kept = Answer(status: response.status.code, contentType: response.headers[.contentType], body: Data(buffer: body))
        try await self.kept.keep(try JSONEncoder().encode(kept), call, by: principal)
        return response
    }

    private func replay(_ data: Data) throws -> Response {
        let answer = try JSONDecoder().decode(Answer.self, from: data)
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
