import CardeaTestSupport
import Foundation
import NIOCore
import NIOPosix

/// A bare connection to the hub, for requests that no regular client sends.
struct RawTCPConnection: Sendable {
    struct ReceivedBytes: Sendable {
        var bytes: [UInt8] = []
        var isClosed = false

        var text: String { String(decoding: bytes, as: UTF8.self) }
        /// The status codes of the answers so far.
        var statuses: [String] { text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) } }
    }

    let received = AwaitableValue(ReceivedBytes())
    private let channel: any Channel

    /// - Parameter call: answered with `reply` at once, one time, as soon as it is received.
    init(_ port: Int, from source: String? = nil, answering call: String? = nil, with reply: [UInt8] = []) async throws {
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let source { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source, port: 0)) }
        channel = try await bootstrap.channelInitializer { [received] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ReceivingHandler(received, call, reply))
            }
        }.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: port)).get()
    }

    func send(_ text: String, _ more: [UInt8] = []) {
        var bytes = ByteBuffer(string: text)
        bytes.writeBytes(more)
        channel.writeAndFlush(bytes, promise: nil)
    }

    func close() { channel.close(promise: nil) }

    private final class ReceivingHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let received: AwaitableValue<ReceivedBytes>
        private var call: String?
        private let reply: [UInt8]

        init(_ heard: AwaitableValue<ReceivedBytes>, _ call: String?, _ reply: [UInt8]) {
            self.received = heard
            self.call = call
            self.reply = reply
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if let call, String(buffer: bytes).contains(call) {
                self.call = nil
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: reply)), promise: nil)
            }
            received.change { $0.bytes += bytes.readableBytesView }
        }

        func channelInactive(context: ChannelHandlerContext) { received.change { $0.isClosed = true } }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
