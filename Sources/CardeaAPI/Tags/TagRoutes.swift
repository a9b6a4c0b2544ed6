extension Route {
    public static var listButtons: Route {
        Route(.get, "/api/v1/buttons", .tags, "List buttons", .ok(ButtonsAnswer.self))
    }

    public static var addButton: Route {
        Route(
            .post, "/api/v1/buttons", .tags, "Create a button", body: .json(ButtonBody.self), .created(ButtonAnswer.self),
            fails: actionErrors + [.buttonNotFound, .conflict], traits: [.stepUp])
    }

    public static var showButton: Route {
        Route(.get, "/api/v1/buttons/{id}", .tags, "One button", .ok(ButtonAnswer.self), fails: [.buttonNotFound], traits: [.entityTag])
    }

    public static var replaceButton: Route {
        Route(
            .put, "/api/v1/buttons/{id}", .tags, "Replace a button; its tags must be written again",
            body: .json(ButtonBody.self), .ok(ButtonAnswer.self), fails: actionErrors + [.buttonNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeButton: Route {
        Route(
            .delete, "/api/v1/buttons/{id}", .tags, "Delete a button with its tags", .noContent, fails: [.buttonNotFound],
            traits: [.ifMatch])
    }

    public static var pressButton: Route {
        Route(
            .post, "/api/v1/buttons/{id}/press", .tags, "Press a button with the caller's rights",
            .ok(CommandAnswer.self, "Done"), .accepted(CommandAnswer.self, "Under way"),
            fails: ErrorCode.commandErrors + [.buttonNotFound], traits: [.respondsAsync])
    }

    public static var regenerateButton: Route {
        Route(
            .post, "/api/v1/buttons/{id}/regenerate", .tags, "Invalidate all live links of a button", .noContent,
            fails: [.buttonNotFound])
    }

    public static var makeSigningKey: Route {
        Route(
            .post, "/api/v1/buttons/{id}/signing-key", .tags, "Create a new signing key for the messages of a button",
            .created(SigningKeyAnswer.self), fails: [.buttonNotFound, .conflict], traits: [.stepUp])
    }

    public static var listTags: Route {
        Route(.get, "/api/v1/tags", .tags, "List tags", .ok(TagsAnswer.self))
    }

    public static var addTag: Route {
        Route(
            .post, "/api/v1/tags", .tags, "Create a tag for a button, or a one-time link", body: .json(AddTagBody.self),
            .created(NewTagAnswer.self), fails: [.buttonNotFound, .tagNotFound, .conflict, .rateLimited])
    }

    public static var showTag: Route {
        Route(.get, "/api/v1/tags/{id}", .tags, "One tag", .ok(TagAnswer.self), fails: [.tagNotFound])
    }

    public static var renewTag: Route {
        Route(
            .put, "/api/v1/tags/{id}", .tags, "Confirm a tag for the present version of its button, or label it",
            body: .json(RenewTagBody.self), .ok(TagAnswer.self), fails: [.tagNotFound, .conflict])
    }

    public static var promoteTag: Route {
        Route(
            .post, "/api/v1/tags/{id}/promote", .tags, "Confirm a written tag with the data read back from it; it becomes active",
            body: .json(PromoteTagBody.self), .ok(TagAnswer.self), fails: [.tagNotFound, .conflict, ErrorCode(400, "not_read_back")])
    }

    public static var removeTag: Route {
        Route(.delete, "/api/v1/tags/{id}", .tags, "Revoke a tag", .noContent, fails: [.tagNotFound])
    }

    public static var showTagPolicy: Route {
        Route(.get, "/api/v1/tags/policy", .tags, "Get the tag policy", .ok(TagPolicyBody.self), traits: [.entityTag])
    }

    public static var changeTagPolicy: Route {
        Route(
            .put, "/api/v1/tags/policy", .tags, "Change the tag policy", body: .json(TagPolicyBody.self),
            .ok(TagPolicyBody.self), traits: [.stepUp, .ifMatch])
    }

    public static var lookAtTag: Route {
        Route(
            .post, "/api/v1/tags/look", .tags, "Show what a tap would do; nothing is executed or consumed",
            body: .json(InspectTagBody.self),
            .ok(InspectedTagAnswer.self))
    }

    public static var drawTagLink: Route {
        Route(
            .post, "/api/v1/tags/qr.svg", .tags, "Get a tag link as a QR code, for the phone that writes the tag",
            body: .json(DrawTagLinkBody.self),
            .text("image/svg+xml", "A QR code"))
    }

    public static var tapTag: Route {
        Route(
            .post, "/api/v1/tags/tap", .tags, "Report a tap; returns whether it was accepted, and its outcome",
            body: .json(TapBody.self), .ok(TapAnswer.self), traits: [.respondsAsync])
    }

    /// Errors of a button's action. They are errors of the request's body, whatever the cause.
    private static let actionErrors: [ErrorCode] = [
        ErrorCode(400, "invalid_publication"), .unsupportedAction, ErrorCode(400, "device_not_found"), ErrorCode(400, "entity_required"),
        ErrorCode(400, "read_only_entity"),
    ]
}
