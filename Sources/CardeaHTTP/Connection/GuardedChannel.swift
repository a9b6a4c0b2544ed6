import CardeaModel
import CardeaSockets
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import Synchronization

/// Hummingbird's HTTP/1 connection, with the house's limits in front of it: how many connections an address may hold, how long a
/// head and a body may take, and an honest answer to bytes that are not HTTP.
struct GuardedChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = AcceptedConnection<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    private let inner: HTTP1Channel
    private let limits: HTTPSettings.Limits
    private let doorkeeper: ConnectionCount

    init(responder: @escaping HTTPChannelHandler.Responder, limits: HTTPSettings.Limits) {
        self.responder = responder
        self.limits = limits
        doorkeeper = ConnectionCount(perAddress: limits.connectionsPerAddress, total: limits.connections)
        inner = HTTP1Channel(
            responder: responder,
            configuration: .init(
                additionalChannelHandlers: [RequestGuard(limits: limits), ProtocolSwitch()], idleTimeout: .seconds(limits.idle),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headerField, maxHeaderListSize: limits.headers, maxHeaderFieldCount: limits.headerCount)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = channel.remoteAddress?.ipAddress
        let address = peer.flatMap { IPAddress($0)?.network } ?? peer ?? "unknown"
        guard doorkeeper.enter(address) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(ChannelError.alreadyClosed)
        }
        channel.closeFuture.whenComplete { [doorkeeper] _ in doorkeeper.leave(address) }
        return inner.setup(channel: channel, logger: logger).map { AcceptedConnection($0) }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(ConnectionExecutor(eventLoop: value.channel.eventLoop)) {
            await inner.handle(value: value.serve(), logger: logger)
        }
    }
}

extension AcceptedConnection: ServerChildChannelValue {}

/// Runs a connection's tasks on the thread that reads and writes it, so that an answer from memory changes no threads.
private final class ConnectionExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// How many connections are open, in all and from each address.
final class ConnectionCount: Sendable {
    private let perAddress: Int
    private let total: Int
    private let open = Mutex<(all: Int, each: [String: Int])>((0, [:]))

    init(perAddress: Int, total: Int) {
        self.perAddress = perAddress
        self.total = total
    }

    func enter(_ address: String) -> Bool {
        open.withLock { open in
            let here = open.each[address] ?? 0
            guard open.all < total, here < perAddress else { return false }
            open.all += 1
            open.each[address] = here + 1
            return true
        }
    }

    func leave(_ address: String) {
        open.withLock { open in
            open.all -= 1
            if let here = open.each[address] { open.each[address] = here > 1 ? here - 1 : nil }
        }
    }
}
