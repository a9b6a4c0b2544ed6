import CardeaModel

/// What the people of the virtual house do by hand, hour by hour: they leave in the morning and come home in the evening.
enum Habits {
    /// Something that is done to an entity, by hand or because it was asked for.
    struct Deed: Hashable, Sendable {
        let entityID: String
        let verb: Verb
        var value: JSONValue?

        init(_ verb: Verb, _ entityID: String, _ value: JSONValue? = nil) {
            self.entityID = entityID
            self.verb = verb
            self.value = value
        }
    }

    /// The hour at which a lived-in house begins: somebody is about to come home.
    static let firstHour = 16

    /// What is done in an hour of the day, in this order.
    static func deeds(at hour: Int) -> [Deed] {
        switch hour % 24 {
        case 7: [Deed(.on, "light.hall"), Deed(.setTemperature, "climate.living_room", 21)]
        case 8:
            [
                Deed(.unlock, "lock.front_door"), Deed(.off, "light.hall"), Deed(.off, "light.study"), Deed(.lock, "lock.front_door"),
                Deed(.setTemperature, "climate.living_room", 17),
            ]
        case 17: [Deed(.open, "cover.garage"), Deed(.unlock, "lock.front_door"), Deed(.setBrightness, "light.hall", 80)]
        case 18:
            [
                Deed(.lock, "lock.front_door"), Deed(.close, "cover.garage"), Deed(.setTemperature, "climate.living_room", 21.5),
                Deed(.setBrightness, "light.study", 70),
            ]
        case 20: [Deed(.setBrightness, "light.hall", 30)]
        case 23: [Deed(.off, "light.study"), Deed(.off, "light.hall"), Deed(.setTemperature, "climate.living_room", 18)]
        default: []
        }
    }

    /// Whether somebody goes through the hall in that hour.
    static func passThroughHall(at hour: Int) -> Bool { [7, 8, 17, 18, 23].contains(hour % 24) }
}
