import CardeaModel

extension Schema {
    /// An action: a verb, or its name in the guest family.
    static let action = enumeration(actionNames).about(
        "An action, or its dotted name; camelCase and the prefixes `cover.` and `lock.` are accepted")

    private static let actionNames: [String] = {
        let dotted = EntityKind.allCases.flatMap { kind in kind.verbs.map { ActionName.dottedName($0, on: kind) } } + ["door.open"]
        return Verb.allCases.filter { $0 != .read }.map(\.rawValue) + Set(dotted).sorted()
    }()

    static let transitionTime = number(0...600_000).about("Transition time of a light, in milliseconds")
    /// The value of an action.
    static let value = anything.about(
        "Percent for set_position, set_tilt, set_brightness, set_percentage and set_volume; °C, or {low, high}, for set_temperature; {hue, saturation}, {temperature} in Kelvin or {white} in percent for set_color; a word for set_mode, arm and set_direction; a name from the device's list for set_preset and set_effect; true or false for oscillate; none for all others"
    )
}

extension DeviceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "device_id": .deviceID, "name": .text(example: "Front door"), "device_class": .enumeration(DeviceClass.self),
        "room": .text().orNull,
        "room_id": .text().orNull, "integration": .text(example: "mqtt"), "connection_method": .enumeration(ConnectionMethod.self),
        "status": .enumeration(DeviceStatus.self), "is_security_device": .boolean,
        "is_guest_accessible": .boolean.about("True: passes may name it"),
        "manufacturer": .text().orNull,
        "model": .text().orNull, "user_description": .text().orNull.about("Text by the people of the house"),
        "discovery_method": .text().orNull,
        "discovery_confidence": .number(0...1).orNull.about(
            "1 where an integration announced it; null where only people reported it (`planned`)"),
        "hub_id": .text().orNull.about("The device through which it is reached"),
        "requires_hub": .boolean.orNull.about("True if it is reached through another device; else null"),
        "supported_features": .list(of: .text()).orNull,
        "capabilities": .map().orNull.about("The accepted values, by action"),
        "state": .map().about("The known values of its entities"),
        "current_state": .map().orNull.about("Every member of the Seed's `DeviceState`; unknown ones are null"),
        "last_reported": .answer(["members": .map(), "at": .time]).orNull.about(
            "The last report and its time while the state is unknown, in the form of `current_state`; else null"),
        "attributes": .map().about("The device's own attributes"), "version": .version,
        "revision": .integer().about("Increases with each change, also of the state"),
        "state_changed_at": .time.about("The last change of its state"), "last_seen": .time.orNull.about("The last report"),
        "actions": .list(of: .enumeration(Verb.self)).about("The actions of all its entities"),
        "entities": .list(of: .of(EntityAnswer.self)),
    ])
}

extension EntityAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "entity_id": .entityID, "unique_id": .text().orNull.about("Its identifier in the integration; null where that is `entity_id`"),
            "entity_type": .contractType.about("The nearest of these values; the exact one is in `kind`"),
            "kind": .enumeration(EntityKind.self), "name": .text(), "device_class": .text().orNull,
            "entity_category": .enumeration(EntityCategory.self).orNull.about("null for a main function of the device"),
            "is_way_in": .boolean.about("True if it opens a door or gate"),
            "state": .text(example: "locked"), "attributes": .map(),
            "last_reported": .answer(["state": .text(example: "locked"), "attributes": .map(), "at": .time]).orNull.about(
                "The last report and its time while `state` is unknown; else null"), "unit_of_measurement": .text().orNull,
            "icon": .text(example: "mdi:garage").orNull.about("A drawing named by the integration"), "is_enabled": .boolean,
            "actions": .list(of: .answer(["action": .enumeration(Verb.self), "risk": .enumeration(["read", "control", "open"])])).about(
                "Each with its risk: `read`, `control` or `open`"),
            "notice": .text().orNull.about("The reason why it does not work, in words"),
        ],
        optional: [
            "is_assumed": .boolean.about("True if it never reports a state: `state` is then at best the last command"),
            "opens_way_in": .boolean.about("The household's mark; only on entities that can be marked"),
            "proposes_way_in": .boolean.about("True if the name of the entity or device suggests a door or gate"),
            "way_in_standing": .enumeration(["changed", "shared", "remembered"]).about("Present where a person should check this way in"),
        ])
}

extension Schema {
    /// The source contract's kinds of entities, which stay as they are.
    static let contractType = enumeration(EntityKind.allCases.filter { $0 == $0.contractType }.map(\.rawValue)).about(
        "The nearest of these; the exact kind is in `kind`")
}

extension DevicesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "devices": .list(of: .of(DeviceAnswer.self)), "total": .integer().about("Number of all matches, independent of the page"),
        "filters_applied": .map(of: .text()),
    ])
}

extension ChangeDeviceBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "name": .name, "user_description": .text(0...500).about("null removes it"),
        "room_id": .text().about("null removes it from its room"),
        "is_security_device": .boolean, "is_guest_accessible": .boolean,
    ])
    public static let example: JSONValue? = ["name": "Front door"]
}

extension ControlBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["action": .action],
        optional: [
            "value": .value, "transition_time": .transitionTime,
            "entity_id": .entityID.about("Needed where several entities of the device have the action"),
        ])
    public static let example: JSONValue? = ["action": "unlock"]
}

extension CommandAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "command_id": .id, "device_id": .deviceID, "entity_id": .entityID, "action": .enumeration(Verb.self),
            "status": .enumeration(CommandStatus.self),
        ],
        optional: [
            "reason": .text().about("The cause of a status other than `confirmed`"), "new_state": .entityState.about("The state after it"),
            "execution_time": .integer().about("Milliseconds from acceptance to outcome"),
        ])
}

extension Schema {
    static let entityState = answer(["state": text(example: "unlocked"), "attributes": map()])
}
