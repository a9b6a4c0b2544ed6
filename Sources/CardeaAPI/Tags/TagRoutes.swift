extension Route {
    public static var listButtons: Route {
        Route(.get, "/api/v1/buttons", .tags, "The buttons of the house", .ok(ButtonsAnswer.self))
    }

    public static var addButton: Route {
        Route(
            .post, "/api/v1/buttons", .tags, "A new button", body: .json(ButtonBody.self), .created(ButtonAnswer.self),
            fails: actionErrors + [.buttonNotFound, .conflict], traits: [.stepUp])
    }

    public static var showButton: Route {
        Route(.get, "/api/v1/buttons/{id}", .tags, "One button", .ok(ButtonAnswer.self), fails: [.buttonNotFound], traits: [.entityTag])
    }

    public static var replaceButton: Route {
        Route(
            .put, "/api/v1/buttons/{id}", .tags, "Make a button another; what was written for it is to be renewed",
            body: .json(ButtonBody.self), .ok(ButtonAnswer.self), fails: actionErrors + [.buttonNotFound], traits: [.stepUp, .ifMatch])
    }

    public static var removeButton: Route {
        Route(
            .delete, "/api/v1/buttons/{id}", .tags, "Take a button out, and its tags with it", .noContent, fails: [.buttonNotFound],
            traits: [.ifMatch])
    }

    public static var pressButton: Route {
        Route(
            .post, "/api/v1/buttons/{id}/press", .tags, "Do what the button does, by your own right",
            .ok(CommandAnswer.self, "Done"), .accepted(CommandAnswer.self, "Under way"),
            fails: ErrorCode.commandErrors + [.buttonNotFound], traits: [.respondsAsync])
    }

    public static var regenerateButton: Route {
        Route(
            .post, "/api/v1/buttons/{id}/regenerate", .tags, "Make every live link of the button worthless", .noContent,
            fails: [.buttonNotFound])
    }

    public static var makeSigningKey: Route {
        Route(
            .post, "/api/v1/buttons/{id}/signing-key", .tags, "A new key for the envelopes of what the button publishes",
            .created(SigningKeyAnswer.self), fails: [.buttonNotFound, .conflict], traits: [.stepUp])
    }

    public static var listTags: Route {
        Route(.get, "/api/v1/tags", .tags, "The tags of the house", .ok(TagsAnswer.self))
    }

    public static var addTag: Route {
        Route(
            .post, "/api/v1/tags", .tags, "A tag for a button, or a link that presses it once", body: .json(AddTagBody.self),
            .created(NewTagAnswer.self), fails: [.buttonNotFound, .tagNotFound, .conflict, .rateLimited])
    }

    public static var showTag: Route {
        Route(.get, "/api/v1/tags/{id}", .tags, "One tag", .ok(TagAnswer.self), fails: [.tagNotFound])
    }

    public static var renewTag: Route {
        Route(
            .put, "/api/v1/tags/{id}", .tags, "Say that the tag still presses its button, as that is now, or label it",
            body: .json(RenewTagBody.self), .ok(TagAnswer.self), fails: [.tagNotFound, .conflict])
    }

    public static var promoteTag: Route {
        Route(
            .post, "/api/v1/tags/{id}/promote", .tags, "Say what was read back from a tag that was written: from now on it counts",
            body: .json(PromoteTagBody.self), .ok(TagAnswer.self), fails: [.tagNotFound, .conflict, ErrorCode(400, "not_read_back")])
    }

    public static var removeTag: Route {
        Route(.delete, "/api/v1/tags/{id}", .tags, "The tag does nothing any more", .noContent, fails: [.tagNotFound])
    }

    public static var showTagPolicy: Route {
        Route(.get, "/api/v1/tags/policy", .tags, "What the house leaves to tags", .ok(TagPolicyBody.self), traits: [.entityTag])
    }

    public static var changeTagPolicy: Route {
        Route(
            .put, "/api/v1/tags/policy", .tags, "What the house leaves to tags from now on", body: .json(TagPolicyBody.self),
            .ok(TagPolicyBody.self), traits: [.stepUp, .ifMatch])
    }

    public static var lookAtTag: Route {
        Route(
            .post, "/api/v1/tags/look", .tags, "What a tap would do; nothing is done, and nothing used up", body: .json(LookAtTagBody.self),
            .ok(LookedAtTagAnswer.self))
    }

    public static var drawTagLink: Route {
        Route(
            .post, "/api/v1/tags/qr.svg", .tags, "A link as a picture, for the phone that writes it", body: .json(DrawTagLinkBody.self),
            .text("image/svg+xml", "A QR code"))
    }

    public static var tapTag: Route {
        Route(
            .post, "/api/v1/tags/tap", .tags, "What a phone has read of a tag; whether it was heard, and what became of it",
            body: .json(TapBody.self), .ok(TapAnswer.self), traits: [.respondsAsync])
    }

    /// Errors of a button's action. They are errors of the request's body, whatever the cause.
    private static let actionErrors: [ErrorCode] = [
        ErrorCode(400, "invalid_publication"), .unsupportedAction, ErrorCode(400, "device_not_found"), ErrorCode(400, "entity_required"),
        ErrorCode(400, "read_only_entity"),
    ]
}
