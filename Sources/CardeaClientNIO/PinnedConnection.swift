import CardeaClient
import Crypto
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS

/// One request over one connection, to a hub that is known by its key. The handshake proves that the other side holds the key of its
/// certificate; here it is looked whether that is a key we know. Name and date of the certificate say nothing more about it.
struct PinnedConnection {
    let pins: Set<Pin>
    let connectTimeout: TimeAmount

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard let host = request.url.host(), let context = try? NIOSSLContext(configuration: Self.configuration) else {
            throw TransportFailure.noConnection
        }
        let group = MultiThreadedEventLoopGroup.singleton
        let answer = group.next().makePromise(of: TransportResponse.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: answer.futureResult.eventLoop)
                .connectTimeout(connectTimeout)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(tls(context, host))
                        try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
                        try pipeline.addHandler(OneExchange(request, host: Self.authority(request.url), answer: answer))
                    }
                }
                .connect(host: Self.bare(host), port: request.url.port ?? 443).get()
        } catch {
            answer.fail(TransportFailure.noConnection)
            _ = try? await answer.futureResult.get()
            throw TransportFailure.noConnection
        }
        let deadline = channel.eventLoop.scheduleTask(in: .nanoseconds(request.timeout.inNanoseconds)) {
            answer.fail(TransportFailure.timeout)
        }
        answer.futureResult.whenComplete { _ in
            deadline.cancel()
            channel.close(promise: nil)
        }
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(TransportFailure.cancelled)
        }
    }

    private static var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(1)
        return configuration
    }

    private func tls(_ context: NIOSSLContext, _ host: String) throws -> NIOSSLClientHandler {
        let pins = pins
        let name = Self.bare(host)
        // An address may not be sent as a server's name.
        let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : name) { certificates, promise in
            let key = certificates.first.flatMap { try? $0.extractPublicKey().toSPKIBytes() }
            let isKnown = key.map { pins.contains(Pin(digest: Data(SHA256.hash(data: Data($0))))) } ?? false
            promise.succeed(isKnown ? .certificateVerified : .failed)
        }
    }

    private static func bare(_ host: String) -> String { host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) }

    private static func authority(_ url: URL) -> String {
        let host = bare(url.host() ?? "")
        let name = host.contains(":") ? "[\(host)]" : host
        return url.port.map { "\(name):\($0)" } ?? name
    }
}

/// Sends one request when the connection is safe, and gathers one answer.
private final class OneExchange: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: TransportRequest
    private let host: String
    private let answer: EventLoopPromise<TransportResponse>
    private var status = 0
    private var headers: [String: String] = [:]
    private var body = ByteBuffer()
    private var isSent = false

    init(_ request: TransportRequest, host: String, answer: EventLoopPromise<TransportResponse>) {
        self.request = request
        self.host = host
        self.answer = answer
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Nothing is written before the handshake is over: a token never meets a stranger, not even in a buffer.
        if case .handshakeCompleted = event as? TLSUserEvent { send(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        case .body(let part):
            guard body.readableBytes + part.readableBytes <= NIOTransport.bodyLimit else { return answer.fail(TransportFailure.tooLarge) }
            body.writeImmutableBuffer(part)
        case .end: answer.succeed(TransportResponse(status: status, headers: headers, body: Data(buffer: body)))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.fail(isSent ? TransportFailure.interrupted : TransportFailure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answer.fail(isSent ? TransportFailure.interrupted : TransportFailure.untrusted)
    }

    private func send(_ context: ChannelHandlerContext) {
        isSent = true
        let path = request.url.path(percentEncoded: true) + (request.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        var head = HTTPRequestHead(version: .http1_1, method: .RAW(value: request.method.rawValue), uri: path.isEmpty ? "/" : path)
        for (name, value) in request.headers { head.headers.add(name: name, value: value) }
        head.headers.replaceOrAdd(name: "host", value: host)
        head.headers.replaceOrAdd(name: "connection", value: "close")
        if let body = request.body { head.headers.replaceOrAdd(name: "content-length", value: "\(body.count)") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let body = request.body { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(data: body)))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
