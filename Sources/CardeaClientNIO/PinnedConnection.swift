import CardeaClient
import Crypto
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS

/// One request over one connection to a hub with a pinned key, at its own address or by another route. The handshake proves that the other
/// side holds the key of its certificate and that the name matches. This type checks that the key is pinned and the certificate is within
/// its validity period. No authority need vouch for it.
struct PinnedConnection {
    let pins: Set<Pin>
    let connectTimeout: TimeAmount

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: TransportResponse.self)
        return try await exchange(request, answer) {
            RequestResponseHandler(request, host: $0, patience: connectTimeout, WholeResponseReceiver(answer))
        } over: { answer, channel in
            answer.futureResult.whenComplete { _ in channel.close(promise: nil) }
        }
    }

    /// The connection lives until its answer is read.
    func open(_ request: TransportRequest) async throws -> TransportStream {
        let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: TransportStream.self)
        let (parts, part) = AsyncThrowingStream<Data, any Error>.makeStream(bufferingPolicy: .bufferingOldest(NIOTransport.bufferLimit))
        return try await exchange(request, answer) {
            RequestResponseHandler(request, host: $0, patience: connectTimeout, StreamingResponseReceiver(answer, parts, part))
        } over: { answer, channel in
            part.onTermination = { _ in channel.close(promise: nil) }
            answer.futureResult.whenFailure { _ in channel.close(promise: nil) }
        }
    }

    /// - Parameter over: called with the channel once it is connected, to report when it ends.
    private func exchange<Answer: Sendable>(
        _ request: TransportRequest, _ answer: EventLoopPromise<Answer>,
        _ handler: @escaping @Sendable (_ host: String) -> RequestResponseHandler,
        over: (EventLoopPromise<Answer>, any Channel) -> Void
    ) async throws -> Answer {
        guard let host = request.url.host(), let context = try? NIOSSLContext(configuration: Self.configuration) else {
            answer.fail(TransportError.noConnection)
            return try await answer.futureResult.get()
        }
        let channel: any Channel
        do {
            let connecting = ClientBootstrap(group: answer.futureResult.eventLoop)
                .connectTimeout(connectTimeout)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(Self.makeTLSHandler(context, host, pins))
                        try pipeline.addHTTPClientHandlers(leftOverBytesStrategy: .dropBytes)
                        try pipeline.addHandler(handler(Self.authority(request.url)))
                    }
                }
                .connect(host: request.route?.host ?? Self.hostWithoutBrackets(host), port: request.route?.port ?? request.url.port ?? 443)
            channel = try await Self.connectedChannel(connecting)
        } catch {
            let failure = error as? TransportError ?? .noConnection
            answer.fail(failure)
            _ = try? await answer.futureResult.get()
            throw failure
        }
        let deadline = channel.eventLoop.scheduleTask(in: .nanoseconds(request.timeout.inNanoseconds)) {
            answer.fail(TransportError.timeout)
        }
        answer.futureResult.whenComplete { _ in deadline.cancel() }
        over(answer, channel)
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(TransportError.cancelled)
        }
    }

    /// Waits for the channel. A cancelled caller does not wait for a connection that may never be made.
    private static func connectedChannel(_ connecting: EventLoopFuture<any Channel>) async throws -> any Channel {
        let reached = connecting.eventLoop.makePromise(of: (any Channel).self)
        connecting.cascade(to: reached)
        return try await withTaskCancellationHandler {
            try await reached.futureResult.get()
        } onCancel: {
            reached.fail(TransportError.cancelled)
            connecting.whenSuccess { $0.close(promise: nil) }
        }
    }

    static var configuration: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = .seconds(1)
        return configuration
    }

    /// - Parameter pins: nil to validate the certificate instead of the key.
    static func makeTLSHandler(_ context: NIOSSLContext, _ host: String, _ pins: Set<Pin>?) throws -> NIOSSLClientHandler {
        let name = hostWithoutBrackets(host)
        // An IP address must not be sent as a server name.
        let isAddress = (try? SocketAddress(ipAddress: name, port: 0)) != nil
        guard let pins else { return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : name) }
        return try NIOSSLClientHandler(context: context, serverHostname: isAddress ? nil : name) { certificates, promise in
            guard let certificate = certificates.first, let key = try? certificate.extractPublicKey().toSPKIBytes() else {
                return promise.succeed(.failed)
            }
            let isKnown = pins.contains(Pin(digest: Data(SHA256.hash(data: Data(key)))))
            let now = Int(Date().timeIntervalSince1970)
            let isInTime = Int(certificate.notValidBefore) <= now && now <= Int(certificate.notValidAfter)
            promise.succeed(isKnown && isInTime ? .certificateVerified : .failed)
        }
    }

    static func hostWithoutBrackets(_ host: String) -> String { host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")) }

    static func authority(_ url: URL) -> String {
        let host = hostWithoutBrackets(url.host() ?? "")
        let name = host.contains(":") ? "[\(host)]" : host
        return url.port.map { "\(name):\($0)" } ?? name
    }
}

/// Receives an answer as it arrives. A class, because a response may close the connection, and the same object is notified of that at once.
protocol ResponseReceiver: AnyObject {
    func head(status: Int, headers: [String: String])
    func part(_ bytes: ByteBuffer)
    func end()
    func fail(_ failure: TransportError)
}

/// Collects a whole answer.
private final class WholeResponseReceiver: ResponseReceiver {
    private let promise: EventLoopPromise<TransportResponse>
    private var status = 0
    private var headers: [String: String] = [:]
    private var body = ByteBuffer()

    init(_ answer: EventLoopPromise<TransportResponse>) { self.promise = answer }

    func head(status: Int, headers: [String: String]) { (self.status, self.headers) = (status, headers) }

    func part(_ bytes: ByteBuffer) {
        guard body.readableBytes + bytes.readableBytes <= NIOTransport.bodyLimit else { return promise.fail(TransportError.tooLarge) }
        body.writeImmutableBuffer(bytes)
    }

    func end() { promise.succeed(TransportResponse(status: status, headers: headers, body: Data(buffer: body))) }
    func fail(_ failure: TransportError) { promise.fail(failure) }
}

/// Passes the answer on to its reader, part by part.
private final class StreamingResponseReceiver: ResponseReceiver {
    private var promise: EventLoopPromise<TransportStream>?
    /// Held until it is handed on; releasing it then closes the connection.
    private var parts: AsyncThrowingStream<Data, any Error>?
    private let reader: AsyncThrowingStream<Data, any Error>.Continuation

    init(
        _ answer: EventLoopPromise<TransportStream>, _ parts: AsyncThrowingStream<Data, any Error>,
        _ reader: AsyncThrowingStream<Data, any Error>.Continuation
    ) {
        (self.promise, self.parts, self.reader) = (answer, parts, reader)
    }

    func head(status: Int, headers: [String: String]) {
        guard let parts else { return }
        let answer = promise
        (self.promise, self.parts) = (nil, nil)
        answer?.succeed(TransportStream(status: status, parts: parts))
    }

    func part(_ bytes: ByteBuffer) {
        if case .dropped = reader.yield(Data(buffer: bytes)) { reader.finish(throwing: TransportError.interrupted) }
    }

    func end() { reader.finish() }

    func fail(_ failure: TransportError) {
        promise?.fail(failure)
        reader.finish(throwing: failure)
    }
}
