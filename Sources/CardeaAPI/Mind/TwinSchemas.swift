import CardeaModel

extension Schema {
    static let syncStatuses = ["synchronized", "out_of_sync", "syncing", "no_real_device", "error"]
    static let fidelityLevels = ["basic", "advanced", "expert"]
    fileprivate static let capabilities = list(of: enumeration(["reported", "desired", "pending", "divergence", "history", "prediction"]))
    fileprivate static let celsius = number().about("°C")
}

extension TwinBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["device_id": .text(1...128, example: "front-door").about("Id of a device, or of a planned device")],
        optional: [
            "fidelity_level": .enumeration(Schema.fidelityLevels).about("Default: advanced"),
            "config": .of(TwinPlanBody.self).about("For a planned device"),
        ])
    public static let example: JSONValue? = ["device_id": "front-door", "fidelity_level": "expert"]
}

extension TwinPlanBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: ["name": .name, "kind": .enumeration(EntityKind.self)])
}

extension CreatedTwinAnswer: SchemaRepresentable {
    public static let schemaName = "TwinMadeAnswer"
    public static let schema = Schema.answer([
        "twin_id": .id, "status": .constant("created"), "sync_status": .enumeration(Schema.syncStatuses),
        "estimated_ready_time": .integer(from: 0).about("Milliseconds"), "capabilities": .capabilities,
    ])
}

extension TwinAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "id": .id.about("`twin_` and the device's id"), "device_id": .deviceID, "name": .text(),
        "type": .enumeration(DeviceClass.self).about("The device's class"),
        "fidelity_level": .enumeration(Schema.fidelityLevels),
        "sync_status": .enumeration(Schema.syncStatuses), "last_sync": .time.orNull.about("The last report"),
        "divergence_score": .number(0...1).about("0 where all commands are confirmed, up to 1"),
        "capabilities": .capabilities,
    ])
}

extension TwinsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "twins": .list(of: .of(TwinAnswer.self)), "total": .integer(from: 0), "synchronized": .integer(from: 0),
        "out_of_sync": .integer(from: 0),
    ])
}

extension TwinDetailAnswer: SchemaRepresentable {
    public static let schema = Schema.both(
        .of(TwinAnswer.self),
        .answer([
            "reported": .map(of: .of(TwinReportAnswer.self)).about("By entity: `{kind, state, attributes, at, last_reported}`"),
            "desired": .list(of: .of(TwinWishAnswer.self)).about("The commands in force"),
            "pending": .list(of: .of(TwinWishAnswer.self)).about("The commands in force without a report"),
            "diverging_keys": .list(of: .text(example: "light.hall/brightness")).about("The members that differ"),
            "thermal": .either(.of(ThermalAnswer.self), Schema(["type": "null"])).about("The room's thermal twin"),
            "thermal_problem": .text().orNull.about("The reason why there is no thermal twin, in words"),
            "history": .map(of: .list(of: .answer(["at": .time, "state": .text()]))).about(
                "By entity: `{at, state}` of the last day, the earliest first"),
        ]))
}

extension TwinReportAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "kind": .enumeration(EntityKind.self), "state": .text(), "attributes": .map(),
        "at": .time.orNull.about("Time of the last report"),
        "last_reported": .either(.answer(["state": .text(), "attributes": .map()]), Schema(["type": "null"]))
            .about("The last reported state, while the present state is unknown"),
    ])
}

extension TwinWishAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "entity_id": .entityID, "action": .enumeration(Verb.self), "value": .anything, "since": .time, "until": .time.orNull,
        "by": .text(example: "person:1").orNull,
    ])
}

extension ThermalAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "room_id": .id,
        "time_constant": Schema.of(EstimateAnswer.self).about("Hours in which the unheated room loses 63 % of its difference from outside"),
        "heating_rate": Schema.of(EstimateAnswer.self).about("°C per hour at full heating, or per kW where heating is metered"),
        "gain": Schema.of(EstimateAnswer.self).about("°C per hour: sun, people and machines, on average"),
        "one_step_error": .celsius.about("°C, root mean square, from one hour to the next"),
        "free_run_error": .celsius.about("°C, root mean square, over whole runs of hours with only the first known"),
        "hours_of_readings": .integer(from: 0),
        "measured": .list(of: .answer(["at": .time, "inside": .celsius, "outside": Schema.celsius.orNull])).about("The last two days"),
        "fitted": .list(of: .answer(["at": .time, "value": .celsius])).about("The model's values for the same days"),
        "forecast": .list(of: .answer(["at": .time, "value": .celsius, "low": .celsius, "high": .celsius])).about(
            "The next day, with heating and outside temperature as on the last"),
    ])
}
