import CardeaModel

extension DeviceActionBody: SchemaRepresentable {
    public static let schema = Schema.both(
        .body(
            ["action": .text(example: "lock").about("As for a single device; an unknown device fails alone")],
            optional: [
                "device_id": .deviceID, "id": .deviceID.about("Alias of device_id"), "entity_id": .entityID, "value": .value,
                "transition_time": .transitionTime,
            ]),
        .either(Schema(["required": ["device_id"]]), Schema(["required": ["id"]])))
    public static let example: JSONValue? = ["device_id": "front-door", "action": "lock"]
}

extension BatchControlBody: SchemaRepresentable {
    public static let schema = Schema.body(["devices": .list(of: .of(DeviceActionBody.self), 1...50)])
    public static let example: JSONValue? = ["devices": [["device_id": "front-door", "action": "lock"]]]
}

extension BatchAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "batch_id": .id,
        "results": .list(
            of: .answer(
                [
                    "device_id": .text(), "action": .text(),
                    "status": .enumeration(CommandStatus.allCases.map(\.rawValue) + ["refused"]),
                ],
                optional: [
                    "entity_id": .entityID, "code": .text().about("As in the error of a single command"), "message": .text(),
                    "details": .map(),
                    "command_id": .id, "new_state": .entityState, "execution_time": .integer(),
                ])),
    ])
}
