import CardeaSecurity
import Foundation

/// Brings a notice to one browser by way of the push service that the browser chose. `CardeaPush` fills this port.
public protocol PushCarrier: Sendable {
    /// Asks the service to bring `parcel`, once. Who wants it tried again asks again.
    func deliver(_ parcel: PushParcel, to subscription: WebPushSubscription) async -> PushOutcome
}

/// What is brought, and how.
public struct PushParcel: Sendable {
    /// How soon it matters to whoever gets it (RFC 8030, section 5.3): a telephone that saves power may keep the rest for later.
    public enum Urgency: String, Sendable {
        case low
        case normal
        case high
    }

    /// What the browser reads, and nobody on the way. At most `limit` octets.
    public let text: Data
    /// Seconds for which the service keeps it for a browser that is away (RFC 8030, section 5.2).
    public let timeToLive: Int
    public let urgency: Urgency
    /// A later parcel with the same topic takes the place of one that has not been brought yet (RFC 8030, section 5.4); nil for one that
    /// stands alone. It says nothing of what it is about: at most 32 characters of base64url.
    public let topic: String?

    /// What every push service takes: 4096 octets less the header, the delimiter and the tag (RFC 8291, section 4).
    public static let limit = 3993

    public init(text: Data, timeToLive: Int, urgency: Urgency, topic: String? = nil) {
        self.text = text
        self.timeToLive = max(0, timeToLive)
        self.urgency = urgency
        self.topic = topic
    }
}

/// What became of a parcel.
public enum PushOutcome: Hashable, Sendable {
    /// The service has it. Whether the browser will is not known.
    case taken
    /// There is no such subscription any more; nothing else will ever come through.
    case gone
    /// The service will not have it, however often it is asked; its status, or 0 where it was never asked.
    case refused(status: Int)
    /// Not now: after so many seconds, where the service says.
    case later(after: Int?)
}
