import CardeaModel
import CardeaNetwork
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL

/// Hummingbird's HTTP/1 connection, with the house's limits in front of it: how many connections may be open, how long a
/// head and a body may take, and an honest answer to bytes that are not HTTP.
struct LimitedHTTPChannel: ServerChildChannel, HTTPChannelHandler {
    struct Value: ServerChildChannelValue {
        let accepted: AcceptedConnection<HTTPRequestPart, HTTPResponsePart>
        let slot: ConnectionSlot

        var channel: any Channel { accepted.channel }
    }

    let responder: HTTPChannelHandler.Responder
    private let limits: HTTPSettings.Limits
    private let proxies: [AddressRange]
    private let limiter: ConnectionLimiter

    init(responder: @escaping HTTPChannelHandler.Responder, limits: HTTPSettings.Limits, proxies: [AddressRange]) {
        self.responder = responder
        self.limits = limits
        self.proxies = proxies
        limiter = ConnectionLimiter(perAddress: limits.connectionsPerAddress, total: limits.connections)
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let close: @Sendable () -> Void = { channel.eventLoop.execute { Self.closeImmediately(channel) } }
        guard let place = limiter.acquire(limitedAddress(of: channel), close: close) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed)
        }
        channel.closeFuture.whenComplete { _ in place.release() }
        return makeHTTPChannel(place).setup(channel: channel, logger: logger).map { Value(accepted: AcceptedConnection($0), slot: place) }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopTaskExecutor(eventLoop: value.channel.eventLoop)) {
            await ConnectionSlot.$current.withValue(value.slot) {
                await handleHTTP(asyncChannel: value.accepted.takeOver(), logger: logger)
            }
        }
    }

    private func makeHTTPChannel(_ place: ConnectionSlot) -> HTTP1Channel {
        let limits = limits
        return HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [RequestTimeoutHandler(limits: limits, place: place), ProtocolUpgradeHandler()],
                idleTimeout: .seconds(limits.idleTimeout),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.maxHeaderFieldSize, maxHeaderListSize: limits.maxHeaderListSize,
                    maxHeaderFieldCount: limits.maxHeaderFieldCount)))
    }

    /// An IPv4 address, or a network of IPv6 addresses. Nil for a trusted proxy, whose connections are not limited by address.
    private func limitedAddress(of channel: any Channel) -> String? {
        guard let peer = channel.remoteAddress?.ipAddress else { return "unknown" }
        guard let address = IPAddress(peer) else { return peer }
        return proxies.contain(address) ? nil : address.network
    }

    /// Closes below TLS, which would wait for the client's goodbye. On the channel's event loop.
    private static func closeImmediately(_ channel: any Channel) {
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }
}

/// Runs a connection's tasks on the thread that reads and writes it, so that an answer from memory changes no threads.
private final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
