import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Watches one connection: a head that does not come, a body that does not end, an answer that is not read, and bytes that are no HTTP.
final class RequestTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: HTTPSettings.Limits
    private let slot: ConnectionSlot
    private var requestTimeout: Scheduled<Void>?
    /// Runs while there is more to read than the client takes.
    private var readTimeout: Scheduled<Void>?
    /// Requests read and not yet answered. A client may send the next before it has the last answer.
    private var pendingResponses = 0
    /// True if this round of reading brought a part of a request.
    private var hasRead = false
    /// True if a head has come and its body has not ended.
    private var isReadingBody = false

    /// The hub owes an answer: a request came whole, and is not answered yet.
    private var hasPendingResponse: Bool { pendingResponses > (isReadingBody ? 1 : 0) }

    init(limits: HTTPSettings.Limits, place: ConnectionSlot) {
        self.limits = limits
        self.slot = place
    }

    func handlerAdded(context: ChannelHandlerContext) {
        startTimeout(context, seconds: limits.headTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancelTimeouts()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancelTimeouts()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasRead = true
        switch unwrapInboundIn(data) {
        case .head:
            pendingResponses += 1
            isReadingBody = true
            cancelTimeout()
        case .end:
            isReadingBody = false
            cancelTimeout()
            if hasPendingResponse { slot.markBusy() }
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A request that arrived completely in one read needs no timeout.
        if requestTimeout == nil {
            if isReadingBody {
                startTimeout(context, seconds: limits.bodyTimeout)
            } else if !hasRead, pendingResponses == 0 {
                // Bytes without a request yet: another head has begun, with the same time limit as the first.
                startTimeout(context, seconds: limits.headTimeout)
            }
        }
        hasRead = false
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        readTimeout?.cancel()
        let channel = context.channel
        readTimeout =
            channel.isWritable ? nil : context.eventLoop.scheduleTask(in: .seconds(limits.readTimeout)) { channel.close(promise: nil) }
        // An answer that the client does not read does not keep its place busy.
        if !channel.isWritable { slot.markIdle() } else if hasPendingResponse { slot.markBusy() }
        context.fireChannelWritabilityChanged()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head where pendingResponses == 0:
            // A body error after the answer gets no second answer.
            promise?.fail(ChannelError.ioOnClosedChannel)
            return context.close(promise: nil)
        case .end:
            pendingResponses -= 1
            if !hasPendingResponse { slot.markIdle() }
        case .head, .body: break
        }
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let problem = error as? HTTPParserError, pendingResponses == 0 else {
            return context.fireErrorCaught(error)
        }
        let status: HTTPResponse.Status = problem == .headerOverflow ? .requestHeaderFieldsTooLarge : .badRequest
        let head = HTTPResponse(status: status, headerFields: [.connection: "close", .contentLength: "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    private func startTimeout(_ context: ChannelHandlerContext, seconds: Int64) {
        cancelTimeout()
        let channel = context.channel
        requestTimeout = context.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
    }

    private func cancelTimeout() {
        requestTimeout?.cancel()
        requestTimeout = nil
    }

    private func cancelTimeouts() {
        cancelTimeout()
        readTimeout?.cancel()
        readTimeout = nil
    }
}
