import CardeaModel

extension Schema {
    fileprivate static let metrics = ["energy", "cost", "comfort", "temperature", "access"]
    fileprivate static let estimate = of(EstimateAnswer.self)

    fileprivate static let metric = answer([
        "baseline": .estimate, "predicted": .estimate, "difference": .estimate, "unit": .text().about("Empty for costs"), "words": .text(),
        "series": .list(
            of: .answer(["at": .time, "baseline": .number(), "predicted": .number(), "low": .number(), "high": .number()])),
    ])

    fileprivate static let replay = answer(
        [
            "opened_then_shut": .integer(from: 0), "shut_then_opened": .integer(from: 0), "asked": .integer(from: 0),
            "unknown": .integer(from: 0),
            "rows": .list(
                of: .answer(["at": .time, "device_id": .deviceID.orNull, "who": .text().orNull, "was": .text(), "would_be": .text()])),
        ], optional: ["more_rows": .integer(from: 1).about("Number of earlier ones that are not listed")])
}

extension Schema {
    fileprivate static let notices = answer([
        "kept": .integer(from: 0).orNull.about("null if the present data cannot be compared"), "added": .list(of: .time),
        "missed": .list(of: .time),
    ])
}

extension WhatIfBody: SchemaRepresentable {
    public static let schema = Schema.body(
        [
            "changes": .map(atMost: 3).about("The assumed changes by `room`, `device` and `access`, then by id"),
            "duration": .text(2...64, example: "8h").about("`8h`, `2d`, `PT8H`; a minute to 31 days"),
        ],
        optional: [
            "scenario": .text(0...WhatIfBody.maxScenarioLength),
            "metrics": .list(of: .enumeration(Schema.metrics), 1...5).about("Omitted: those that fit the changes"),
            "from": .time.about("Omitted: the next time of a change, or the next full hour"),
            "days": .integer(1...31).about(
                "The number of past days whose attempts are decided again. Omitted: the length of `duration`, and at least seven"),
        ])
    public static let example: JSONValue? = [
        "scenario": "A warm night", "changes": ["room": ["living-room": ["temperature": 22, "from": "22:00", "to": "06:00"]]],
        "duration": "8h", "metrics": ["energy", "cost"],
    ]
}

extension WhatIfAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "analysis_id": .id, "status": .constant("completed"), "response": .text().about("In words"), "about": .text(),
        "results": Schema.map(of: .metric).about(
            "By metric: `{baseline, predicted, difference, unit, words, series}`. The first three are `{value, low, high}`, the range of 95 of 100 such times"
        ), "problems": .map(of: .text()).about("The unavailable results by metric, in words"),
        "recommendations": .list(of: .answer(["words": .text(), "saving": .estimate, "unit": .text()])),
        "basis": .answer([
            "words": .text(), "readings": .integer(from: 0), "entities": .list(of: .entityID),
            "windows": .list(of: .answer(["from": .time, "to": .time])),
        ]),
        "replay": Schema.replay.orNull.about("null without `access`"),
        "notices": .map(of: .notices).orNull.about("By entity; null without a watching rule"),
    ])
}
