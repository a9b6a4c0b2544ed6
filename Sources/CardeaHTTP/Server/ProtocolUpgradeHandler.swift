import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Upgrades a connection to another protocol after a route has answered 101.
///
/// The router decides, with all its checks, as for every other request; this only carries it out. NIO's own upgrade handler decides before
/// any route is called, and loses a request whose upgrade it refuses.
final class ProtocolUpgradeHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The handlers that take over the connection, in the order in which they read.
    private var upgradeHandlers: [any ChannelHandler]?
    private var requestsUpgrade = false
    private var isUpgrading = false
    private var mustClose = false

    /// Stores the handlers that take over after the 101. On the channel's event loop.
    func prepareUpgrade(_ successors: [any ChannelHandler]) {
        self.upgradeHandlers = successors
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Data sent before the 101 response is invalid, and no longer parsed as a request.
        guard !isUpgrading else { return }
        if case .head(let head) = unwrapInboundIn(data) { requestsUpgrade = head.headerFields[.upgrade] != nil }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if head.status == .switchingProtocols, upgradeHandlers != nil {
                isUpgrading = true
                head.headerFields[.contentLength] = nil
            } else if requestsUpgrade {
                // The parser stops at an `Upgrade`; nothing more would be read here.
                mustClose = true
                head.headerFields[.connection] = "close"
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where isUpgrading:
            context.write(data, promise: promise)
            upgradePipeline(context)
        case .end where mustClose:
            context.writeAndFlush(data, promise: promise)
            context.close(promise: nil)
        case .body, .end:
            context.write(data, promise: promise)
        }
    }

    /// All handlers of HTTP are removed before the successors are added, so that none ever reads bytes for the other. The 101 is sent last,
    /// so that an immediate reply reaches the successors.
    private func upgradePipeline(_ context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        let successors = NIOLoopBound(upgradeHandlers ?? [], eventLoop: context.eventLoop)
        let me = NIOLoopBound(self, eventLoop: context.eventLoop)
        remove(HTTPConnectionStateHandler.self, from: pipeline)
        remove(RequestTimeoutHandler.self, from: pipeline)
        remove(HTTP1ToHTTPServerCodec.self, from: pipeline)
        remove(HTTPResponseEncoder.self, from: pipeline)
        let decoder = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        decoder.futureResult.assumeIsolated().whenComplete { _ in
            let pipeline = channel.pipeline.syncOperations
            do {
                for handler in successors.value { try pipeline.addHandler(handler, position: .before(me.value)) }
                pipeline.removeHandler(me.value, promise: nil)
                channel.flush()
            } catch {
                channel.close(promise: nil)
            }
        }
        remove(ByteToMessageHandler<HTTPRequestDecoder>.self, from: pipeline, promise: decoder)
    }

    private func remove<Handler: RemovableChannelHandler>(
        _ type: Handler.Type, from pipeline: ChannelPipeline.SynchronousOperations, promise: EventLoopPromise<Void>? = nil
    ) {
        do {
            pipeline.removeHandler(try pipeline.handler(type: type), promise: promise)
        } catch {
            promise?.fail(error)
        }
    }
}
