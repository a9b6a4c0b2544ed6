extension Route {
    public static var showHistory: Route {
        Route(
            .get, "/api/v1/devices/{id}/history", .devices, "Get a sensor's readings over time, at most 2000 points",
            query: [Parameter("entity_id", .entityID), Parameter("resolution", .enumeration(["raw", "hour"]))] + spanParameters,
            .ok(HistoryAnswer.self),
            fails: [.deviceNotFound, ErrorCode(400, "entity_required")])
    }

    public static var showEnergy: Route {
        Route(.get, "/api/v1/energy", .devices, "Get energy and water use, with costs", query: spanParameters, .ok(EnergyAnswer.self))
    }

    public static var showEnvironment: Route {
        Route(
            .get, "/api/v1/environment", .devices, "Get the climate of the rooms", query: [Parameter("room_id", .text())] + spanParameters,
            .ok(EnvironmentAnswer.self))
    }

    private static let spanParameters = [
        Parameter("from", .time.about("Used with `to`; default: the last day")), Parameter("to", .time),
    ]
}
