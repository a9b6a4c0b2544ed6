import AsyncHTTPClient
import CardeaClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// Carries requests over async-http-client: one pool of connections, no redirects, no proxies, no decompression,
/// and answers of at most 8 MiB.
///
/// It must be shut down before it is released; `withNIOTransport` does that by itself.
public final class NIOTransport: BulkTransport {
    /// The maximum size of an answer in bytes. A list of 10 000 devices is about half of it.
    public static let bodyLimit = 8 << 20

    private let client: HTTPClient
    private let pins: PinStore
    private let connectTimeout: TimeAmount

    /// - Parameter pins: the hubs with pinned keys. All others must have a certificate that this machine trusts.
    public init(connectTimeout: Duration = .seconds(5), pins: PinStore = PinStore()) {
        self.pins = pins
        self.connectTimeout = .nanoseconds(connectTimeout.inNanoseconds)
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.timeout.connect = .nanoseconds(connectTimeout.inNanoseconds)
        configuration.proxy = nil
        // A refused connection is reported at once; the pool itself would retry until the timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        configuration.connectionPool.idleTimeout = .seconds(30)
        // Longer than any answer waits for a door; it detects a connection that died in the middle of an answer.
        configuration.timeout.read = .seconds(90)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        do {
            if let pins = pins.pins(for: request.url) {
                return try await PinnedConnection(pins: pins, connectTimeout: connectTimeout).send(request)
            }
            try Self.requireKey(request)
            return try await exchange(request)
        } catch {
            throw TransportError(error)
        }
    }

    public func open(_ request: TransportRequest) async throws(TransportError) -> TransportStream {
        do {
            if let pins = pins.pins(for: request.url) {
                return try await PinnedConnection(pins: pins, connectTimeout: connectTimeout).open(request)
            }
            try Self.requireKey(request)
            return try await stream(request)
        } catch {
            throw TransportError(error)
        }
    }

    /// Uses a separate connection, which ends with the exchange.
    public func exchange(
        _ request: TransportRequest, upload: UploadSource?, receive: @escaping @Sendable (ResponsePart) async throws -> Void
    ) async throws {
        let passage = StreamingExchange(pins: pins.pins(for: request.url), connectTimeout: connectTimeout)
        if passage.pins == nil { try Self.requireKey(request) }
        try await passage.exchange(request, upload: upload, receive: receive)
    }

    /// On a route other than the hub's own address, only a pinned key can identify the hub.
    private static func requireKey(_ request: TransportRequest) throws(TransportError) {
        if request.route != nil { throw .untrusted }
    }

    /// The number of unread parts. A reader that is slower than this should reconnect with a cursor.
    static let bufferLimit = 1024

    private func stream(_ request: TransportRequest) async throws -> TransportStream {
        let response = try await client.execute(makeRequest(request), timeout: .nanoseconds(request.timeout.inNanoseconds))
        let (parts, part) = AsyncThrowingStream<Data, any Error>.makeStream(bufferingPolicy: .bufferingOldest(Self.bufferLimit))
        let body = response.body
        let reading = Task {
            do {
                for try await bytes in body {
                    if case .dropped = part.yield(Data(buffer: bytes)) { throw TransportError.interrupted }
                }
                part.finish()
            } catch {
                part.finish(throwing: TransportError(error))
            }
        }
        part.onTermination = { _ in reading.cancel() }
        return TransportStream(status: Int(response.status.code), parts: parts)
    }

    private func makeRequest(_ request: TransportRequest) -> HTTPClientRequest {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = .RAW(value: request.method.rawValue)
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        if let body = request.body { outgoing.body = .bytes(ByteBuffer(data: body)) }
        return outgoing
    }

    /// The HTTP client's own deadline covers only the head of an answer; this one covers all of it.
    private func exchange(_ request: TransportRequest) async throws -> TransportResponse {
        try await withThrowingTaskGroup(of: TransportResponse.self) { group in
            group.addTask { try await self.collectResponse(request) }
            group.addTask {
                // Slightly later, so that the client's own error for a connection that was never made comes first.
                try await Task.sleep(for: request.timeout + .seconds(1))
                throw TransportError.timeout
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() else { throw TransportError.cancelled }
            return response
        }
    }

    private func collectResponse(_ request: TransportRequest) async throws -> TransportResponse {
        let response = try await client.execute(makeRequest(request), timeout: .nanoseconds(request.timeout.inNanoseconds))
        let body = try await response.body.collect(upTo: Self.bodyLimit)
        return TransportResponse(
            status: Int(response.status.code),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }),
            body: Data(buffer: body))
    }

    public func shutdown() async throws {
        try await client.shutdown()
    }
}

/// Runs `body` with a transport that is shut down when it ends, however it ends.
public func withNIOTransport<Result: Sendable>(
    pins: PinStore = PinStore(), isolation: isolated (any Actor)? = #isolation, _ body: (NIOTransport) async throws -> Result
) async throws -> Result {
    let transport = NIOTransport(pins: pins)
    do {
        let result = try await body(transport)
        try await transport.shutdown()
        return result
    } catch {
        try? await transport.shutdown()
        throw error
    }
}

extension Duration {
    var inNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 86_400) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
