extension Route {
    public static var showHistory: Route {
        Route(
            .get, "/api/v1/devices/{id}/history", .devices, "What a sensor said over time, at most 2000 points",
            query: [Parameter("entity_id", .entityID), Parameter("resolution", .words(["raw", "hour"]))] + ofSpans, .ok(HistoryAnswer.self),
            fails: [.deviceNotFound, Failure(400, "entity_required")])
    }

    public static var showEnergy: Route {
        Route(.get, "/api/v1/energy", .devices, "What the house uses, and what it costs", query: ofSpans, .ok(EnergyAnswer.self))
    }

    public static var showEnvironment: Route {
        Route(
            .get, "/api/v1/environment", .devices, "The air in the rooms", query: [Parameter("room_id", .text())] + ofSpans,
            .ok(EnvironmentAnswer.self))
    }

    private static let ofSpans = [
        Parameter("from", .time.about("With `to`: the last day when left out")), Parameter("to", .time),
    ]
}
