import Foundation

/// Somebody in the house has to say yes.
public struct PendingApproval: Codable, Hashable, Sendable {
    public let message: String?
    /// Seconds until it makes sense to ask again.
    public let retryAfter: Int?
    /// Unix seconds at which the question lapses.
    public let expiresAt: Int?
    /// What waits, by which `GuestAccess.takeBack` takes it back. nil where a pass is waited for.
    public let commandID: String?

    enum CodingKeys: String, CodingKey {
        case message
        case retryAfter = "retry_after"
        case expiresAt = "expires_at"
        case commandID = "command_id"
    }
}

/// Either what was asked for, or the wait for somebody's yes.
public enum Approvable<Answer: Sendable>: Sendable {
    case granted(Answer)
    case waiting(PendingApproval)
}
