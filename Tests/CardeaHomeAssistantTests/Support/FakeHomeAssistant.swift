import CardeaModel
import CardeaTestSupport
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A Home Assistant that misbehaves on request, for faults that the real one does not show on demand.
/// `Tests/PeerTests/test_home_assistant.py` tests the real one.
final class FakeHomeAssistant: Sendable {
    /// The reaction to one message; nil for a healthy server's.
    typealias Reaction = @Sendable (_ message: JSONValue, _ line: Connection) -> [Output]?

    enum Output: Sendable {
        case text(String)
        case close
    }

    /// One connection to it.
    struct Connection: Sendable {
        let channel: any Channel

        func send(_ text: String) {
            channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)), promise: nil)
        }

        func close() { channel.close(promise: nil) }
    }

    let heard = AwaitableValue<[JSONValue]>([])
    let lines = AwaitableValue<[Connection]>([])
    /// Answers to registry requests, by their type. Every other request gets the default answer.
    let registry = AwaitableValue<[String: String]>([:])
    let greeting = AwaitableValue<String?>(#"{"type": "auth_required", "ha_version": "0"}"#)
    private let reaction: AwaitableValue<Reaction>
    private let server = AwaitableValue<(any Channel)?>(nil)
    private let isHasty: Bool

    /// - Parameter isHasty: sends its greeting in the same packet as its answer to the upgrade.
    init(isHasty: Bool = false, _ reaction: @escaping Reaction = { _, _ in nil }) {
        self.isHasty = isHasty
        self.reaction = AwaitableValue(reaction)
    }

    func react(_ reaction: @escaping Reaction) { self.reaction.change { $0 = reaction } }

    var port: Int { server.now?.localAddress?.port ?? 0 }

    /// The received service calls.
    var calls: [JSONValue] { heard.now.filter { $0["type"]?.string == "call_service" } }

    /// Runs it while `body` runs. With `status` it answers every request with that instead of a WebSocket.
    static func run(_ fake: FakeHomeAssistant = FakeHomeAssistant(), _ body: (FakeHomeAssistant) async throws -> Void) async throws {
        try await fake.start()
        do {
            try await body(fake)
        } catch {
            try? await fake.stop()
            throw error
        }
        try await fake.stop()
    }

    private func start() async throws {
        let upgrader = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeSucceededFuture(head.uri == "/api/websocket" ? [:] : nil)
            },
            upgradePipelineHandler: { channel, _ in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FrameHandler(self, Connection(channel: channel)))
                }
            })
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [isHasty] channel in
                channel.eventLoop.makeCompletedFuture {
                    if isHasty { try channel.pipeline.syncOperations.addHandler(GreetingCoalescer()) }
                }.flatMap {
                    channel.pipeline.configureHTTPServerPipeline(
                        withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.server.change { $0 = server }
    }

    private func stop() async throws {
        for line in lines.now { line.close() }
        try? await server.now?.close()
    }

    fileprivate func opened(_ line: Connection) {
        lines.change { $0.append(line) }
        if let greeting = greeting.now { line.send(greeting) }
    }

    fileprivate func receive(_ text: String, on line: Connection) {
        guard let message = JSONValue.read(Array(text.utf8)) else { return }
        heard.change { $0.append(message) }
        for said in reaction.now(message, line) ?? healthy(message) {
            switch said {
            case .text(let text): line.send(text)
            case .close: line.close()
            }
        }
    }

    private func healthy(_ message: JSONValue) -> [Output] {
        let id = message["id"]?.number.map { Int($0) } ?? 0
        let result =
            switch message["type"]?.string {
            case "auth": nil as String?
            case "get_config": #"{"state": "RUNNING", "unit_system": {"temperature": "°C"}}"#
            case let type? where registry.now[type] != nil: registry.now[type]
            case "get_states": Self.states
            case let type? where type.hasPrefix("config/"): "[]"
            default: "null"
            }
        if message["type"]?.string == "ping" { return [.text(#"{"id": \#(id), "type": "pong"}"#)] }
        guard let result else { return [.text(#"{"type": "auth_ok", "ha_version": "2024.3.3"}"#)] }
        return [.text(#"{"id": \#(id), "type": "result", "success": true, "result": \#(result)}"#)]
    }

    static let states = #"""
        [{"entity_id": "lock.front_door", "state": "locked", "attributes": {"friendly_name": "Front Door", "supported_features": 0}},
         {"entity_id": "light.hall", "state": "off", "attributes": {"friendly_name": "Hall", "supported_color_modes": ["brightness"]}}]
        """#

    static func changed(_ entityID: String, _ state: String) -> String {
        #"""
        {"type": "event", "id": 2, "event": {"event_type": "state_changed", "data": {"entity_id": "\#(entityID)",
        "new_state": {"entity_id": "\#(entityID)", "state": "\#(state)", "attributes": {"friendly_name": "Front Door", "supported_features": 0}}}}}
        """#
    }
}

/// Receives frames on one connection.
private final class FrameHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    private let fake: FakeHomeAssistant
    private let line: FakeHomeAssistant.Connection

    init(_ fake: FakeHomeAssistant, _ line: FakeHomeAssistant.Connection) {
        self.fake = fake
        self.line = line
    }

    func handlerAdded(context: ChannelHandlerContext) { fake.opened(line) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: fake.receive(String(buffer: frame.unmaskedData), on: line)
        case .connectionClose: line.close()
        default: break
        }
    }
}

/// Holds the answer to the upgrade back until the greeting is sent with it, in one packet.
private final class GreetingCoalescer: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var held: ByteBuffer? = ByteBuffer()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard var held else { return context.write(data, promise: promise) }
        held.writeImmutableBuffer(unwrapOutboundIn(data))
        self.held = held
        // The upgrade continues when its answer has been sent, and the greeting follows.
        promise?.succeed(())
    }

    func flush(context: ChannelHandlerContext) {
        guard let held else { return context.flush() }
        guard String(buffer: held).contains("auth_required") else { return }
        self.held = nil
        context.writeAndFlush(wrapOutboundOut(held), promise: nil)
    }
}
