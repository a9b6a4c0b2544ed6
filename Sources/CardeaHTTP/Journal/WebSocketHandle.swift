import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A socket from outside its event loop.
struct WebSocketHandle: Sendable {
    let channel: any Channel
    let messages: AsyncStream<String>
    private let handler: NIOLoopBound<RealtimeWebSocketHandler>

    /// On the channel's event loop.
    init(channel: any Channel, limits: RealtimeWebSocketHandler.Limits, place: ConnectionSlot?) {
        let incoming = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(32))
        self.channel = channel
        messages = incoming.stream
        handler = NIOLoopBound(
            RealtimeWebSocketHandler(limits: limits, messages: incoming.continuation, place: place), eventLoop: channel.eventLoop)
    }

    /// A reader that does not read must be noticed here, and not hidden by megabytes of the kernel's buffer.
    func limitBuffers() async throws {
        try await channel.setOption(.socketOption(.so_sndbuf), value: 128 * 1024).get()
        try await channel.setOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 256 * 1024)).get()
    }

    /// On the channel's event loop.
    var handlers: [any ChannelHandler] { RealtimeWebSocketHandler.handlers(for: handler.value) }

    var eventLoop: any EventLoop { channel.eventLoop }

    /// On the channel's event loop.
    func sendOnLoop(_ frames: [ByteBuffer]) { handler.value.send(frames) }

    /// Writes in the order of the calls, and returns when the frames have left for the network: a slow reader is sent page by page.
    func send(_ frames: [ByteBuffer]) async throws {
        let sent = eventLoop.makePromise(of: Void.self)
        eventLoop.execute { [handler] in handler.value.send(frames, sent: sent) }
        try await sent.futureResult.get()
    }

    func markSubscribed() { eventLoop.execute { [handler] in handler.value.markSubscribed() } }

    func close(_ code: WebSocketErrorCode, _ reason: String) {
        eventLoop.execute { [handler] in handler.value.close(code, reason) }
    }
}
