import CardeaModel

extension Route {
    public static var listActivity: Route {
        Route(
            .get, "/api/v1/activity", .access, "What was tried, newest first; a member sees their own",
            query: [
                Parameter("limit", .integer(from: 1).about("At most 500 are answered; 50 when left out")),
                Parameter("before", .integer(from: 1)), Parameter("guest_id", .id), Parameter("device_id", .deviceID),
                Parameter("result", .text(example: "refused")),
            ], .ok(ActivityAnswer.self))
    }

    public static var listAccessChanges: Route {
        Route(
            .get, "/api/v1/people/{id}/access-changes", .access,
            "What somebody set up in the last 30 days that can open or listen; `me` is you", .ok(AccessChangesAnswer.self))
    }

    public static var turnAccess: Route {
        Route(
            .put, "/api/v1/access-changes/{thing}/{id}", .access, "Switch such a thing off, or on again where it is kept",
            body: .json(TurnAccessBody.self),
            .noContent, fails: [.guestNotFound, .sceneNotFound, .conflict, ErrorCode(409, "last_owner")], traits: [.stepUp])
    }

    public static var explain: Route {
        Route(
            .post, "/api/v1/explain", .access, "Why somebody may do something, or may not", body: .json(ExplainBody.self),
            .ok(ExplainAnswer.self), fails: [.unsupportedAction, .deviceNotFound])
    }

    public static var explainByAddress: Route {
        Route(
            .get, "/api/v1/access/explain", .access, "The same question in an address",
            query: [
                Parameter("guest_id", .id), Parameter("person_id", .id), Parameter("device_id", .deviceID),
                Parameter("entity_id", .entityID),
                Parameter("action", .text(example: "unlock")), Parameter("at", .time), Parameter("remote", .boolean),
            ], .ok(ExplainAnswer.self), fails: [.unsupportedAction, .deviceNotFound])
    }
}
