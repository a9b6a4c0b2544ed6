import CardeaModel

extension Route {
    public static var whatIf: Route {
        Route(
            .post, "/api/v1/predictions/what-if", .mind, "Predict the effect of a change from the house's history; nothing is executed",
            body: .json(WhatIfBody.self), .ok(WhatIfAnswer.self), fails: [.validation])
    }
}

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
            "changes": .map(atMost: 3).about("room, device and access; each maps ids to assumed changes"),
            "duration": .text(2...64, example: "8h").about("A minute to 31 days"),
        ],
        optional: [
            "scenario": .text(0...WhatIfBody.maxScenarioLength), "metrics": .list(of: .enumeration(Schema.metrics), 1...5),
            "from": .time.about("Default: the next time at which something changes"),
            "days": .integer(1...31).about("Number of past days to evaluate again"),
        ])
    public static let example: JSONValue? = [
        "scenario": "A warm night", "changes": ["room": ["living-room": ["temperature": 22, "from": "22:00", "to": "06:00"]]],
        "duration": "8h", "metrics": ["energy", "cost"],
    ]
}

extension WhatIfAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "analysis_id": .id, "status": .constant("completed"), "response": .text(), "about": .text(),
        "results": Schema.map(of: .metric).about("By metric"), "problems": .map(of: .text()).about("By metric"),
        "recommendations": .list(of: .answer(["words": .text(), "saving": .estimate, "unit": .text()])),
        "basis": .answer([
            "words": .text(), "readings": .integer(from: 0), "entities": .list(of: .entityID),
            "windows": .list(of: .answer(["from": .time, "to": .time])),
        ]),
        "replay": Schema.replay.orNull, "notices": .map(of: .notices).orNull.about("By entity"),
    ])
}
