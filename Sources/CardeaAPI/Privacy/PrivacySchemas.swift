import CardeaModel

extension PrivacyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "holdings": .list(
            of: .answer([
                "purpose": .text(example: "sign_in"), "what": .text(), "why": .text(),
                "kept": .list(of: .text(example: "90 days after its end")),
                "count": .integer(from: 0).orNull.about("Null if counting would require reading every entry"),
            ]))
    ])
}

extension RetentionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "retention": .list(
            of: .answer([
                "kind": .enumeration(RetentionKind.self), "days": .integer(from: 1), "most_days": .integer(from: 1),
                "swept_at": .time.orNull,
                "dropped": .integer(from: 0),
            ]))
    ])
}

extension RetentionBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "days": .map(of: .integer(from: 1), atMost: RetentionKind.allCases.count).about("Days by kind; at most `most_days`")
    ])
    public static let example: JSONValue? = ["days": ["events": 30, "activity": 60]]
}

extension BackupsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "folder": .text(example: "backups").orNull.about("The folder's name only; null without automatic backups"),
        "every_hours": .integer(from: 1).orNull.about("null for once a day in the quiet hours"),
        "keep": .integer(from: 1).about("The number of backups kept"),
        "keep_days": .integer(from: 1).about("The most days that one is kept"), "has_recovery_key": .boolean,
        "good_at": .time.orNull.about("The last complete backup"), "good_bytes": .integer(from: 0).orNull,
        "failed_at": .time.orNull.about("null unless the last backup failed"), "failure": .text().orNull.about("In words"),
        "next_at": .time.orNull,
        "restored_at": .time.orNull.about("The last restore"),
        "key": .answer([
            "place": .enumeration(["credential", "secret-service", "file"]),
            "protection": .enumeration(["full", "reduced"]).about("full: the key is not stored on the house's disk"),
            "words": .text(),
        ]).orNull.about("The place of the house key; null for a house in memory"),
    ])
}

extension JobAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "job_id": .id, "kind": .enumeration(["export", "erasure"]), "person_id": .id.about("The person or guest concerned"),
        "state": .enumeration(["waiting", "running", "done", "failed"]),
        "step": .text(example: "commands"), "progress": .number(0...1).orNull, "asked_at": .time, "finished_at": .time.orNull,
        "link": .text().orNull.about("The address of the archive"), "expires_at": .time.orNull, "bytes": .integer(from: 0).orNull,
        "problem": .text().orNull.about("The reason of a failure"),
        "receipt": .answer([
            "rows": .map(of: .integer(from: 0)).about("Number of rows by purpose"), "kept": .list(of: .text()),
            "replicas": .answer([
                "told": .integer(from: 0), "confirmed": .integer(from: 0), "owing": .integer(from: 0), "own": .integer(from: 0),
            ]).orNull.about("Clients with a copy of the house"),
        ]).orNull.about("Of an erasure: the number of deleted rows by purpose, the data that stays, and the replicas"),
    ])
}

extension JobsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["jobs": .list(of: .of(JobAnswer.self))])
}

extension ReplicaBody: SchemaRepresentable {
    public static let schema = Schema.body([
        "confirmed": .list(of: .id, 0...maxConfirmations).about("Ids fully erased from the copy; empty if none")
    ])
}

extension ErasedAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(["erased": .list(of: .id)])
}
