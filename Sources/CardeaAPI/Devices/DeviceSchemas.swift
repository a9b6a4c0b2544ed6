import CardeaModel

extension Schema {
    /// What can be asked for: the verbs, and what the guest family calls them.
    static let action = words(asked).about("A verb, or its dotted name; camelCase and `cover.` or `lock.` for a family are understood too")

    private static let asked: [String] = {
        let dotted = EntityKind.allCases.flatMap { kind in kind.verbs.map { ActionName.spoken($0, on: kind) } } + ["door.open"]
        return Verb.allCases.filter { $0 != .read }.map(\.rawValue) + Set(dotted).sorted()
    }()

    static let fade = number(0...600_000).about("Milliseconds over which a light fades")
    /// What an action may be given.
    static let value = anything.about(
        "Percent for set_position, set_tilt, set_brightness, set_percentage and set_volume; °C, or {low, high}, for set_temperature; {hue, saturation}, {temperature} in Kelvin or {white} in percent for set_color; a word such as heat for set_mode, away for arm, forward for set_direction; a name that the device gave for set_preset and set_effect; true or false for oscillate; nothing for the rest"
    )
}

extension DeviceAnswer: Described {
    public static let schema = Schema.answer([
        "device_id": .deviceID, "name": .text(example: "Front door"), "device_class": .word(DeviceClass.self), "room": .text().orNull,
        "room_id": .text().orNull, "integration": .text(example: "mqtt"), "connection_method": .word(ConnectionMethod.self),
        "status": .word(DeviceStatus.self), "is_security_device": .flag, "is_guest_accessible": .flag, "manufacturer": .text().orNull,
        "model": .text().orNull, "user_description": .text().orNull, "discovery_method": .text().orNull,
        "discovery_confidence": .number(0...1).orNull.about("1 where it was announced; null where only people say that it is there"),
        "hub_id": .text().orNull,
        "requires_hub": .flag.orNull, "supported_features": .list(of: .text()).orNull,
        "capabilities": .map().orNull.about(
            "What can be asked, by action: the bounds of its value, `modes` of set_mode, nothing for the rest"),
        "state": .map().about("What the entities say, as far as it is known: `power` on, off or standby"),
        "current_state": .map().orNull.about("The same, with null for what is not known"),
        "last_reported": .answer(["members": .map(), "at": .time]).orNull.about(
            "What was said last, as `current_state` has it, while its state is not known: its connection was lost, or it has not reported yet"
        ),
        "attributes": .map(), "version": .version,
        "revision": .integer().about("Rises with every change, the state's too"),
        "state_changed_at": .time, "last_seen": .time.orNull, "actions": .list(of: .word(Verb.self)),
        "entities": .list(of: .of(EntityAnswer.self)),
    ])
}

extension EntityAnswer: Described {
    public static let schema = Schema.answer(
        [
            "entity_id": .entityID, "unique_id": .text().orNull.about("What its integration knows it by; null where that is entity_id"),
            "entity_type": .contractType, "kind": .word(EntityKind.self), "name": .text(), "device_class": .text().orNull,
            "entity_category": .word(EntityCategory.self).orNull.about("null for what its device is there for"), "is_way_in": .flag,
            "state": .text(example: "locked"), "attributes": .map(),
            "last_reported": .answer(["state": .text(example: "locked"), "attributes": .map(), "at": .time]).orNull.about(
                "What it said last, while `state` is unknown"), "unit_of_measurement": .text().orNull,
            "icon": .text(example: "mdi:garage").orNull, "is_enabled": .flag,
            "actions": .list(of: .answer(["action": .word(Verb.self), "risk": .words(["read", "control", "open"])])),
            "notice": .text().orNull.about("What keeps it from working, in words"),
        ],
        optional: [
            "is_assumed": .flag.about("Its device reports no state"),
            "opens_way_in": .flag.about("The household's mark; only where it can be set"),
            "proposes_way_in": .flag.about("Whether the mark is proposed, since a name says so"),
            "way_in_standing": .words(["changed", "shared", "remembered"]).about("Where somebody should look at it as a way in"),
        ])
}

extension Schema {
    /// The source contract's kinds of entities, which stay as they are.
    static let contractType = words(EntityKind.allCases.filter { $0 == $0.contractType }.map(\.rawValue)).about(
        "The nearest of these; the kind itself is in `kind`")
}

extension DevicesAnswer: Described {
    public static let schema = Schema.answer([
        "devices": .list(of: .of(DeviceAnswer.self)), "total": .integer().about("All that fit, whatever the page"),
        "filters_applied": .map(of: .text()),
    ])
}

extension ChangeDeviceBody: Described {
    public static let schema = Schema.body(optional: [
        "name": .name, "user_description": .text(0...500).about("null takes it away"),
        "room_id": .text().about("null takes it out of its room"),
        "is_security_device": .flag, "is_guest_accessible": .flag,
    ])
    public static let example: JSONValue? = ["name": "Front door"]
}

extension ControlBody: Described {
    public static let schema = Schema.body(
        ["action": .action], optional: ["value": .value, "transition_time": .fade, "entity_id": .entityID])
    public static let example: JSONValue? = ["action": "unlock"]
}

extension CommandAnswer: Described {
    public static let schema = Schema.answer(
        [
            "command_id": .id, "device_id": .deviceID, "entity_id": .entityID, "action": .word(Verb.self),
            "status": .word(CommandStatus.self),
        ],
        optional: [
            "reason": .text(), "new_state": .entityState,
            "execution_time": .integer().about("Milliseconds from acceptance to outcome"),
        ])
}

extension Schema {
    static let entityState = answer(["state": text(example: "unlocked"), "attributes": map()])
}
