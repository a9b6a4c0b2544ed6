import CardeaModel

extension HouseAnswer: Described {
    public static let schema = Schema.answer(
        [
            "house_id": .id, "name": .text(), "time_zone": .text(example: "Europe/Berlin"), "now": .time, "public_url": .text(),
            "rooms": .list(of: .answer(["room_id": .id, "name": .text()])),
        ],
        optional: [
            "number_of_rooms": .integer(), "number_of_floors": .integer(),
            "capabilities": .list(of: .text()).about("What its devices can do and tell; left out for whoever may not see how they stand"),
            "preferences": .of(HousePreferencesBody.self).about("Left out for whoever may not see how the devices stand"),
            "version": .version,
        ])
}

extension ChangeHouseBody: Described {
    public static let schema = Schema.body(optional: [
        "name": .name, "time_zone": .text(example: "Europe/Berlin").about("An IANA name"), "number_of_floors": .integer(1...200),
        "preferences": .of(HousePreferencesBody.self),
    ])
    public static let example: JSONValue? = ["preferences": ["quiet_hours": ["from": "22:00", "to": "07:00"]]]
}

extension HousePreferencesBody: Described {
    public static let schema = Schema.body(optional: [
        "default_temperature": .number(5...35).about("°C"), "energy_saving_mode": .flag, "security_level": .word(SecurityLevel.self),
        "quiet_hours": .answer(["from": .timeOfDay, "to": .timeOfDay]).about("By the house's clock; null for none"),
        "vacation_mode": .flag,
    ])
}

extension RoomBody: Described {
    public static let schema = Schema.body(
        ["name": .name],
        optional: [
            "room_type": .word(RoomKind.self), "floor": .integer(-20...200).about("0 is the ground floor"),
            "square_footage": .number(1...100_000), "ceiling_height": .number(1...100).about("Feet"), "window_count": .integer(0...1000),
            "door_count": .integer(0...1000), "preferred_temperature": .number(5...35).about("°C"),
            "preferred_humidity": .number(0...100).about("Percent"), "lighting_preferences": .of(LightingBody.self),
            "activities": .list(of: .name, 0...32),
            "position": .integer(0...1000).about("The place among the rooms, counted from 0"),
        ])
    public static let example: JSONValue? = ["name": "Hall", "room_type": "hallway"]
}

extension LightingBody: Described {
    public static let schema = Schema.body(optional: [
        "default_brightness": .integer(0...100).about("Percent"), "color_temperature": .integer(1000...12_000).about("Kelvin"),
        "automatic_control": .flag, "motion_activated": .flag,
    ])
}

extension RoomDescriptionAnswer: Described {
    public static let schema = Schema.answer([
        "room_id": .id, "name": .text(), "room_type": .word(RoomKind.self), "floor": .integer(), "square_footage": .number().orNull,
        "ceiling_height": .number().orNull, "window_count": .integer(), "door_count": .integer(), "preferred_temperature": .number().orNull,
        "preferred_humidity": .number().orNull, "lighting_preferences": .of(LightingBody.self), "activities": .list(of: .text()),
        "version": .version,
    ])
}

extension RoomsAnswer: Described {
    public static let schema = Schema.answer([
        "rooms": .list(of: .of(RoomDescriptionAnswer.self)).about("In the order in which people walk through them"), "total": .integer(),
    ])
}
