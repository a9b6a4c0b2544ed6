import Foundation

/// Where a command stands: `accepted` → `dispatching` → `confirmed` | `failed` | `unknown`, or `expired` before it was sent.
public enum CommandStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Durable, and waiting: for its turn at the door, or for somebody's yes.
    case accepted
    /// Durable, and handed to the device, once. Never sent again, whatever happens.
    case dispatching
    /// The device itself says it is done.
    case confirmed
    /// Definitely not done.
    case failed
    /// Sent, and no answer: it may have happened.
    case unknown
    /// Its time passed before its turn came, or the house said no. Never sent.
    case expired

    public var isOver: Bool {
        switch self {
        case .accepted, .dispatching: false
        case .confirmed, .failed, .unknown, .expired: true
        }
    }
}
