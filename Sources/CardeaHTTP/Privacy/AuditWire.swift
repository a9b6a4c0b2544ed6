import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation

/// What proves the audit trail, as it is sent.
enum AuditWire {
    static func checkpoint(_ standing: AuditProofs.Standing) -> AuditCheckpointAnswer {
        AuditCheckpointAnswer(
            size: standing.checkpoint.size, at: Date(milliseconds: standing.checkpoint.at), root: standing.checkpoint.root,
            note: standing.note, key: standing.key, verifier: standing.verifier, path: standing.path,
            whole: standing.whole.map { .init(size: $0.size, note: $0.note, path: $0.path) }, verifiedAt: standing.looked?.at,
            brokenAt: standing.looked?.problem?.seq, problem: standing.looked?.problem?.description)
    }

    static func proof(_ inclusion: AuditProofs.Inclusion) -> AuditProofAnswer {
        AuditProofAnswer(
            entry: ActivityWire.entry(inclusion.entry), line: inclusion.line, told: inclusion.told, signature: inclusion.signature,
            path: inclusion.path, checkpoint: checkpoint(inclusion.standing))
    }
}
