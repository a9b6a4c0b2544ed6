import CardeaClient
import CardeaClientNIO
import Foundation
import NIOCore
import NIOPosix
import Testing

@Suite("Transport over a real socket")
struct NIOTransportTests {
    /// A server that sends the same bytes to every client and disconnects; or sends nothing.
    private func withServer<Result: Sendable>(_ answer: String?, _ body: @Sendable (URL) async throws -> Result) async throws -> Result {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(CannedResponseHandler(answer)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        do {
            let result = try await body(try #require(URL(string: "http://127.0.0.1:\(port)/x")))
            try await server.close()
            return result
        } catch {
            try await server.close()
            throw error
        }
    }

    private func failure(_ url: URL, timeout: Duration = .seconds(60)) async throws -> TransportError? {
        try await withNIOTransport { transport in
            do {
                _ = try await transport.send(TransportRequest(method: .get, url: url, timeout: timeout))
                return nil
            } catch let failure as TransportError {
                return failure
            }
        }
    }

    @Test("A response has its status, headers and body")
    func answer() async throws {
        let response = try await withServer("HTTP/1.1 404 Not Found\r\nX-Request-Id: req-1\r\nContent-Length: 2\r\n\r\n{}") { url in
            try await withNIOTransport { try await $0.send(TransportRequest(method: .put, url: url, body: Data("{}".utf8))) }
        }

        #expect(response.status == 404)
        #expect(response[header: "x-request-id"] == "req-1")
        #expect(response.body == Data("{}".utf8))
    }

    @Test("A redirect is returned and not followed")
    func redirect() async throws {
        let response = try await withServer("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n") { url in
            try await withNIOTransport { try await $0.send(TransportRequest(method: .get, url: url)) }
        }

        #expect(response.status == 302)
    }

    @Test("A refused connection is reported as not sent")
    func refused() async throws {
        let url = try await withServer("") { $0 }

        #expect(try await failure(url) == .noConnection)
    }

    @Test("A connection closed early is reported as possibly sent", arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"])
    func cutOff(answer: String) async throws {
        let failed = try await withServer(answer) { try await failure($0) }

        #expect(failed == .interrupted)
    }

    @Test("A missing response is a timeout")
    func silence() async throws {
        let failed = try await withServer(nil) { try await failure($0, timeout: .milliseconds(200)) }

        #expect(failed == .timeout)
    }

    @Test("A response above 8 MiB is refused")
    func tooLarge() async throws {
        let much = String(repeating: "x", count: (8 << 20) + 1)
        let failed = try await withServer("HTTP/1.1 200 OK\r\nContent-Length: \(much.utf8.count)\r\n\r\n\(much)") { try await failure($0) }

        #expect(failed == .tooLarge)
    }
}

private final class CannedResponseHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String?
    private var hasAnswered = false

    init(_ answer: String?) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let answer, !hasAnswered else { return }
        hasAnswered = true
        let channel = context.channel
        channel.writeAndFlush(ByteBuffer(string: answer)).whenComplete { _ in channel.close(promise: nil) }
    }
}
