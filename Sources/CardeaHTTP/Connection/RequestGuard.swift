import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Watches one connection: a head that does not come, a body that does not end, an answer that is not read, and bytes that are no HTTP.
final class RequestGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: HTTPSettings.Limits
    private let place: ConnectionPlace
    private var deadline: Scheduled<Void>?
    /// Runs while there is more to read than the client takes.
    private var patience: Scheduled<Void>?
    /// Requests read and not yet answered. A client may send the next before it has the last answer.
    private var owed = 0
    /// Whether this round of reading brought anything of a request.
    private var hasRead = false
    /// Whether a head has come and its body has not ended.
    private var isReadingBody = false

    /// The hub owes an answer: a request came whole, and is not answered yet.
    private var owesAnswer: Bool { owed > (isReadingBody ? 1 : 0) }

    init(limits: HTTPSettings.Limits, place: ConnectionPlace) {
        self.limits = limits
        self.place = place
    }

    func handlerAdded(context: ChannelHandlerContext) {
        arm(context, seconds: limits.headTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasRead = true
        switch unwrapInboundIn(data) {
        case .head:
            owed += 1
            isReadingBody = true
            disarm()
        case .end:
            isReadingBody = false
            disarm()
            if owesAnswer { place.becomeBusy() }
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A request that came whole in one round of reading is waited for no longer, and no clock was set for it.
        if deadline == nil {
            if isReadingBody {
                arm(context, seconds: limits.bodyTime)
            } else if !hasRead, owed == 0 {
                // Bytes came and no request yet: a further head has begun, and takes no longer than the first may.
                arm(context, seconds: limits.headTime)
            }
        }
        hasRead = false
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        patience?.cancel()
        let channel = context.channel
        patience = channel.isWritable ? nil : context.eventLoop.scheduleTask(in: .seconds(limits.readTime)) { channel.close(promise: nil) }
        // An answer that the client does not read keeps no place.
        if !channel.isWritable { place.becomeIdle() } else if owesAnswer { place.becomeBusy() }
        context.fireChannelWritabilityChanged()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head where owed == 0:
            // A body that broke after its request was answered gets no second answer.
            promise?.fail(ChannelError.ioOnClosedChannel)
            return context.close(promise: nil)
        case .end:
            owed -= 1
            if !owesAnswer { place.becomeIdle() }
        case .head, .body: break
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let problem = error as? HTTPParserError, owed == 0 else {
            return context.fireErrorCaught(error)
        }
        let status: HTTPResponse.Status = problem == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
        let head = HTTPResponse(status: status, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    private func arm(_ context: ChannelHandlerContext, seconds: Int64) {
        disarm()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
    }

    private func disarm() {
        deadline?.cancel()
        deadline = nil
    }

    private func end() {
        disarm()
        patience?.cancel()
        patience = nil
    }
}
