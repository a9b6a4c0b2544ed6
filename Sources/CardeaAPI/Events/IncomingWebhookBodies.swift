import CardeaModel
import Foundation

/// `POST /api/v1/webhooks`
public struct MakeWebhookBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    public var make: String
    /// The camera or device for which it reports.
    public var cameraID: String?
    /// The type of an event whose report does not name one. Left out: `ring`.
    public var type: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, make, type
        case cameraID = "camera_id"
    }

    public init(name: String, make: IncomingWebhookVendor, cameraID: String? = nil, type: String? = nil) {
        self.name = name
        self.make = make.rawValue
        self.cameraID = cameraID
        self.type = type
    }
}

public struct WebhookAnswer: Codable, Sendable {
    public let webhookID: String
    public let name: String
    public let make: String
    public let cameraID: String?
    public let type: String
    public let createdAt: Date
    /// To the minute.
    public let lastUsedAt: Date?
    /// Reports that were too many, since the hub was started.
    public let refusedCount: Int
    /// Only in the answer to making it.
    public let url: String?

    enum CodingKeys: String, CodingKey {
        case name, make, type, url
        case webhookID = "webhook_id"
        case cameraID = "camera_id"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case refusedCount = "refused_count"
    }

    public init(_ webhook: IncomingWebhook, refusedCount: Int, url: String? = nil) {
        webhookID = webhook.id
        name = webhook.name
        make = webhook.make.rawValue
        cameraID = webhook.cameraID
        type = webhook.type.rawValue
        createdAt = webhook.createdAt
        lastUsedAt = webhook.lastUsedAt
        self.refusedCount = refusedCount
        self.url = url
    }
}

public struct WebhooksAnswer: Codable, Sendable {
    public let webhooks: [WebhookAnswer]
    public let total: Int
    /// True if the hub also accepts their reports over plain HTTP (`--webhook-listen`).
    public let isPlain: Bool

    enum CodingKeys: String, CodingKey {
        case webhooks, total
        case isPlain = "is_plain"
    }

    public init(webhooks: [WebhookAnswer], isPlain: Bool) {
        self.webhooks = webhooks
        total = webhooks.count
        self.isPlain = isPlain
    }
}
