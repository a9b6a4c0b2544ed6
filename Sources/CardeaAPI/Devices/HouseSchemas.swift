import CardeaModel

extension HouseAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "house_id": .id, "name": .text(), "time_zone": .text(example: "Europe/Berlin"), "now": .time, "public_url": .text(),
            "rooms": .list(of: .answer(["room_id": .id, "name": .text()])),
        ],
        optional: [
            "number_of_rooms": .integer(), "number_of_floors": .integer(),
            "capabilities": .list(of: .text()).about("What its devices can do and tell; left out for whoever may not see how they stand"),
            "preferences": .of(HousePreferencesBody.self).about("Left out for whoever may not see how the devices stand"),
            "asks_answered_by": .answerers.about("Left out for whoever may not see how the devices stand"), "version": .version,
        ])
}

extension Schema {
    /// The people who answer a guest whose pass asks each time: owners and admins, those who let guests in, or everyone here.
    fileprivate static var answerers: Schema { .enumeration(ApproverGroup.self) }
}

extension ChangeHouseBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "name": .name, "time_zone": .text(example: "Europe/Berlin").about("An IANA name"), "number_of_floors": .integer(1...200),
        "preferences": .of(HousePreferencesBody.self), "asks_answered_by": .answerers.about("An owner's to change"),
    ])
    public static let example: JSONValue? = ["preferences": ["quiet_hours": ["from": "22:00", "to": "07:00"]]]
}

extension HousePreferencesBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "default_temperature": .number(5...35).about("°C"),
        "energy_saving_mode": .boolean.about("Kept for other clients: the hub does nothing by it"),
        "security_level": .enumeration(SecurityLevel.self).about("Kept for other clients: the hub does nothing by it"),
        "quiet_hours": .answer(["from": .timeOfDay, "to": .endTimeOfDay]).about("By the house's clock; null for none"),
        "vacation_mode": .boolean.about(
            "Nobody is at home for days: everybody counts as away until they are told of anew, and a door that opens without a pass is told at once"
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
            "position": .integer(0...1000).about("The place among the rooms, counted from 0"),
        ])
    public static let example: JSONValue? = ["name": "Hall", "room_type": "hallway"]
}

extension LightingBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "default_brightness": .integer(0...100).about(
            "Percent at which a light that is off comes on, where it is asked for none; null or 0 for the light's own"),
        "color_temperature": .integer(1000...12_000).about("Kelvin. Kept for other clients: the hub does nothing by it"),
        "automatic_control": .boolean.about("Kept for other clients: the hub does nothing by it"),
        "motion_activated": .boolean.about("The room's lights go on with motion, and off five minutes after the last"),
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
        "rooms": .list(of: .of(RoomDescriptionAnswer.self)).about("In the order in which people walk through them"), "total": .integer(),
    ])
}
