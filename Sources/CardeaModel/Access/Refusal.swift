import Foundation

/// The gate's reason for a refusal. Every reason has a name; the names are the wire's.
public enum Refusal: Error, Hashable, Codable, Sendable {
    case noGrant
    case roleLacksRight
    case securityDevice
    case notGuestAccessible
    case deviceNotInScope
    case actionNotAllowed
    case notYetValid(startsAt: Date)
    case expired(at: Date)
    case outsideSchedule(next: Date?)
    case usedUp(limit: Int)
    case suspended
    case revoked(at: Date)
    case forbiddenRemote
    case awaitingApproval
    case rejected

    public var name: String { auditReason.rawValue }
}
