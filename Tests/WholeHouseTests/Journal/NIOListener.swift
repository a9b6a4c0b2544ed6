import CardeaModel
import CardeaSecurity
import CardeaTestSupport
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// Somebody who listens to the house with swift-nio's own WebSocket client, of which no line is ours.
struct NIOListener: Sendable {
    struct Heard: Sendable {
        var messages: [JSONValue] = []
        /// What came back for pings of the protocol itself.
        var pongs: [String] = []
        /// The code with which the hub closed.
        var goodbye: Int?
        var isOver = false

        func count(_ type: String) -> Int { messages.count { $0["type"]?.string == type } }

        /// What happened: everything with a number but the two messages that only say where one stands.
        var events: [JSONValue] { messages.filter { $0["seq"] != nil && !["subscribed", "snapshot"].contains($0["type"]?.string) } }
        var numbers: [Int] { events.compactMap { $0["seq"]?.number.map { Int($0) } } }
        /// What of all that is not as the contract has it.
        var problems: [String] { messages.flatMap { AsyncContract.problems(ofFrame: $0) } }
        var snapshot: JSONValue? { messages.last { $0["type"] == "snapshot" } }
    }

    /// The hub's answer where it did not become a WebSocket.
    struct Refused: Error {
        let status: Int
        let connection: String?
    }

    let heard: Watched<Heard>
    let channel: any Channel

    static func connect(
        _ port: Int, token: Secret? = nil, path: String = "/api/v1/realtime", headers: [(String, String)] = [], from source: String? = nil,
        receiveBuffer: Int? = nil
    ) async throws -> NIOListener {
        let heard = Watched(Heard())
        let channel = try await dial(port, token: token, path: path, headers: headers, from: source, receiveBuffer: receiveBuffer) {
            Ear(heard)
        }
        return NIOListener(heard: heard, channel: channel)
    }

    // MARK: Dialling

    /// Makes a WebSocket whose frames go to `ear`, or throws `Refused`.
    ///
    /// - Parameter source: the address of this machine to come from; the hub counts connections by address.
    static func dial(
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
        case .listening(let channel): return channel
        case .answered(let answer, let channel):
            let refused = try await answer.get()
            try? await channel.close()
            throw refused
        }
    }

    private enum Entry: Sendable {
        case listening(any Channel)
        case answered(EventLoopFuture<Refused>, any Channel)
    }

    /// On the channel's event loop.
    private static func upgrade(
        _ channel: any Channel, _ head: HTTPRequestHead, _ ear: @escaping @Sendable () -> any ChannelHandler
    ) throws -> EventLoopFuture<Entry> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Entry>(maxFrameSize: 1 << 20) { channel, _ in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(ear())
                return .listening(channel)
            }
        }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration<Entry>(upgradeRequestHead: head, upgraders: [upgrader]) { channel in
            channel.eventLoop.makeCompletedFuture {
                let answer = channel.eventLoop.makePromise(of: Refused.self)
                try channel.pipeline.syncOperations.addHandler(HeadReader(answer))
                return .answered(answer.futureResult, channel)
            }
        }
        var http = NIOUpgradableHTTPClientPipelineConfiguration(upgradeConfiguration: configuration)
        // The first frame may come in the packet of the 101; by default NIO would drop it.
        http.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: http)
    }

    // MARK: Talking

    func say(_ text: String) { send(.text, ByteBuffer(string: text)) }

    func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer = ByteBuffer()) {
        send(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data))
    }

    func send(_ frame: WebSocketFrame) { channel.writeAndFlush(frame, promise: nil) }

    /// Asks to be told, and returns once the house has said yes; where `after` is nil, once the snapshot is there.
    func subscribe(
        after: Int? = nil, devices: [String]? = nil, kinds: [String]? = nil, rooms: [String]? = nil, ticket: Secret? = nil
    ) async throws {
        var message: [String: JSONValue] = ["type": "subscribe"]
        message["after"] = after.map { .number(Double($0)) }
        message["devices"] = devices.map { .array($0.map(JSONValue.string)) }
        message["kinds"] = kinds.map { .array($0.map(JSONValue.string)) }
        message["rooms"] = rooms.map { .array($0.map(JSONValue.string)) }
        message["ticket"] = ticket.map { .string($0.reveal()) }
        let before = heard.now
        say(String(decoding: try JSONEncoder().encode(JSONValue.object(message)), as: UTF8.self))
        try await heard.until("subscribed") { $0.count("subscribed") > before.count("subscribed") || $0.isOver }
        if after == nil { try await heard.until("there is a snapshot") { $0.count("snapshot") > before.count("snapshot") || $0.isOver } }
    }

    /// The line is cut, without a goodbye.
    func cut() async throws {
        try await channel.close()
        try await heard.until("the line is down") { $0.isOver }
    }
}

/// Hears frames.
private final class Ear: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let heard: Watched<NIOListener.Heard>

    init(_ heard: Watched<NIOListener.Heard>) { self.heard = heard }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        var bytes = frame.unmaskedData
        switch frame.opcode {
        case .text:
            guard let message = JSONValue.read(Array(bytes.readableBytesView)) else { return context.close(promise: nil) }
            heard.change { $0.messages.append(message) }
        case .pong: heard.change { $0.pongs.append(String(buffer: bytes)) }
        case .ping: answer(.pong, bytes, context)
        case .connectionClose:
            let code = bytes.readInteger(as: UInt16.self).map(Int.init)
            heard.change { $0.goodbye = code ?? 1005 }
            answer(.connectionClose, frame.unmaskedData, context)
        default: break
        }
    }

    private func answer(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        heard.change { $0.isOver = true }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Reads how an ordinary answer begins.
private final class HeadReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let answer: EventLoopPromise<NIOListener.Refused>

    init(_ answer: EventLoopPromise<NIOListener.Refused>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        answer.succeed(NIOListener.Refused(status: Int(head.status.code), connection: head.headers.first(name: "connection")))
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
