import AsyncHTTPClient
import CardeaHub
import CardeaSecurity
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Hands parcels to browsers' push services (RFC 8030), each sealed for its browser. Follows no redirect, and reads nothing of an answer
/// but its status and `Retry-After`.
public final class WebPushCarrier: PushCarrier, Service {
    private let client: HTTPClient
    private let identity: VAPID
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let patience: TimeAmount

    /// - Parameter patience: how long a service may take to answer.
    public init(
        identity: VAPID, patience: TimeAmount = .seconds(10), logger: Logger, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        configuration.proxy = nil
        configuration.timeout.connect = .seconds(5)
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.identity = identity
        self.patience = patience
        self.logger = logger
        self.now = now
    }

    /// Ends its connections with the house.
    public func run() async throws {
        // Cancelled or asked to: either way it is over.
        do { try await gracefulShutdown() } catch is CancellationError {}
        try await shutdown()
    }

    func shutdown() async throws { try await client.shutdown() }

    public func deliver(_ parcel: PushParcel, to subscription: WebPushSubscription) async -> PushOutcome {
        let request: HTTPClientRequest
        do { request = try await self.request(parcel, subscription) } catch {
            // What cannot be sealed now cannot be sealed later.
            logger.error("a notice could not be sealed", metadata: ["service": "\(subscription.service)", "error": "\(type(of: error))"])
            return .refused(status: 0)
        }
        do {
            let response = try await client.execute(request, timeout: patience)
            return Self.outcome(of: response.status, retryAfter: response.headers.first(name: "retry-after"))
        } catch {
            logger.debug("a push service does not answer", metadata: ["service": "\(subscription.service)", "error": "\(type(of: error))"])
            return .later(after: nil)
        }
    }

    private func request(_ parcel: PushParcel, _ subscription: WebPushSubscription) async throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: subscription.endpoint.reveal())
        request.method = .POST
        request.headers = [
            "content-type": "application/octet-stream", "content-encoding": "aes128gcm", "ttl": "\(parcel.timeToLive)",
            "urgency": parcel.urgency.rawValue,
            "authorization": try await identity.authorization(for: subscription.service, at: now()).reveal(),
        ]
        if let topic = parcel.topic { request.headers.add(name: "topic", value: topic) }
        request.body = .bytes(ByteBuffer(bytes: try WebPushMessage.seal(parcel.text, to: subscription)))
        return request
    }

    /// What a service's status says (RFC 8030, sections 5 and 7.3; RFC 8292, section 4.2).
    static func outcome(of status: HTTPResponseStatus, retryAfter: String?) -> PushOutcome {
        switch status.code {
        case 200...299: .taken
        case 404, 410: .gone
        // Services say seconds. A date, which they might say as well, is taken for nothing said.
        case 408, 429, 500...599: .later(after: retryAfter.flatMap { Int($0) }.map { min(max($0, 0), 86_400) })
        default: .refused(status: Int(status.code))
        }
    }
}
