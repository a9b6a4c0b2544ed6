import CardeaModel

extension Schema {
    /// An action: a verb, or its name in the guest family.
    static let action = enumeration(actionNames).about(
        "A verb, or its dotted name; camelCase and `cover.` or `lock.` for a family are understood too")

    private static let actionNames: [String] = {
        let dotted = EntityKind.allCases.flatMap { kind in kind.verbs.map { ActionName.dottedName($0, on: kind) } } + ["door.open"]
        return Verb.allCases.filter { $0 != .read }.map(\.rawValue) + Set(dotted).sorted()
    }()

    static let transitionTime = number(0...600_000).about("Milliseconds over which a light fades")
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
        "discovery_confidence": .number(0...1).orNull.about("1 where it was announced; null where only people say that it is there"),
        "hub_id": .text().orNull,
        "requires_hub": .boolean.orNull, "supported_features": .list(of: .text()).orNull,
        "capabilities": .map().orNull.about(
            "What can be asked, by action: the bounds of its value, `modes` of set_mode, nothing for the rest"),
        "state": .map().about("What the entities say, as far as it is known: `power` on, off or standby"),
        "current_state": .map().orNull.about("The same, with null for what is not known"),
        "last_reported": .answer(["members": .map(), "at": .time]).orNull.about(
            "What was said last, as `current_state` has it, while its state is not known: its connection was lost, or it has not reported yet"
        ),
        "attributes": .map(), "version": .version,
        "revision": .integer().about("Rises with every change, the state's too"),
        "state_changed_at": .time, "last_seen": .time.orNull, "actions": .list(of: .enumeration(Verb.self)),
        "entities": .list(of: .of(EntityAnswer.self)),
    ])
}

extension EntityAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "entity_id": .entityID, "unique_id": .text().orNull.about("What its integration knows it by; null where that is entity_id"),
            "entity_type": .contractType, "kind": .enumeration(EntityKind.self), "name": .text(), "device_class": .text().orNull,
            "entity_category": .enumeration(EntityCategory.self).orNull.about("null for what its device is there for"),
            "is_way_in": .boolean,
            "state": .text(example: "locked"), "attributes": .map(),
            "last_reported": .answer(["state": .text(example: "locked"), "attributes": .map(), "at": .time]).orNull.about(
                "What it said last, while `state` is unknown"), "unit_of_measurement": .text().orNull,
            "icon": .text(example: "mdi:garage").orNull, "is_enabled": .boolean,
            "actions": .list(of: .answer(["action": .enumeration(Verb.self), "risk": .enumeration(["read", "control", "open"])])),
            "notice": .text().orNull.about("What keeps it from working, in words"),
        ],
        optional: [
            "is_assumed": .boolean.about("Its device reports no state"),
            "opens_way_in": .boolean.about("The household's mark; only where it can be set"),
            "proposes_way_in": .boolean.about("Whether the mark is proposed, since a name says so"),
            "way_in_standing": .enumeration(["changed", "shared", "remembered"]).about("Where somebody should look at it as a way in"),
        ])
}

extension Schema {
    /// The source contract's kinds of entities, which stay as they are.
    static let contractType = enumeration(EntityKind.allCases.filter { $0 == $0.contractType }.map(\.rawValue)).about(
        "The nearest of these; the kind itself is in `kind`")
}

extension DevicesAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "devices": .list(of: .of(DeviceAnswer.self)), "total": .integer().about("All that fit, whatever the page"),
        "filters_applied": .map(of: .text()),
    ])
}

extension ChangeDeviceBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "name": .name, "user_description": .text(0...500).about("null takes it away"),
        "room_id": .text().about("null takes it out of its room"),
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
