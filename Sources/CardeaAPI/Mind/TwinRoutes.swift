import CardeaModel

extension Route {
    public static var listTwins: Route {
        Route(
            .get, "/api/v1/twins", .mind, "The twins of the devices: what each last said, and what was asked of it",
            query: [
                Parameter("device_id", .deviceID), Parameter("sync_status", .enumeration(Schema.syncStatuses)),
                Parameter("fidelity_level", .enumeration(Schema.fidelityLevels)),
            ], .ok(TwinsAnswer.self))
    }

    public static var makeTwin: Route {
        Route(
            .post, "/api/v1/twins", .mind, "A twin of another fidelity than a device's own, or one of a device that is only planned",
            body: .json(TwinBody.self), .created(TwinMadeAnswer.self), fails: [.conflict])
    }

    public static var showTwin: Route {
        Route(.get, "/api/v1/twins/{id}", .mind, "One twin with all it carries", .ok(TwinDetailAnswer.self), fails: [.twinNotFound])
    }

    public static var removeTwin: Route {
        Route(
            .delete, "/api/v1/twins/{id}", .mind, "Take back what was made of a twin; a device's own stays", .noContent,
            fails: [.twinNotFound, .conflict])
    }
}

extension ErrorCode {
    public static let twinNotFound = ErrorCode(404, "twin_not_found")
}
