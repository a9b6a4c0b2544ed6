extension Route {
    public static var showHistory: Route {
        Route(
            .get, "/api/v1/devices/{id}/history", .devices, "What a sensor said over time, at most 2000 points",
            query: [Parameter("entity_id", .entityID), Parameter("resolution", .enumeration(["raw", "hour"]))] + spanParameters,
            .ok(HistoryAnswer.self),
            fails: [.deviceNotFound, ErrorCode(400, "entity_required")])
    }

    public static var showEnergy: Route {
        Route(.get, "/api/v1/energy", .devices, "What the house uses, and what it costs", query: spanParameters, .ok(EnergyAnswer.self))
    }

    public static var showEnvironment: Route {
        Route(
            .get, "/api/v1/environment", .devices, "The air in the rooms", query: [Parameter("room_id", .text())] + spanParameters,
            .ok(EnvironmentAnswer.self))
    }

    private static let spanParameters = [
        Parameter("from", .time.about("With `to`: the last day when left out")), Parameter("to", .time),
    ]
}
