import CardeaModel

extension Route {
    public static var listAudit: Route {
        Route(
            .get, "/api/v1/audit", .privacy, "The audit trail entry by entry, newest first; a member sees their own",
            query: [
                Parameter("limit", .integer(from: 1).about("At most 500 are answered; 50 when left out")),
                Parameter("before", .integer(from: 1)), Parameter("person_id", .id), Parameter("guest_id", .id),
                Parameter("device_id", .deviceID), Parameter("result", .text(example: "refused")),
                Parameter("action", .text(example: "door.open")), Parameter("from", .time), Parameter("to", .time),
            ], .ok(AuditAnswer.self))
    }

    public static var showAuditCheckpoint: Route {
        Route(
            .get, "/api/v1/audit/checkpoint", .privacy, "How the audit trail stood when it was signed last",
            query: [Parameter("from_size", .integer(from: 1).about("Shows too that the trail only grew since"))],
            .ok(AuditCheckpointAnswer.self), fails: [.auditNotSigned, .auditDropped, .auditBroken])
    }

    public static var proveAuditEntry: Route {
        Route(
            .get, "/api/v1/audit/{id}/proof", .privacy, "That an entry is in the audit trail, for whoever may see it",
            .ok(AuditProofAnswer.self), fails: [.notFound, .auditNotSigned, .auditDropped, .auditBroken])
    }

    public static var exportAudit: Route {
        Route(
            .post, "/api/v1/audit/export", .privacy, "The audit trail to take away; on record itself",
            body: .json(AuditExportBody.self),
            .text("application/x-ndjson", "A bundle that proves itself, one object a line"),
            .text("text/csv", "A bundle that proves itself, one object a line; or a table that proves nothing"),
            fails: [.auditBroken], traits: [.stepUp])
    }
}

extension ErrorCode {
    /// Within a minute it is.
    public static let auditNotSigned = ErrorCode(409, "audit_not_signed")
    public static let auditDropped = ErrorCode(410, "audit_dropped")
    public static let auditBroken = ErrorCode(500, "audit_broken")
}
