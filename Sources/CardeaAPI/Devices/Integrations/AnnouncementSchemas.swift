import CardeaModel

extension MQTTIntegrationAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "integration": .text(example: "mqtt"), "status": .enumeration(["connected", "connecting", "failed", "off"]), "since": .time,
            "devices": .integer(), "notices": .list(of: .answer(["message": .text()], optional: ["entity_id": .entityID])),
            "announced": .list(of: .of(AnnouncedDeviceAnswer.self)), "not_understood": .list(of: .of(NotUnderstoodAnswer.self)),
            "has_more_not_understood": .boolean.about("True if more members were not understood than are listed"),
        ], optional: ["reason": .text().about("In words"), "settings": .map().about("Without secrets")])
}

extension AnnouncedDeviceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "device_id": .deviceID, "name": .text().about("The device's own name"),
        "entities": .list(
            of: .answer([
                "entity_id": .entityID, "component": .text(example: "lock").about("The platform, as announced"),
                "topic": .text(example: "homeassistant/lock/front_door/config").about("Discovery topic"),
            ])),
    ])
}

extension NotUnderstoodAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "topic": .text(example: "homeassistant/humidifier/den/config"), "component": .text(example: "humidifier"),
            "reason": .text(example: "The hub does not show humidifiers.").about("Reason, as a sentence"),
        ], optional: ["device": .text().about("The name of its device")])
}

extension AnnouncementAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "topic": .text(), "announcement": .text().about("The announcement as received, with secrets masked"),
    ])
}

extension CheckAnnouncementBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["announcement": .text(example: #"{"command_topic": "home/door/set"}"#)],
        optional: [
            "topic": .text(example: "homeassistant/lock/front_door/config")
                .about("Discovery topic; may be omitted only for a device announcement")
        ])
}

extension AnnouncementCheckAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "entities": .list(
            of: .answer(
                [
                    "entity_id": .entityID.about("As in an empty house"), "kind": .enumeration(EntityKind.self), "name": .text(),
                    "device": .text().about("The name of its device"), "actions": .list(of: .text(example: "unlock")),
                    "reads": .list(of: .text()).about("State topics"),
                    "writes": .list(of: .text()).about("Command topics"),
                ], optional: ["device_class": .text(), "unit": .text()])),
        "not_understood": .list(of: .of(NotUnderstoodAnswer.self)),
    ])
}
