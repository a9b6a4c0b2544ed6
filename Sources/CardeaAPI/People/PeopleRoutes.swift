extension Route {
    public static var listPeople: Route {
        Route(.get, "/api/v1/people", .people, "List people", .ok(PeopleAnswer.self))
    }

    public static var invitePerson: Route {
        Route(
            .post, "/api/v1/people", .people, "Invite a person", body: .json(InvitePersonBody.self),
            .created(PersonInvitationAnswer.self), traits: [.stepUp])
    }

    public static var acceptInvitation: Route {
        Route(
            .post, "/api/v1/people/accept", .people, "Accept an invitation", body: .json(AcceptInvitationBody.self),
            .tokens(201), fails: [.unauthorized, .conflict, .clockBehind], traits: [.dpopProof])
    }

    public static var showMyself: Route {
        Route(.get, "/api/v1/people/me", .people, "Get the caller", .ok(PersonAnswer.self))
    }

    public static var changePassword: Route {
        Route(
            .put, "/api/v1/people/me/password", .people, "Change the caller's password; other sessions end",
            body: .json(ChangePasswordBody.self),
            .noContent, fails: [.invalidCredentials, .rateLimited], traits: [.stepUp])
    }

    public static var showPreferences: Route {
        Route(
            .get, "/api/v1/people/me/preferences", .people, "Get the caller's display preferences", .ok(PreferencesAnswer.self),
            traits: [.entityTag])
    }

    public static var changePreferences: Route {
        Route(
            .put, "/api/v1/people/me/preferences", .people,
            "Replace the caller's display preferences; omitted fields return to their defaults",
            body: .json(PreferencesBody.self), .ok(PreferencesAnswer.self), traits: [.ifMatch])
    }

    public static var showPresenceSource: Route {
        Route(
            .get, "/api/v1/people/me/presence/source", .people, "Get the caller's presence source, and the candidates",
            .ok(PresenceSourceAnswer.self))
    }

    public static var linkPresenceSource: Route {
        Route(
            .put, "/api/v1/people/me/presence/source", .people, "Set the entity that reports the caller's presence",
            body: .json(PresenceSourceBody.self), .ok(PresenceSourceAnswer.self), fails: [.conflict])
    }

    public static var unlinkPresenceSource: Route {
        Route(
            .delete, "/api/v1/people/me/presence/source", .people, "Remove the caller's presence source", .noContent)
    }

    public static var changePerson: Route {
        Route(
            .patch, "/api/v1/people/{id}", .people, "Change a person's name, role or rights", body: .json(ChangePersonBody.self),
            .ok(PersonAnswer.self), fails: [ErrorCode(409, "last_owner")], traits: [.stepUp, .ifMatch])
    }

    public static var removePerson: Route {
        Route(
            .delete, "/api/v1/people/{id}", .people, "Remove a person; their sessions end at once", .noContent,
            fails: [ErrorCode(409, "last_owner")], traits: [.stepUp])
    }

    public static var invitePersonAgain: Route {
        Route(
            .post, "/api/v1/people/{id}/invite", .people, "Create a new invitation link for a person who has not joined",
            .created(PersonInvitationAnswer.self),
            fails: [.conflict], traits: [.stepUp])
    }
}
