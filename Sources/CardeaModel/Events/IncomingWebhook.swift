import Foundation

/// A doorbell or camera that reports events by a URL of its own.
public struct IncomingWebhook: Hashable, Sendable {
    public let id: String
    public let name: String
    public let make: IncomingWebhookVendor
    /// The camera or device of the house for which it reports; nil if its own name is used.
    public let cameraID: String?
    /// The type of an event whose report does not state it.
    public let type: DetectionType
    public let createdAt: Date
    /// To the minute.
    public let lastUsedAt: Date?

    public init(
        id: String, name: String, make: IncomingWebhookVendor, cameraID: String?, type: DetectionType, createdAt: Date, lastUsedAt: Date?
    ) {
        self.id = id
        self.name = name
        self.make = make
        self.cameraID = cameraID
        self.type = type
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}
