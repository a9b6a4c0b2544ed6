import CardeaModel

extension HistoryAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "device_id": .deviceID, "entity_id": .entityID, "unit_of_measurement": .text().orNull, "resolution": .enumeration(["raw", "hour"]),
        "from": .time, "to": .time,
        "points": .list(
            of: .answer(
                ["at": .time],
                optional: ["value": .number(), "min": .number(), "max": .number(), "mean": .number(), "count": .integer()])
        )
        .about("A reading has `value`; an hourly value has the other fields"),
        "next_from": .time.orNull.about("Cursor of the next page"),
    ])
}

extension EnergyAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "from": .time, "to": .time,
        "readings": .list(
            of: .answer([
                "energy_type": .enumeration(EnergyKind.self), "power": .number().orNull.about("W now"),
                "energy": .number().orNull.about("Total within the period, in `unit`"), "unit": .text(example: "kWh"),
                "cost": .number().orNull.about("By the caller's own rates"),
                "meters": .list(
                    of: .answer(
                        ["device_id": .deviceID, "entity_id": .entityID],
                        optional: ["power": .number(), "total": .number(), "energy": .number()])),
            ])),
    ])
}

extension EnvironmentAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "from": .time, "to": .time,
        "readings": .list(
            of: .answer(
                [
                    "device_id": .deviceID, "entity_id": .entityID, "room_id": .text().orNull,
                    "metric": .enumeration(EnvironmentMetric.self),
                    "value": .number().orNull.about("Now"), "unit_of_measurement": .text().orNull, "count": .integer(),
                ], optional: ["min": .number(), "max": .number(), "mean": .number()])),
    ])
}
