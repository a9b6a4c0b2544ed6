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
        "Percent for set_position, set_tilt, set_brightness, set_percentage and set_volume; °C, or {low, high}, for set_temperature; {hue, saturation}, {temperature} in Kelvin or {white} in percent for set_color; a word such as heat for set_mode, away for arm, forward for set_direction; a name that the device gave for set_preset and set_effect; true or false for oscillate; nothing for the rest"
    )
}

extension DeviceAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "device_id": .deviceID, "name": .text(example: "Front door"), "device_class": .enumeration(DeviceClass.self),
        "room": .text().orNull,
        "room_id": .text().orNull, "integration": .text(example: "mqtt"), "connection_method": .enumeration(ConnectionMethod.self),
        "status": .enumeration(DeviceStatus.self), "is_security_device": .boolean, "is_guest_accessible": .boolean,
        "manufacturer": .text().orNull,
        "model": .text().orNull, "user_description": .text().orNull, "discovery_method": .text().orNull,
        "discovery_confidence": .number(0...1).orNull.about("1 for a discovered device; null for one that people described"),
        "hub_id": .text().orNull,
        "requires_hub": .boolean.orNull, "supported_features": .list(of: .text()).orNull,
        "capabilities": .map().orNull.about(
            "Supported actions, each with the bounds of its value or the `modes` of set_mode"),
        "state": .map().about("Known states of the entities: `power` is on, off or standby"),
        "current_state": .map().orNull.about("The same, with null for unknown values"),
        "last_reported": .answer(["members": .map(), "at": .time]).orNull.about(
            "The last reported state, in the form of `current_state`, while the present state is unknown: the connection was lost, or nothing was reported yet"
        ),
        "attributes": .map(), "version": .version,
        "revision": .integer().about("Increases with every change, including state changes"),
        "state_changed_at": .time, "last_seen": .time.orNull, "actions": .list(of: .enumeration(Verb.self)),
        "entities": .list(of: .of(EntityAnswer.self)),
    ])
}

extension EntityAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "entity_id": .entityID, "unique_id": .text().orNull.about("Its id at the integration; null if that is entity_id"),
            "entity_type": .contractType, "kind": .enumeration(EntityKind.self), "name": .text(), "device_class": .text().orNull,
            "entity_category": .enumeration(EntityCategory.self).orNull.about("null for the device's main entities"),
            "is_way_in": .boolean,
            "state": .text(example: "locked"), "attributes": .map(),
            "last_reported": .answer(["state": .text(example: "locked"), "attributes": .map(), "at": .time]).orNull.about(
                "The last reported state, while `state` is unknown"), "unit_of_measurement": .text().orNull,
            "icon": .text(example: "mdi:garage").orNull, "is_enabled": .boolean,
            "actions": .list(of: .answer(["action": .enumeration(Verb.self), "risk": .enumeration(["read", "control", "open"])])),
            "notice": .text().orNull.about("The fault, as a sentence"),
        ],
        optional: [
            "is_assumed": .boolean.about("True if its device reports no state"),
            "opens_way_in": .boolean.about("The household's mark; present only if it can be set"),
            "proposes_way_in": .boolean.about("True if the mark is proposed because of its name"),
            "way_in_standing": .enumeration(["changed", "shared", "remembered"]).about("Present if it needs a review as a way in"),
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
        ["action": .action], optional: ["value": .value, "transition_time": .transitionTime, "entity_id": .entityID])
    public static let example: JSONValue? = ["action": "unlock"]
}

extension CommandAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "command_id": .id, "device_id": .deviceID, "entity_id": .entityID, "action": .enumeration(Verb.self),
            "status": .enumeration(CommandStatus.self),
        ],
        optional: [
            "reason": .text(), "new_state": .entityState,
            "execution_time": .integer().about("Milliseconds from acceptance to outcome"),
        ])
}

extension Schema {
    static let entityState = answer(["state": text(example: "unlocked"), "attributes": map()])
}
