extension Route {
    public static var listScenes: Route {
        Route(.get, "/api/v1/scenes", .devices, "List scenes", .ok(ScenesAnswer.self))
    }

    public static var addScene: Route {
        Route(
            .post, "/api/v1/scenes", .devices, "Create a scene", body: .json(SceneBody.self), .created(SceneAnswer.self),
            fails: actionErrors + [.conflict], traits: [.stepUp])
    }

    public static var showScene: Route {
        Route(.get, "/api/v1/scenes/{id}", .devices, "One scene", .ok(SceneAnswer.self), fails: [.sceneNotFound], traits: [.entityTag])
    }

    public static var replaceScene: Route {
        Route(
            .put, "/api/v1/scenes/{id}", .devices, "Replace a scene", body: .json(SceneBody.self), .ok(SceneAnswer.self),
            fails: actionErrors + [.sceneNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeScene: Route {
        Route(.delete, "/api/v1/scenes/{id}", .devices, "Delete a scene", .noContent, fails: [.sceneNotFound], traits: [.ifMatch])
    }

    public static var runScene: Route {
        Route(
            .post, "/api/v1/scenes/{id}/run", .devices, "Run a scene; each action is authorised by the caller's rights",
            .ok(BatchAnswer.self, "The outcome of each command"), .accepted(BatchAnswer.self, "Under way"), fails: [.sceneNotFound],
            traits: [.respondsAsync])
    }

    /// An action that cannot be is the body's fault, whatever is wrong with it.
    private static let actionErrors: [ErrorCode] = [
        .unsupportedAction, ErrorCode(400, "device_not_found"), ErrorCode(400, "entity_required"), ErrorCode(400, "read_only_entity"),
    ]
}
