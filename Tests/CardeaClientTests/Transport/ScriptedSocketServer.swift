import CardeaClient
import CardeaTestSupport
import NIOCore
import NIOHTTP1

/// A server over a real socket, whose answers a test scripts: one exchange per connection.
struct ScriptedSocketServer {
    typealias Requests = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    typealias Answers = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    /// Gets the head, the rest of the request, and the answer's writer; the connection ends when it returns.
    typealias Script = @Sendable (HTTPRequestHead, inout Requests, Answers) async throws -> Void

    static func run<Result: Sendable>(
        _ script: @escaping Script, _ body: @escaping @Sendable (HubAddress) async throws -> Result
    ) async throws -> Result {
        let listener = try await LoopbackServer.http()
        let hub = try HubAddress("http://127.0.0.1:\(listener.port)")
        return try await listener.run(serving: { await serve($0, script) }) { try await body(hub) }
    }

    private static func serve(
        _ connection: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>, _ script: @escaping Script
    ) async {
        do {
            try await connection.executeThenClose { inbound, answers in
                var requests = inbound.makeAsyncIterator()
                guard case .head(let head)? = try await requests.next() else { return }
                try await script(head, &requests, answers)
            }
        } catch {
            // Clients that disconnect in the middle are part of the test.
        }
    }
}

extension NIOAsyncChannelOutboundWriter<HTTPServerResponsePart> {
    /// An answer, or the beginning of one.
    ///
    /// - Parameter cut: the connection ends after this many bytes of the body.
    func answer(_ status: HTTPResponseStatus, _ body: ByteBuffer, _ headers: HTTPHeaders = [:], cut: Int? = nil) async throws {
        var headers = headers
        // One exchange per connection: no second request is sent on one that is about to end.
        headers.replaceOrAdd(name: "connection", value: "close")
        if !headers.contains(name: "transfer-encoding") { headers.replaceOrAdd(name: "content-length", value: "\(body.readableBytes)") }
        try await write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        var rest = body
        if let cut {
            if let part = rest.readSlice(length: cut) { try await write(.body(.byteBuffer(part))) }
            return
        }
        while rest.readableBytes > 0, let part = rest.readSlice(length: min(64 * 1024, rest.readableBytes)) {
            try await write(.body(.byteBuffer(part)))
        }
        try await write(.end(nil))
    }
}

extension ScriptedSocketServer.Requests {
    /// The rest of the request.
    mutating func body() async throws -> ByteBuffer {
        var body = ByteBuffer()
        while let part = try await next() {
            switch part {
            case .head: continue
            case .body(let bytes): body.writeImmutableBuffer(bytes)
            case .end: return body
            }
        }
        throw ChannelError.eof
    }
}

extension Result where Failure == any Error {
    /// Captures the value or the error of a body, to be examined later.
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
