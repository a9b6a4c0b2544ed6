import CardeaModel

extension HistoryAnswer: Described {
    public static let schema = Schema.answer([
        "device_id": .deviceID, "entity_id": .entityID, "unit_of_measurement": .text().orNull, "resolution": .words(["raw", "hour"]),
        "from": .time, "to": .time,
        "points": .list(
            of: .answer(
                ["at": .time],
                optional: ["value": .number(), "min": .number(), "max": .number(), "mean": .number(), "count": .integer()])
        )
        .about("A reading has a value; an hour has the rest"),
        "next_from": .time.orNull.about("There is more: ask again from here"),
    ])
}

extension EnergyAnswer: Described {
    public static let schema = Schema.answer([
        "from": .time, "to": .time,
        "readings": .list(
            of: .answer([
                "energy_type": .word(EnergyKind.self), "power": .number().orNull.about("W now"),
                "energy": .number().orNull.about("Within the span, in `unit`"), "unit": .text(example: "kWh"),
                "cost": .number().orNull.about("By the asker's own rates"),
                "meters": .list(
                    of: .answer(
                        ["device_id": .deviceID, "entity_id": .entityID],
                        optional: ["power": .number(), "total": .number(), "energy": .number()])),
            ])),
    ])
}

extension EnvironmentAnswer: Described {
    public static let schema = Schema.answer([
        "from": .time, "to": .time,
        "readings": .list(
            of: .answer(
                [
                    "device_id": .deviceID, "entity_id": .entityID, "room_id": .text().orNull, "metric": .word(EnvironmentMetric.self),
                    "value": .number().orNull.about("Now"), "unit_of_measurement": .text().orNull, "count": .integer(),
                ], optional: ["min": .number(), "max": .number(), "mean": .number()])),
    ])
}
