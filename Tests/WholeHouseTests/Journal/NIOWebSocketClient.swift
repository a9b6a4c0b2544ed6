import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A listener that uses swift-nio's own WebSocket client, which contains none of this project's code.
struct NIOWebSocketClient: Sendable {
    struct ReceivedMessages: Sendable {
        var messages: [JSONValue] = []
        /// The payloads received in WebSocket pong frames.
        var pongs: [String] = []
        /// The hub's close code.
        var closeCode: Int?
        var isClosed = false

        func count(_ type: String) -> Int { messages.count { $0["type"]?.string == type } }

        /// The numbered messages, except the two that only state the position in the stream.
        var events: [JSONValue] { messages.filter { $0["seq"] != nil && !["subscribed", "snapshot"].contains($0["type"]?.string) } }
        var numbers: [Int] { events.compactMap { $0["seq"]?.number.map { Int($0) } } }
        /// Differences from the contract in all messages.
        var problems: [String] { messages.flatMap { AsyncAPIValidator.problems(ofFrame: $0) } }
        var snapshot: JSONValue? { messages.last { $0["type"] == "snapshot" } }
    }

    /// The hub's answer if it did not become a WebSocket.
    struct UpgradeRefusedError: Error {
        let status: Int
        let connection: String?
    }

    let received: AwaitableValue<ReceivedMessages>
    let channel: any Channel

    static func connect(
        _ port: Int, token: Secret? = nil, path: String = "/api/v1/realtime", headers: [(String, String)] = [], from source: String? = nil,
        receiveBuffer: Int? = nil
    ) async throws -> NIOWebSocketClient {
        let heard = AwaitableValue(ReceivedMessages())
        let channel = try await open(port, token: token, path: path, headers: headers, from: source, receiveBuffer: receiveBuffer) {
            FrameHandler(heard)
        }
        return NIOWebSocketClient(received: heard, channel: channel)
    }

    // MARK: Connecting

    /// Makes a WebSocket whose frames go to `ear`, or throws `Refused`.
    ///
    /// - Parameter source: the local source address; the hub counts connections by address.
    static func open(
        _ port: Int, token: Secret?, path: String = "/api/v1/realtime", headers more: [(String, String)] = [], from source: String? = nil,
        receiveBuffer: Int? = nil, ear: @escaping @Sendable () -> any ChannelHandler
    ) async throws -> any Channel {
        var headers = HTTPHeaders([("host", "127.0.0.1:\(port)")] + more)
        if let token { headers.add(name: "authorization", value: "Bearer \(token.reveal())") }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let source { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: source, port: 0)) }
        if let receiveBuffer { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: receiveBuffer) }
        let entry = try await bootstrap.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: port)) { channel in
            channel.eventLoop.makeCompletedFuture { try upgrade(channel, head, ear) }
        }.get()
        switch entry {
        case .upgraded(let channel): return channel
        case .refused(let answer, let channel):
            let refused = try await answer.get()
            try? await channel.close()
            throw refused
        }
    }

    private enum UpgradeOutcome: Sendable {
        case upgraded(any Channel)
        case refused(EventLoopFuture<UpgradeRefusedError>, any Channel)
    }

    /// On the channel's event loop.
    private static func upgrade(
        _ channel: any Channel, _ head: HTTPRequestHead, _ ear: @escaping @Sendable () -> any ChannelHandler
    ) throws -> EventLoopFuture<UpgradeOutcome> {
        let upgrader = NIOTypedWebSocketClientUpgrader<UpgradeOutcome>(maxFrameSize: 1 << 20) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ear())
                return .upgraded(channel)
            }
        }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<UpgradeOutcome>(upgradeRequestHead: head, upgraders: [upgrader]) {
            channel in
            channel.eventLoop.makeCompletedFuture {
                let answer = channel.eventLoop.makePromise(of: UpgradeRefusedError.self)
                try channel.pipeline.syncOperations.addHandler(ResponseHeadHandler(answer))
                return .refused(answer.futureResult, channel)
            }
        }
        var http = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        // The first frame may come in the packet of the 101; by default NIO would drop it.
        http.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: http)
    }

    // MARK: Messages

    func send(_ text: String) { send(.text, ByteBuffer(string: text)) }

    func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer = ByteBuffer()) {
        send(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data))
    }

    func send(_ frame: WebSocketFrame) { channel.writeAndFlush(frame, promise: nil) }

    /// Subscribes, and returns once the house has confirmed; if `after` is nil, once the snapshot is there.
    func subscribe(
        after: Int? = nil, devices: [String]? = nil, kinds: [String]? = nil, rooms: [String]? = nil, ticket: Secret? = nil
    ) async throws {
        var message: [String: JSONValue] = ["type": "subscribe"]
        message["after"] = after.map { .number(Double($0)) }
        message["devices"] = devices.map { .array($0.map(JSONValue.string)) }
        message["kinds"] = kinds.map { .array($0.map(JSONValue.string)) }
        message["rooms"] = rooms.map { .array($0.map(JSONValue.string)) }
        message["ticket"] = ticket.map { .string($0.reveal()) }
        let before = received.now
        send(String(decoding: try JSONEncoder().encode(JSONValue.object(message)), as: UTF8.self))
        try await received.waitUntil("subscribed") { $0.count("subscribed") > before.count("subscribed") || $0.isClosed }
        if after == nil {
            try await received.waitUntil("there is a snapshot") { $0.count("snapshot") > before.count("snapshot") || $0.isClosed }
        }
    }

    /// Cuts the connection, without a close frame.
    func abort() async throws {
        try await channel.close()
        try await received.waitUntil("the line is down") { $0.isClosed }
    }
}

/// Receives frames.
private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let received: AwaitableValue<NIOWebSocketClient.ReceivedMessages>

    init(_ heard: AwaitableValue<NIOWebSocketClient.ReceivedMessages>) { self.received = heard }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        var bytes = frame.unmaskedData
        switch frame.opcode {
        case .text:
            guard let message = JSONValue.read(Array(bytes.readableBytesView)) else { return context.close(promise: nil) }
            received.change { $0.messages.append(message) }
        case .pong: received.change { $0.pongs.append(String(buffer: bytes)) }
        case .ping: sendFrame(.pong, bytes, context)
        case .connectionClose:
            let code = bytes.readInteger(as: UInt16.self).map(Int.init)
            received.change { $0.closeCode = code ?? 1005 }
            sendFrame(.connectionClose, frame.unmaskedData, context)
        default: break
        }
    }

    private func sendFrame(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        received.change { $0.isClosed = true }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Reads the head of an ordinary answer.
private final class ResponseHeadHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let answer: EventLoopPromise<NIOWebSocketClient.UpgradeRefusedError>

    init(_ answer: EventLoopPromise<NIOWebSocketClient.UpgradeRefusedError>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        answer.succeed(
            NIOWebSocketClient.UpgradeRefusedError(status: Int(head.status.code), connection: head.headers.first(name: "connection")))
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
