import AsyncHTTPClient
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// Hands parcels to Apple's push service, which sees which event it is about and nothing else: the rest is sealed for the phone.
public struct APNsSender: PushSender {
    private let client: PushClient
    private let provider: APNsTokenProvider
    private let topic: String
    private let url: String
    private let now: @Sendable () -> Date

    /// The address of Apple's service. An app that is built for development is reached at `https://api.sandbox.push.apple.com`.
    public static let productionURL = "https://api.push.apple.com"
    /// The largest size of one notification, in octets (Apple, "Generating a remote notification").
    private static let limit = 4096

    /// - Parameters:
    ///   - topic: the app's bundle identifier.
    ///   - url: scheme, host and port.
    public init(
        client: PushClient, provider: APNsTokenProvider, topic: String, url: String = productionURL,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.client = client
        self.provider = provider
        self.topic = topic
        self.url = url
        self.now = now
    }

    public func send(_ parcel: PushMessage, to address: PushAddress) async -> PushResult {
        guard case .apple(let phone) = address else { return .rejected(status: 0) }
        let request: HTTPClientRequest
        do { request = try await self.request(parcel, phone) } catch {
            client.logger.error("notification could not be encrypted", metadata: ["service": "apns", "error": "\(type(of: error))"])
            return .rejected(status: 0)
        }
        guard let answer = await client.send(request, to: "apns") else { return .retry(after: nil) }
        return outcome(of: answer)
    }

    private func request(_ parcel: PushMessage, _ phone: ApplePushSubscription) async throws -> HTTPClientRequest {
        let moment = now()
        var request = HTTPClientRequest(url: "\(url)/3/device/\(phone.token.reveal())")
        request.method = .POST
        request.headers = [
            "authorization": "bearer \(try await provider.token(at: moment).reveal())", "apns-topic": topic, "apns-push-type": "alert",
            "apns-priority": parcel.urgency == .high ? "10" : "5",
            "apns-expiration": "\(Int(moment.timeIntervalSince1970) + parcel.timeToLive)", "content-type": "application/json",
        ]
        if let topic = parcel.topic { request.headers.add(name: "apns-collapse-id", value: topic) }
        let body = try Self.body(parcel, for: phone)
        request.body = .bytes(ByteBuffer(string: body))
        return request
    }

    /// The texts are the app's own: Apple can read this part.
    private static func body(_ parcel: PushMessage, for phone: ApplePushSubscription) throws -> String {
        var aps: [String: JSONValue] = [
            "alert": ["title-loc-key": "notice.title", "loc-key": "notice.body"], "sound": "default", "mutable-content": 1,
            "category": "SECURITY_ALERT",
        ]
        if let thread = parcel.thread { aps["thread-id"] = .string(thread) }
        var payload: [String: JSONValue] = ["aps": .object(aps)]
        if let id = parcel.eventID { payload["event_id"] = .string(id) }
        if let keys = phone.keys {
            let sealed = try WebPushEncryption.seal(parcel.text, to: keys)
            payload["sealed"] = .string(Base64URL.encode(sealed))
        }
        let body = try CanonicalJSON.encode(.object(payload))
        guard body.utf8.count <= limit else { throw WebPushEncryption.EncryptionError.tooLong }
        return body
    }

    /// The meaning of Apple's status ("Handling notification responses from APNs").
    private func outcome(of answer: PushClient.Reply) -> PushResult {
        let reason = (try? JSONDecoder().decode(Reason.self, from: answer.body))?.reason
        switch (answer.status.code, reason) {
        case (200...299, _): return .accepted
        // A sandbox token in production is refused as bad, too: it is deleted after five refusals, and not at once.
        case (410, _): return .gone
        case (403, "ExpiredProviderToken"), (403, "InvalidProviderToken"):
            // The house's own clock may have been wrong at the signing.
            provider.invalidate()
            return .retry(after: nil)
        case (429, "TooManyProviderTokenUpdates"): return .retry(after: answer.retryAfter ?? 1200)
        case (408, _), (429, _), (500...599, _): return .retry(after: answer.retryAfter)
        default:
            client.logger.warning(
                "Apple's push service refused a notification",
                metadata: ["status": "\(answer.status.code)", "reason": "\(reason ?? "none")"])
            return .rejected(status: Int(answer.status.code))
        }
    }

    private struct Reason: Decodable {
        let reason: String
    }
}
