import CardeaModel

extension Route {
    public static var listActivity: Route {
        Route(
            .get, "/api/v1/activity", .access, "List attempts, newest first; members see their own",
            query: [
                Parameter("limit", .integer(from: 1).about("1 to 500; default 50")),
                Parameter("before", .integer(from: 1)), Parameter("guest_id", .id), Parameter("device_id", .deviceID),
                Parameter("result", .text(example: "refused")),
            ], .ok(ActivityAnswer.self))
    }

    public static var listAccessChanges: Route {
        Route(
            .get, "/api/v1/people/{id}/access-changes", .access,
            "List everything a person set up in the last 30 days that can open doors or read data; `me` is the caller",
            .ok(AccessChangesAnswer.self))
    }

    public static var turnAccess: Route {
        Route(
            .put, "/api/v1/access-changes/{thing}/{id}", .access, "Switch one of these off, or on again if it still exists",
            body: .json(TurnAccessBody.self),
            .noContent, fails: [.guestNotFound, .sceneNotFound, .conflict, ErrorCode(409, "last_owner")], traits: [.stepUp])
    }

    public static var explain: Route {
        Route(
            .post, "/api/v1/explain", .access, "Explain why a person may or may not perform an action", body: .json(ExplainBody.self),
            .ok(ExplainAnswer.self), fails: [.unsupportedAction, .deviceNotFound])
    }

    public static var explainByAddress: Route {
        Route(
            .get, "/api/v1/access/explain", .access, "The same as `POST /api/v1/explain`, with query parameters",
            query: [
                Parameter("guest_id", .id), Parameter("person_id", .id), Parameter("device_id", .deviceID),
                Parameter("entity_id", .entityID),
                Parameter("action", .text(example: "unlock")), Parameter("at", .time), Parameter("remote", .boolean),
            ], .ok(ExplainAnswer.self), fails: [.unsupportedAction, .deviceNotFound])
    }
}
