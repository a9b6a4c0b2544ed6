import CardeaModel

extension HouseAnswer: SchemaRepresentable {
    public static let schema = Schema.answer(
        [
            "house_id": .id, "name": .text(), "time_zone": .text(example: "Europe/Berlin"), "now": .time.about("The house's clock"),
            "public_url": .text().about("The address that links and QR codes carry"),
            "rooms": .list(of: .answer(["room_id": .id, "name": .text()])),
        ],
        optional: [
            "number_of_rooms": .integer(), "number_of_floors": .integer(),
            "capabilities": .list(of: .text()).about("The actions and readings of its devices. Only for people who may see devices"),
            "preferences": .of(HousePreferencesBody.self).about("Only for people who may see devices"),
            "asks_answered_by": .answerers.about(
                "The people who answer guests whose passes ask each time. Only for people who may see devices"), "version": .version,
        ])
}

extension Schema {
    /// The people who answer a guest whose pass asks each time: owners and admins, those who let guests in, or everyone here.
    fileprivate static var answerers: Schema { .enumeration(ApproverGroup.self) }
}

extension ChangeHouseBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "name": .name,
        "time_zone": .text(example: "Europe/Berlin").about(
            "An IANA name known to browsers, such as `Europe/Berlin` or `Etc/GMT-2`; no offset such as `GMT+2`"),
        "number_of_floors": .integer(1...200),
        "preferences": .of(HousePreferencesBody.self),
        "asks_answered_by": .answerers.about("The people who answer guests whose passes ask each time; only an owner may change it"),
    ])
    public static let example: JSONValue? = ["preferences": ["quiet_hours": ["from": "22:00", "to": "07:00"]]]
}

extension HousePreferencesBody: SchemaRepresentable {
    public static let schema = Schema.body(optional: [
        "default_temperature": .number(5...35).about("°C. The target of `comfort` in a room without `preferred_temperature`"),
        "energy_saving_mode": .boolean.about("Kept for other clients; the hub does not use it"),
        "security_level": .enumeration(SecurityLevel.self).about("Kept for other clients; the hub does not use it"),
        "quiet_hours": .answer(["from": .timeOfDay, "to": .endTimeOfDay]).about(
            "By the house's clock; null for none. They decide when backups are made, due tasks are announced and the mind sleeps"),
        "vacation_mode": .boolean.about("True while all residents are away for several days"),
    ])
}
