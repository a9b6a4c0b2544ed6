import CardeaModel

extension HouseAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "house_id": .id, "name": .text(), "time_zone": .text(example: "Europe/Berlin"), "now": .time, "public_url": .text(),
            "rooms": .list(of: .answer(["room_id": .id, "name": .text()])),
        ],
        optional: [
            "number_of_rooms": .integer(), "number_of_floors": .integer(),
            "capabilities": .list(of: .text()).about("Capabilities of its devices; absent if the caller may not see their states"),
            "preferences": .of(HousePreferencesBody.self).about("Absent if the caller may not see device states"),
            "asks_answered_by": .answerers.about("Absent if the caller may not see device states"), "version": .version,
        ])
}

extension Schema {
    /// The people who answer a guest whose pass asks each time: owners and admins, those who let guests in, or everyone here.
    fileprivate static var answerers: Schema { .enumeration(ApproverGroup.self) }
}

extension ChangeHouseBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "name": .name, "time_zone": .text(example: "Europe/Berlin").about("IANA time zone name"), "number_of_floors": .integer(1...200),
        "preferences": .of(HousePreferencesBody.self), "asks_answered_by": .answerers.about("Only owners may change it"),
    ])
    public static let example: JSONValue? = ["preferences": ["quiet_hours": ["from": "22:00", "to": "07:00"]]]
}

extension HousePreferencesBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "default_temperature": .number(5...35).about("°C"),
        "energy_saving_mode": .boolean.about("Stored for clients; the hub does not use it"),
        "security_level": .enumeration(SecurityLevel.self).about("Stored for clients; the hub does not use it"),
        "quiet_hours": .answer(["from": .timeOfDay, "to": .endTimeOfDay]).about("In the house's time zone; null for none"),
        "vacation_mode": .boolean.about(
            "Vacation: everybody counts as away until their presence is reported again, and any opening without a pass sends a notification at once"
        ),
    ])
}

extension RoomBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name],
        optional: [
            "room_type": .enumeration(RoomKind.self), "floor": .integer(-20...200).about("0 is the ground floor"),
            "square_footage": .number(1...100_000), "ceiling_height": .number(1...100).about("Feet"), "window_count": .integer(0...1000),
            "door_count": .integer(0...1000), "preferred_temperature": .number(5...35).about("°C"),
            "preferred_humidity": .number(0...100).about("Percent"), "lighting_preferences": .of(LightingBody.self),
            "activities": .list(of: .name, 0...32),
            "position": .integer(0...1000).about("Position among the rooms, from 0"),
        ])
    public static let example: JSONValue? = ["name": "Hall", "room_type": "hallway"]
}

extension LightingBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "default_brightness": .integer(0...100).about(
            "Brightness in percent of a light that is switched on without a brightness; null or 0 for the light's own default"),
        "color_temperature": .integer(1000...12_000).about("Kelvin. Stored for clients; the hub does not use it"),
        "automatic_control": .boolean.about("Stored for clients; the hub does not use it"),
        "motion_activated": .boolean.about("Motion switches the room's lights on; they go off five minutes after the last motion"),
    ])
}

extension RoomDescriptionAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "room_id": .id, "name": .text(), "room_type": .enumeration(RoomKind.self), "floor": .integer(), "square_footage": .number().orNull,
        "ceiling_height": .number().orNull, "window_count": .integer(), "door_count": .integer(), "preferred_temperature": .number().orNull,
        "preferred_humidity": .number().orNull, "lighting_preferences": .of(LightingBody.self), "activities": .list(of: .text()),
        "version": .version,
    ])
}

extension RoomsAnswer: SchemaRepresentable {
    public static let schema = Schema.answer([
        "rooms": .list(of: .of(RoomDescriptionAnswer.self)).about("In walking order"), "total": .integer(),
    ])
}
