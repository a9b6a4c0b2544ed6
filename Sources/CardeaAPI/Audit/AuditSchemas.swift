import CardeaModel

extension Schema {
    fileprivate static let bytes = text().about("Base64")
    fileprivate static let path = list(of: bytes)
}

extension AuditAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        ["entries": .list(of: .of(ActivityEntry.self))],
        optional: [
            "next_before": .integer().about("Where to go on"),
            "signed_size": .integer().about("Entries up to this one stand under a root that the house signed"), "signed_at": .time,
        ])
}

extension AuditCheckpointAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "size": .integer(from: 1), "at": .time, "root": .bytes, "note": .text().about("C2SP signed-note around a tlog-checkpoint"),
            "key": .bytes, "verifier": .text(),
        ],
        optional: [
            "path": .path.about("RFC 9162, section 2.1.4: from from_size to this"),
            "whole": .answer(["size": .integer(from: 1), "note": .text(), "path": .path]),
            "verified_at": .time.about("When every entry was looked at last"),
            "broken_at": .integer(from: 1).about("The first entry that was not as it was written"),
            "problem": .text().about("What is wrong with it"),
        ])
}

extension AuditProofAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "entry": .of(ActivityEntry.self), "line": .text(), "told": .text(), "signature": .bytes,
        "path": .path.about("RFC 9162, section 2.1.3: from the entry to the root"), "checkpoint": .of(AuditCheckpointAnswer.self),
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
