import AsyncHTTPClient
import CardeaHub
import CardeaSecurity
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// Hands parcels to browsers' push services (RFC 8030), each sealed for its browser.
public struct WebPushSender: PushSender {
    private let client: PushClient
    private let identity: VAPIDTokenProvider
    private let now: @Sendable () -> Date

    public init(client: PushClient, identity: VAPIDTokenProvider, now: @escaping @Sendable () -> Date = { Date() }) {
        self.client = client
        self.identity = identity
        self.now = now
    }

    public func send(_ parcel: PushMessage, to address: PushAddress) async -> PushResult {
        guard case .browser(let subscription) = address else { return .rejected(status: 0) }
        let request: HTTPClientRequest
        do { request = try await self.request(parcel, subscription) } catch {
            // A message that cannot be encrypted now cannot be encrypted later.
            client.logger.error(
                "notification could not be encrypted", metadata: ["service": "\(subscription.service)", "error": "\(type(of: error))"])
            return .rejected(status: 0)
        }
        guard let answer = await client.send(request, to: subscription.service, at: subscription.host) else { return .retry(after: nil) }
        return Self.outcome(of: answer)
    }

    private func request(_ parcel: PushMessage, _ subscription: WebPushSubscription) async throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: subscription.url.reveal())
        request.method = .POST
        request.headers = [
            "content-type": "application/octet-stream", "content-encoding": "aes128gcm", "ttl": "\(parcel.timeToLive)",
            "urgency": parcel.urgency.rawValue,
            "authorization": try await identity.authorization(for: subscription.service, at: now()).reveal(),
        ]
        if let topic = parcel.topic { request.headers.add(name: "topic", value: topic) }
        let message = try WebPushEncryption.seal(parcel.text, to: subscription.keys)
        request.body = .bytes(ByteBuffer(bytes: message))
        return request
    }

    /// The meaning of a service's status (RFC 8030, sections 5 and 7.3; RFC 8292, section 4.2).
    private static func outcome(of answer: PushClient.Reply) -> PushResult {
        switch answer.status.code {
        case 200...299: .accepted
        case 404, 410: .gone
        // 401: the house's own clock may be wrong.
        case 401, 408, 429, 500...599: .retry(after: answer.retryAfter)
        default: .rejected(status: Int(answer.status.code))
        }
    }
}
