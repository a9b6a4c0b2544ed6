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
            "size": .integer(from: 1).about("The number of entries"), "at": .time.about("The time of the signature"), "root": .bytes,
            "note": .text().about("A signed note (C2SP signed-note, Ed25519) around a checkpoint (C2SP tlog-checkpoint)"),
            "key": .bytes, "verifier": .text().about("The key in the format of such tools"),
        ],
        optional: [
            "path": .path.about("RFC 9162, section 2.1.4: the proof that the log of `from_size` entries is the beginning of this one"),
            "whole": .answer(["size": .integer(from: 1), "note": .text(), "path": .path]).about(
                "The last root of whole segments, with its path to this one"),
            "verified_at": .time.about("The last check of every entry"),
            "broken_at": .integer(from: 1).about("The first changed entry"),
            "problem": .text().about("The problem in words"),
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
