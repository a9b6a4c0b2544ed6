import CardeaSecurity
import Foundation

/// Either the answer, or the wait for an approval.
public enum ApprovalResult<Answer: Sendable>: Sendable {
    case granted(Answer)
    case waiting(PendingApproval)
}
