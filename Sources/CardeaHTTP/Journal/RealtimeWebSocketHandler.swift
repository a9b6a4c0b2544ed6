import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One WebSocket: a client's messages go into `messages`; the hub's frames are written as they were encoded for all.
///
/// It checks what NIO's decoder lets by (RFC 6455, sections 5 and 7): unmasked frames, reserved bits, text that is no UTF-8, close codes.
final class RealtimeWebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = ByteBuffer

    /// Limits on the cost of a connection.
    struct Limits: Sendable {
        /// Bytes of one message from a client.
        var maxMessageSize = 16 * 1024
        /// Messages and pings in ten seconds.
        var maxMessages = 100
        /// Seconds from the upgrade to the first `subscribe`.
        var subscribeTimeout: Int64 = 10
        /// The same if strangers' places are short, for a socket that has shown no good credential.
        var subscribeTimeoutUnderPressure: Int64 = 2
        /// Seconds between pings, and until a silent client is given up.
        var pingInterval: Int64 = 20
        var silenceTimeout: Int64 = 60
        /// The time within which a client must answer a close. Together with the time in which a revocation is noticed, it is less than a
        /// second.
        var closeTimeout = TimeAmount.milliseconds(500)
    }

    private let limits: Limits
    private let messages: AsyncStream<String>.Continuation
    private let slot: ConnectionSlot?
    private var context: ChannelHandlerContext?
    private var isClosing = false
    private var isSubscribed = false
    private var lastReceivedAt = NIODeadline.now()
    private var messageWindow = (since: NIODeadline.now(), count: 0)
    private var pingTask: RepeatedTask?

    init(limits: Limits, messages: AsyncStream<String>.Continuation, place: ConnectionSlot?) {
        self.limits = limits
        self.messages = messages
        self.slot = place
    }

    /// The handlers of a socket's pipeline, in order, with the socket as the last.
    static func handlers(for socket: RealtimeWebSocketHandler) -> [any ChannelHandler] {
        [
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: socket.limits.maxMessageSize)), WebSocketFrameValidator(),
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 64, maxAccumulatedFrameSize: socket.limits.maxMessageSize),
            socket,
        ]
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let socket = NIOLoopBound(self, eventLoop: context.eventLoop)
        pingTask = context.eventLoop.scheduleRepeatedTask(initialDelay: .seconds(limits.pingInterval), delay: .seconds(limits.pingInterval))
        { _ in
            socket.value.sendPing()
        }
        let loop = context.eventLoop.assumeIsolated()
        loop.scheduleTask(in: .seconds(limits.subscribeTimeout)) {
            if !socket.value.isSubscribed { socket.value.close(.policyViolation, "no subscription was sent") }
        }
        guard let slot, !slot.isAuthenticated else { return }
        loop.scheduleTask(in: .seconds(limits.subscribeTimeoutUnderPressure)) {
            if slot.isUnderPressure { socket.value.close(.policyViolation, "no subscription was sent, and connections are limited") }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        tearDown()
    }

    func channelInactive(context: ChannelHandlerContext) {
        tearDown()
        context.fireChannelInactive()
    }

    private func tearDown() {
        pingTask?.cancel()
        pingTask = nil
        context = nil
        messages.finish()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { close(.goingAway, "the hub is stopping") }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
            close(.messageTooLarge, "the message is too large")
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error: close(.protocolError, "not a valid RFC 6455 frame")
        default: context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !isClosing else {
            // Both sides have sent a close frame; the server closes the connection (RFC 6455, section 7.1.1).
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        lastReceivedAt = .now()
        guard frame.opcode == .connectionClose || frame.opcode == .pong || isWithinMessageLimit() else {
            return close(.policyViolation, "too many messages")
        }
        switch frame.opcode {
        case .text:
            guard let text = String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self) else {
                return close(.dataInconsistentWithMessage, "the text is not UTF-8")
            }
            if case .dropped = messages.yield(text) { close(.policyViolation, "too many messages") }
        case .ping: sendControlFrame(0x8A, frame.unmaskedData)
        case .connectionClose:
            close(.normalClosure, "")
            context.close(promise: nil)
        case .binary: close(.unacceptableData, "send text messages")
        default: break
        }
    }

    private func isWithinMessageLimit() -> Bool {
        if NIODeadline.now() - messageWindow.since > .seconds(10) { messageWindow = (.now(), 0) }
        messageWindow.count += 1
        return messageWindow.count <= limits.maxMessages
    }

    // MARK: Messages from the hub

    func markSubscribed() {
        isSubscribed = true
        slot?.markAuthenticated()
    }

    /// Writes frames that are ready. A reader that is too slow gets a reason and is disconnected: it comes back with its cursor.
    ///
    /// - Parameter sent: completed when the last of them has left for the network, or never will.
    func send(_ frames: [ByteBuffer], sent: EventLoopPromise<Void>? = nil) {
        guard let context, !isClosing else {
            sent?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        guard context.channel.isWritable else {
            sent?.fail(ChannelError.ioOnClosedChannel)
            return close(.unknown(1013), "too slow; reconnect with your cursor")
        }
        for frame in frames.dropLast() { context.write(wrapOutboundOut(frame), promise: nil) }
        if let last = frames.last { context.write(wrapOutboundOut(last), promise: sent) } else { sent?.succeed() }
        context.flush()
    }

    func close(_ code: WebSocketErrorCode, _ reason: String) {
        guard let context, !isClosing else { return }
        isClosing = true
        var payload = ByteBuffer()
        payload.write(webSocketErrorCode: code)
        payload.writeString(reason)
        sendControlFrame(0x88, payload)
        messages.finish()
        let channel = context.channel
        // The wait is short: a stalled reader never answers.
        context.eventLoop.scheduleTask(in: limits.closeTimeout) { channel.close(promise: nil) }
    }

    private func sendPing() {
        guard let context, !isClosing else { return }
        if NIODeadline.now() - lastReceivedAt > .seconds(limits.silenceTimeout) {
            context.close(promise: nil)
        } else {
            sendControlFrame(0x89, ByteBuffer())
        }
    }

    /// A control frame: its payload has at most 125 bytes.
    private func sendControlFrame(_ head: UInt8, _ payload: ByteBuffer) {
        guard let context, payload.readableBytes <= 125 else { return }
        var frame = ByteBufferAllocator().buffer(capacity: payload.readableBytes + 2)
        frame.writeInteger(head)
        frame.writeInteger(UInt8(payload.readableBytes))
        frame.writeImmutableBuffer(payload)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}

/// Checks of a client's frames that NIO's decoder does not make.
private final class WebSocketFrameValidator: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    private static let opcodes: Set<WebSocketOpcode> = [.continuation, .text, .binary, .connectionClose, .ping, .pong]

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard Self.opcodes.contains(frame.opcode), frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3,
            frame.opcode != .connectionClose || Self.isValidClose(frame)
        else {
            return context.fireErrorCaught(NIOWebSocketError.multiByteControlFrameLength)
        }
        context.fireChannelRead(data)
    }

    /// A close frame is empty, or has an allowed code and a reason in UTF-8 (RFC 6455, sections 5.5.1 and 7.4).
    private static func isValidClose(_ frame: WebSocketFrame) -> Bool {
        var payload = frame.unmaskedData
        guard payload.readableBytes > 0 else { return true }
        guard let code = payload.readInteger(as: UInt16.self) else { return false }
        let isSayable =
            [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014].contains(code) || (3000...4999).contains(code)
        return isSayable && String(validating: payload.readableBytesView, as: UTF8.self) != nil
    }
}
