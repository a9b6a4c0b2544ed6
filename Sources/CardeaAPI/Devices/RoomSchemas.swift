import CardeaModel

extension RoomBody: SchemaRepresentable {
    public static let schema = Schema.body(
        ["name": .name],
        optional: [
            "room_type": .enumeration(RoomKind.self), "floor": .integer(-20...200).about("0 is the ground floor"),
            "square_footage": .number(1...100_000), "ceiling_height": .number(1...100).about("Feet"), "window_count": .integer(0...1000),
            "door_count": .integer(0...1000), "preferred_temperature": .number(5...35).about("°C"),
            "preferred_humidity": .number(0...100).about("Percent"), "lighting_preferences": .of(LightingBody.self),
            "activities": .list(of: .name, 0...32),
            "position": .integer(0...1000).about("The place among the rooms, from 0; a higher number than the last means last"),
        ])
    public static let example: JSONValue? = ["name": "Hall", "room_type": "hallway"]
}

extension LightingBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "default_brightness": .integer(0...100).about(
            "Percent. The brightness at which a light that is off turns on; null or 0 for the light's own"),
        "color_temperature": .integer(1000...12_000).about("Kelvin. Kept for other clients; the hub does not use it"),
        "automatic_control": .boolean.about("Kept for other clients; the hub does not use it"),
        "motion_activated": .boolean.about("True: the room's lights turn on with motion, and off five minutes after the last motion"),
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
