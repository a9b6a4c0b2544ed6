import CardeaHub
import CardeaModel
import CardeaSecurity
import HTTPTypes

/// Errors of proofs of the audit log, as status and code.
extension APIResponseError {
    static func audit(_ problem: AuditProofs.ProofError) -> APIResponseError {
        switch problem {
        case .notFound: .notFound
        case .notSigned:
            APIResponseError(
                .conflict, "audit_not_signed", "This entry is not signed yet. The house signs once a minute: try again in a minute.",
                retryAfter: 60)
        case .dropped:
            APIResponseError(.gone, "audit_dropped", "These entries were deleted after their retention period. Ask for later entries.")
        case .broken(let fault):
            APIResponseError(
                .internalServerError, "audit_broken", "\(fault) Later entries cannot be proven. Run `cardea-hub check`.",
                details: ["entry": .number(Double(fault.seq))])
        }
    }
}
