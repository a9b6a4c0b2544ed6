import CardeaModel

extension Route {
    public static var listAudit: Route {
        Route(
            .get, "/api/v1/audit", .privacy, "List audit log entries, newest first; members see their own",
            query: [
                Parameter("limit", .integer(from: 1).about("1 to 500; default 50")),
                Parameter("before", .integer(from: 1)), Parameter("person_id", .id), Parameter("guest_id", .id),
                Parameter("device_id", .deviceID), Parameter("result", .text(example: "refused")),
                Parameter("action", .text(example: "door.open")), Parameter("from", .time), Parameter("to", .time),
            ], .ok(AuditAnswer.self))
    }

    public static var showAuditCheckpoint: Route {
        Route(
            .get, "/api/v1/audit/checkpoint", .privacy, "Get the latest signed checkpoint of the audit log",
            query: [
                Parameter(
                    "from_size", .integer(from: 1).about("Size of an earlier checkpoint; the response then contains a consistency proof"))
            ],
            .ok(AuditCheckpointAnswer.self), fails: [.auditNotSigned, .auditDropped, .auditBroken])
    }

    public static var proveAuditEntry: Route {
        Route(
            .get, "/api/v1/audit/{id}/proof", .privacy, "Get the inclusion proof of an audit entry that the caller may read",
            .ok(AuditProofAnswer.self), fails: [.notFound, .auditNotSigned, .auditDropped, .auditBroken])
    }

    public static var exportAudit: Route {
        Route(
            .post, "/api/v1/audit/export", .privacy, "Export the audit log; the export is audited",
            body: .json(AuditExportBody.self),
            .text("application/x-ndjson", "A verifiable bundle, one JSON object per line"),
            .text("text/csv", "A verifiable bundle, one JSON object per line; or a CSV table without proofs"),
            fails: [.auditBroken], traits: [.stepUp])
    }
}

extension ErrorCode {
    /// Within a minute it is.
    public static let auditNotSigned = ErrorCode(409, "audit_not_signed")
    public static let auditDropped = ErrorCode(410, "audit_dropped")
    public static let auditBroken = ErrorCode(500, "audit_broken")
}
