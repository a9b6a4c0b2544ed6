import CardeaSecurity
import Foundation

/// A push message and how it is delivered.
public struct PushMessage: Sendable {
    /// The urgency for the recipient (RFC 8030, section 5.3): a phone that saves power may delay the rest.
    public enum Urgency: String, Sendable {
        case low
        case normal
        case high
    }

    /// The content, which only the recipient can read. At most `limit` octets.
    public let text: Data
    /// The event that it is about, the one thing that a service may see; nil if it is about none.
    public let eventID: String?
    /// Seconds for which the service keeps it for a browser that is away (RFC 8030, section 5.2).
    public let timeToLive: Int
    public let urgency: Urgency
    /// A later message with the same topic replaces one that was not delivered yet (RFC 8030, section 5.4); nil for one without. It does
    /// not reveal the subject: at most 32 characters of base64url.
    public let topic: String?
    /// Messages with the same thread are grouped on a phone, such as all of one camera. The value does not reveal its subject.
    public let thread: String?

    /// The octets that every push service accepts: 4096 less the header, the delimiter and the tag (RFC 8291, section 4).
    public static let limit = 3993

    public init(text: Data, eventID: String? = nil, timeToLive: Int, urgency: Urgency, topic: String? = nil, thread: String? = nil) {
        self.text = text
        self.eventID = eventID
        self.timeToLive = max(0, timeToLive)
        self.urgency = urgency
        self.topic = topic
        self.thread = thread
    }
}
