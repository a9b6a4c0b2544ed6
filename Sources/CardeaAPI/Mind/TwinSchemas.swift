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

extension TwinMadeAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "twin_id": .id, "status": .constant("created"), "sync_status": .enumeration(Schema.syncStatuses),
        "estimated_ready_time": .integer(from: 0).about("Milliseconds"), "capabilities": .capabilities,
    ])
}

extension TwinAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "id": .id, "device_id": .deviceID, "name": .text(), "type": .enumeration(DeviceClass.self),
        "fidelity_level": .enumeration(Schema.fidelityLevels),
        "sync_status": .enumeration(Schema.syncStatuses), "last_sync": .time.orNull, "divergence_score": .number(0...1),
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
            "reported": .map(of: .of(TwinReportAnswer.self)).about("By entity"),
            "desired": .list(of: .of(TwinWishAnswer.self)).about("Desired state"),
            "pending": .list(of: .of(TwinWishAnswer.self)).about("Part of the desired state that the device has not reported yet"),
            "diverging_keys": .list(of: .text(example: "light.hall/brightness")),
            "thermal": .either(.of(ThermalAnswer.self), Schema(["type": "null"])),
            "thermal_problem": .text().orNull.about("Reason why a requested thermal twin is missing"),
            "history": .map(of: .list(of: .answer(["at": .time, "state": .text()]))).about("Reports of the last day, by entity"),
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
        "room_id": .id, "time_constant": Schema.of(EstimateAnswer.self).about("Hours"),
        "heating_rate": Schema.of(EstimateAnswer.self).about("°C per hour"), "gain": Schema.of(EstimateAnswer.self).about("°C per hour"),
        "one_step_error": .celsius, "free_run_error": .celsius, "hours_of_readings": .integer(from: 0),
        "measured": .list(of: .answer(["at": .time, "inside": .celsius, "outside": Schema.celsius.orNull])),
        "fitted": .list(of: .answer(["at": .time, "value": .celsius])),
        "forecast": .list(of: .answer(["at": .time, "value": .celsius, "low": .celsius, "high": .celsius])),
    ])
}
