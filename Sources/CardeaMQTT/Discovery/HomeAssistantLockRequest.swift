import CardeaModel
import Foundation

/// A request of Home Assistant to one of the house's locks.
struct HomeAssistantLockRequest: Hashable, Sendable {
    let verb: Verb
    let at: Date
    /// Names this very message among all others.
    let name: String

    enum RequestError: Error, Hashable, Sendable {
        case kept, unreadable, late

        var auditReason: AuditReason {
            switch self {
            case .kept: .keptByBroker
            case .unreadable: .unreadable
            case .late: .tooLate
            }
        }

        var message: String {
            switch self {
            case .kept: "was retained by the broker, so its age is unknown"
            case .unreadable: "has no action or no time"
            case .late: "is too old, or was sent by a clock that is wrong"
            }
        }
    }

    /// Seconds for which it is good, and by which two clocks of one house may differ.
    static let validity: TimeInterval = 10

    /// Reads a message on a lock's command topic.
    init(_ message: String, isRetained: Bool, now: Date) throws(RequestError) {
        guard !isRetained else { throw .kept }
        guard message.utf8.count <= 256, let json = JSONValue.read(Array(message.utf8)), let word = json["do"]?.string,
            let verb = ["LOCK": Verb.lock, "UNLOCK": .unlock, "OPEN": .open][word], let at = json["at"]?.number, at.isFinite
        else { throw .unreadable }
        guard abs(now.timeIntervalSince1970 - at) <= Self.validity else { throw .late }
        self.verb = verb
        self.at = Date(timeIntervalSince1970: at)
        name = "\(word)@\(at)"
    }
}
