import Foundation

/// The status of a pass, in one word.
public enum GuestStatus: String, Codable, Hashable, Sendable, CaseIterable {
    /// Made, and not on any phone yet.
    case waiting
    case approvalPending = "approval_pending"
    case rejected
    /// On a phone; its window has not begun.
    case scheduled
    case active
    case suspended
    case usedUp = "used_up"
    case expired
    case revoked

    public init(of grant: Grant, isPaired: Bool, approvalAsked: Bool, at now: Date) {
        switch Gate.validityRefusal(of: grant, at: now) {
        case .revoked, .noGrant: self = .revoked
        case .rejected: self = .rejected
        case .expired: self = .expired
        case .usedUp: self = .usedUp
        case .suspended: self = .suspended
        case .awaitingApproval: self = approvalAsked ? .approvalPending : .waiting
        case .notYetValid: self = isPaired ? .scheduled : .waiting
        default: self = isPaired ? .active : .waiting
        }
    }
}
