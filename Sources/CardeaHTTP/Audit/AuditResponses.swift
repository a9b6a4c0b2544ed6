import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation

/// Proofs of the audit log, as bodies of responses.
enum AuditResponses {
    static func checkpoint(_ status: AuditProofs.SignedCheckpoint) -> AuditCheckpointAnswer {
        AuditCheckpointAnswer(
            size: status.checkpoint.size, at: Date(milliseconds: status.checkpoint.at), root: status.checkpoint.root,
            note: status.note, key: status.key, verifier: status.verifier, path: status.consistencyPath,
            whole: status.lastFullSegment.map { .init(size: $0.size, note: $0.note, path: $0.path) },
            verifiedAt: status.verification?.at,
            brokenAt: status.verification?.problem?.seq, problem: status.verification?.problem?.description)
    }

    static func proof(_ inclusion: AuditProofs.InclusionProof) -> AuditProofAnswer {
        AuditProofAnswer(
            entry: ActivityResponses.entry(inclusion.entry), line: inclusion.sealedEntry, told: inclusion.statement,
            signature: inclusion.signature,
            path: inclusion.path, checkpoint: checkpoint(inclusion.signedCheckpoint))
    }
}
