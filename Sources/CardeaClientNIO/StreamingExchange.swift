import CardeaClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// One exchange over its own connection, in which neither body is held in memory: a part is read when the previous one was consumed, and
/// sent when there is room for it.
struct StreamingExchange {
    /// The hub's pinned keys; nil to validate its certificate.
    let pins: Set<Pin>?
    let connectTimeout: TimeAmount

    private typealias HTTPChannel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws {
        let pulse = InactivityMonitor()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await transfer(request, upload, pulse, receive) }
            group.addTask { try await pulse.throwWhenIdle(request.timeout) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func transfer(
        _ request: TransportRequest, _ upload: UploadSource?, _ pulse: InactivityMonitor,
        _ receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws {
        let safe = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
        let line: HTTPChannel
        do {
            line = try await connect(request, safe)
        } catch {
            safe.fail(TransportError.noConnection)
            throw TransportError.noConnection
        }
        try await line.executeThenClose { parts, outbound in
            // Nothing is written before the handshake is over: a token never reaches an untrusted server, not even in a buffer.
            try await Self.waitForHandshake(for: safe, closing: line.channel)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                group.addTask {
                    try await Self.send(request, upload, pulse, outbound)
                    return false
                }
                group.addTask {
                    try await Self.read(parts, pulse, receive)
                    return true
                }
                defer { group.cancelAll() }
                // The answer ends the exchange, whether or not the whole request was sent.
                while let isOver = try await group.next(), !isOver {}
            }
        }
    }

    // MARK: Connecting

    private func connect(_ request: TransportRequest, _ safe: EventLoopPromise<Void>) async throws -> HTTPChannel {
        let url = request.url
        guard let host = url.host() else { throw TransportError.noConnection }
        let isEncrypted = url.scheme == "https"
        let context = isEncrypted ? try NIOSSLContext(configuration: PinnedConnection.configuration) : nil
        return try await ClientBootstrap(group: safe.futureResult.eventLoop)
            .connectTimeout(connectTimeout)
            .connect(
                host: request.route?.host ?? PinnedConnection.hostWithoutBrackets(host),
                port: request.route?.port ?? url.port ?? (isEncrypted ? 443 : 80)
            ) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let context {
                        try pipeline.addHandler(PinnedConnection.makeTLSHandler(context, host, pins))
                        try pipeline.addHandler(TLSHandshakeHandler(safe, patience: connectTimeout))
                    } else {
                        safe.succeed()
                    }
                    try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
                    return try HTTPChannel(wrappingChannelSynchronously: channel)
                }
            }
    }

    private static func waitForHandshake(for safe: EventLoopPromise<Void>, closing channel: any Channel) async throws {
        do {
            try await withTaskCancellationHandler {
                try await safe.futureResult.get()
            } onCancel: {
                safe.fail(TransportError.cancelled)
            }
        } catch {
            // Nothing is sent before the handshake is over, whatever failed.
            let failure = TransportError(error)
            throw failure == .cancelled || !failure.mayHaveArrived ? failure : .noConnection
        }
    }

    // MARK: Streaming

    private static func send(
        _ request: TransportRequest, _ upload: UploadSource?, _ pulse: InactivityMonitor,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
        do {
            try await outbound.write(.head(head(of: request, upload)))
            if let body = request.body { try await outbound.write(.body(.byteBuffer(ByteBuffer(data: body)))) }
        } catch {
            return
        }
        var sent: Int64 = 0
        if let upload {
            var parts = try upload.parts()
            while let part = try await parts.next() {
                sent += Int64(part.count)
                guard sent <= upload.length ?? .max else { throw ClientError.invalidRequest("the file grew while it was sent") }
                // The server may have answered before it stopped reading; the reader of the answer reports the result.
                do { try await outbound.write(.body(.byteBuffer(ByteBuffer(data: part)))) } catch { return }
                pulse.recordActivity()
            }
            guard sent == upload.length ?? sent else { throw ClientError.invalidRequest("the file shrank while it was sent") }
        }
        do { try await outbound.write(.end(nil)) } catch { return }
    }

    private static func head(of request: TransportRequest, _ upload: UploadSource?) -> HTTPRequestHead {
        let path = request.url.path(percentEncoded: true) + (request.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        var head = HTTPRequestHead(version: .http1_1, method: .RAW(value: request.method.rawValue), uri: path.isEmpty ? "/" : path)
        for (name, value) in request.headers { head.headers.add(name: name, value: value) }
        head.headers.replaceOrAdd(name: "host", value: PinnedConnection.authority(request.url))
        head.headers.replaceOrAdd(name: "connection", value: "close")
        head.headers.remove(name: "content-length")
        head.headers.remove(name: "transfer-encoding")
        if let length = upload?.length ?? request.body.map({ Int64($0.count) }) {
            head.headers.add(name: "content-length", value: "\(length)")
        } else if upload != nil {
            head.headers.add(name: "transfer-encoding", value: "chunked")
        }
        return head
    }

    private static func read(
        _ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>, _ pulse: InactivityMonitor,
        _ receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws {
        var parts = parts.makeAsyncIterator()
        while let part = try await Self.next(&parts) {
            switch part {
            case .head(let head):
                let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
                try await receive(.head(status: Int(head.status.code), headers: headers))
            case .body(let bytes): try await receive(.body(Data(buffer: bytes)))
            case .end: return
            }
            pulse.recordActivity()
        }
        throw TransportError.interrupted
    }

    private static func next(
        _ parts: inout NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    ) async throws -> HTTPClientResponsePart? {
        do { return try await parts.next() } catch is CancellationError { throw TransportError.cancelled } catch {
            // The request was sent: whatever ends the connection now, it may have arrived.
            throw TransportError.interrupted
        }
    }
}

/// Records when data last moved.
private final class InactivityMonitor: Sendable {
    private let last = Mutex(ContinuousClock.now)

    func recordActivity() {
        last.withLock { $0 = .now }
    }

    /// Throws once no data has moved for `patience`.
    func throwWhenIdle(_ patience: Duration) async throws {
        while true {
            let end = last.withLock(\.self) + patience
            guard end > .now else { throw TransportError.timeout }
            try await Task.sleep(until: end)
        }
    }
}

/// Reports when the other side has proved its identity, or that it did not.
private final class TLSHandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handshakeCompleted: EventLoopPromise<Void>
    private let timeout: TimeAmount

    init(_ safe: EventLoopPromise<Void>, patience: TimeAmount) {
        self.handshakeCompleted = safe
        self.timeout = patience
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let safe = handshakeCompleted
        let deadline = context.eventLoop.scheduleTask(in: timeout) { safe.fail(TransportError.noConnection) }
        safe.futureResult.whenComplete { _ in deadline.cancel() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { handshakeCompleted.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        handshakeCompleted.fail(error)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        handshakeCompleted.fail(TransportError.noConnection)
        context.fireChannelInactive()
    }
}
