import Foundation

/// The status of a command: `accepted` → `dispatching` → `confirmed` | `failed` | `unknown`, or `expired` before it was sent.
public enum CommandStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Durable, and waiting: for its turn at the door, or for approval.
    case accepted
    /// Durable, and dispatched to the device, once. It is never sent again.
    case dispatching
    /// The device reported that it is done.
    case confirmed
    /// Certainly not done.
    case failed
    /// Dispatched, without a report: it may have happened.
    case unknown
    /// Its time passed before its turn came, or it was rejected. It was never dispatched.
    case expired

    public var isOver: Bool {
        switch self {
        case .accepted, .dispatching: false
        case .confirmed, .failed, .unknown, .expired: true
        }
    }
}
