import CardeaModel
import Foundation

/// A notification to one person.
public struct Notice: Hashable, Sendable {
    public let id: String
    public let personID: String
    public let fact: NotifiableFact
    /// The name of the camera or the door at that time.
    public let placeName: String
    public let createdAt: Date
    /// Stored and not sent.
    public let isQuiet: Bool
    public let acknowledgedAt: Date?
    /// True if it was sent because another person did not answer.
    public let isEscalated: Bool
    public internal(set) var deliveries: [NoticeDeliveryStatus] = []

    public var kind: NoticeKind { fact.kind }
    /// The event it is about; nil for one about an ask, a job, or of the house's mind.
    public var eventID: String? { [.ask, .unusual, .automation, .maintenance, .danger, .work].contains(fact.kind) ? nil : fact.subject }
    /// The command that waits for a yes; nil for any other.
    public var commandID: String? { fact.kind == .ask ? fact.subject : nil }
}

/// The delivery status of a notification at one browser or phone.
public struct NoticeDeliveryStatus: Hashable, Sendable {
    public enum State: String, Sendable, CaseIterable {
        case waiting
        /// The push service has accepted it.
        case taken
        /// The subscription of the browser or phone no longer exists.
        case gone
        /// The push service rejected it.
        case refused
        /// It expired before it could be delivered.
        case givenUp = "given_up"
    }

    /// The push service, such as `https://updates.push.services.mozilla.com`.
    public let service: String
    public let state: State
    /// The number of tries.
    public let tries: Int
    public let settledAt: Date?
}
