import CardeaModel

extension Route {
    public static var listTwins: Route {
        Route(
            .get, "/api/v1/twins", .mind, "List device twins with reported and desired states",
            query: [
                Parameter("device_id", .deviceID), Parameter("sync_status", .enumeration(Schema.syncStatuses)),
                Parameter("fidelity_level", .enumeration(Schema.fidelityLevels)),
            ], .ok(TwinsAnswer.self))
    }

    public static var makeTwin: Route {
        Route(
            .post, "/api/v1/twins", .mind, "Create a twin of another fidelity, or of a planned device",
            body: .json(TwinBody.self), .created(CreatedTwinAnswer.self), fails: [.conflict])
    }

    public static var showTwin: Route {
        Route(.get, "/api/v1/twins/{id}", .mind, "Get a twin with all its data", .ok(TwinDetailAnswer.self), fails: [.twinNotFound])
    }

    public static var removeTwin: Route {
        Route(
            .delete, "/api/v1/twins/{id}", .mind, "Delete a created twin; a device's own twin stays", .noContent,
            fails: [.twinNotFound, .conflict])
    }
}

extension ErrorCode {
    public static let twinNotFound = ErrorCode(404, "twin_not_found")
}
