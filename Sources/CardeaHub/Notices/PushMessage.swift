import CardeaSecurity
import Foundation

/// What is brought, and how.
public struct PushMessage: Sendable {
    /// How soon it matters to whoever gets it (RFC 8030, section 5.3): a telephone that saves power may keep the rest for later.
    public enum Urgency: String, Sendable {
        case low
        case normal
        case high
    }

    /// What whoever gets it reads, and nobody on the way. At most `limit` octets.
    public let text: Data
    /// The event that it is about, which is the one thing a service may see; nil where it is about none.
    public let eventID: String?
    /// Seconds for which the service keeps it for a browser that is away (RFC 8030, section 5.2).
    public let timeToLive: Int
    public let urgency: Urgency
    /// A later parcel with the same topic takes the place of one that has not been brought yet (RFC 8030, section 5.4); nil for one that
    /// stands alone. It says nothing of what it is about: at most 32 characters of base64url.
    public let topic: String?
    /// What is shown together on a phone, as all of one camera. It says nothing of what that is.
    public let thread: String?

    /// What every push service takes: 4096 octets less the header, the delimiter and the tag (RFC 8291, section 4).
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
