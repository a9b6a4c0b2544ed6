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
            APIResponseError(.conflict, "audit_not_signed", "It was not signed yet. The house signs once a minute.", retryAfter: 60)
        case .dropped: APIResponseError(.gone, "audit_dropped", "These entries were dropped, their time being over.")
        case .broken(let fault):
            APIResponseError(
                .internalServerError, "audit_broken", "\(fault) Nothing behind it can be proven. Run: cardea-hub check",
                details: ["entry": .number(Double(fault.seq))])
        }
    }
}
