import CardeaModel

/// The manual actions of the people in the virtual house, hour by hour: they leave in the morning and come home in the evening.
enum ResidentRoutine {
    /// An action on an entity, by hand or by command.
    struct Action: Hashable, Sendable {
        let entityID: String
        let verb: Verb
        var value: JSONValue?

        init(_ verb: Verb, _ entityID: String, _ value: JSONValue? = nil) {
            self.entityID = entityID
            self.verb = verb
            self.value = value
        }
    }

    /// The hour at which a lived-in house begins: shortly before people come home.
    static let firstHour = 16

    /// Returns the actions of an hour of the day, in order.
    static func actions(at hour: Int) -> [Action] {
        switch hour % 24 {
        case 7: [Action(.on, "light.hall"), Action(.setTemperature, "climate.living_room", 21)]
        case 8:
            [
                Action(.unlock, "lock.front_door"), Action(.off, "light.hall"), Action(.off, "light.study"),
                Action(.lock, "lock.front_door"),
                Action(.setTemperature, "climate.living_room", 17),
            ]
        case 17: [Action(.open, "cover.garage"), Action(.unlock, "lock.front_door"), Action(.setBrightness, "light.hall", 80)]
        case 18:
            [
                Action(.lock, "lock.front_door"), Action(.close, "cover.garage"), Action(.setTemperature, "climate.living_room", 21.5),
                Action(.setBrightness, "light.study", 70),
            ]
        case 20: [Action(.setBrightness, "light.hall", 30)]
        case 23: [Action(.off, "light.study"), Action(.off, "light.hall"), Action(.setTemperature, "climate.living_room", 18)]
        default: []
        }
    }

    /// Returns whether a person walks through the hall in that hour.
    static func isHallOccupied(at hour: Int) -> Bool { [7, 8, 17, 18, 23].contains(hour % 24) }
}
