import CardeaSecurity
import Foundation

/// Either what was asked for, or the wait for somebody's yes.
public enum ApprovalResult<Answer: Sendable>: Sendable {
    case granted(Answer)
    case waiting(PendingApproval)
}
