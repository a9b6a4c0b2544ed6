import CardeaAPI
import CardeaHub
import CardeaModel
import CardeaSecurity
import Foundation

/// Proofs of the audit log, as bodies of responses.
enum AuditResponses {
    static func checkpoint(_ standing: AuditProofs.SignedCheckpoint) -> AuditCheckpointAnswer {
        AuditCheckpointAnswer(
            size: standing.checkpoint.size, at: Date(milliseconds: standing.checkpoint.at), root: standing.checkpoint.root,
            note: standing.note, key: standing.key, verifier: standing.verifier, path: standing.consistencyPath,
            whole: standing.lastFullSegment.map { .init(size: $0.size, note: $0.note, path: $0.path) },
            verifiedAt: standing.verification?.at,
            brokenAt: standing.verification?.problem?.seq, problem: standing.verification?.problem?.description)
    }

    static func proof(_ inclusion: AuditProofs.InclusionProof) -> AuditProofAnswer {
        AuditProofAnswer(
            entry: ActivityResponses.entry(inclusion.entry), line: inclusion.sealedEntry, told: inclusion.statement,
            signature: inclusion.signature,
            path: inclusion.path, checkpoint: checkpoint(inclusion.signedCheckpoint))
    }
}
