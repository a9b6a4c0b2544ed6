import CardeaModel

extension Schema {
    fileprivate static let bytes = text().about("Base64")
    fileprivate static let path = list(of: bytes)
}

extension AuditAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["entries": .list(of: .of(ActivityEntry.self))],
        optional: [
            "next_before": .integer().about("Cursor of the next page"),
            "signed_size": .integer().about("The last entry covered by a signed root"), "signed_at": .time,
        ])
}

extension AuditCheckpointAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "size": .integer(from: 1), "at": .time, "root": .bytes, "note": .text().about("C2SP signed-note around a tlog-checkpoint"),
            "key": .bytes, "verifier": .text(),
        ],
        optional: [
            "path": .path.about("Consistency proof from from_size to this size (RFC 9162, section 2.1.4)"),
            "whole": .answer(["size": .integer(from: 1), "note": .text(), "path": .path]),
            "verified_at": .time.about("Time of the last full verification"),
            "broken_at": .integer(from: 1).about("The first entry that failed verification"),
            "problem": .text().about("Reason of the failure"),
        ])
}

extension AuditProofAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "entry": .of(ActivityEntry.self), "line": .text(), "told": .text(), "signature": .bytes,
        "path": .path.about("Inclusion proof from the entry to the root (RFC 9162, section 2.1.3)"),
        "checkpoint": .of(AuditCheckpointAnswer.self),
    ])
}

extension AuditExportBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [:],
        optional: [
            "format": .enumeration(AuditFormat.self), "person_id": .id, "guest_id": .id, "device_id": .deviceID, "result": .text(),
            "action": .text(), "from": .time, "to": .time,
        ])
    public static let example: JSONValue? = ["format": "json"]
}
