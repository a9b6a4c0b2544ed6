import Foundation

/// Why the gate says no. Every reason has a name; the names are the wire's.
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

    public var name: String {
        switch self {
        case .noGrant: "no_grant"
        case .roleLacksRight: "role_lacks_right"
        case .securityDevice: "security_device"
        case .notGuestAccessible: "not_guest_accessible"
        case .deviceNotInScope: "device_not_in_scope"
        case .actionNotAllowed: "action_not_allowed"
        case .notYetValid: "not_yet_valid"
        case .expired: "expired"
        case .outsideSchedule: "outside_schedule"
        case .usedUp: "used_up"
        case .suspended: "suspended"
        case .revoked: "revoked"
        case .forbiddenRemote: "forbidden_remote"
        case .awaitingApproval: "awaiting_approval"
        case .rejected: "rejected"
        }
    }
}
