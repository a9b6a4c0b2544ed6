extension Route {
    public static var listPeople: Route {
        Route(.get, "/api/v1/people", .people, "Who lives here", .ok(PeopleAnswer.self))
    }

    public static var invitePerson: Route {
        Route(
            .post, "/api/v1/people", .people, "Invite somebody to live here", body: .json(InvitePersonBody.self),
            .created(PersonInvitationAnswer.self), traits: [.stepUp])
    }

    public static var acceptInvitation: Route {
        Route(
            .post, "/api/v1/people/accept", .people, "Join the house by an invitation's token", body: .json(AcceptInvitationBody.self),
            .tokens(201), fails: [.unauthorized, .conflict, .clockBehind], traits: [.dpopProof])
    }

    public static var showMyself: Route {
        Route(.get, "/api/v1/people/me", .people, "Who you are here", .ok(PersonAnswer.self))
    }

    public static var changePassword: Route {
        Route(
            .put, "/api/v1/people/me/password", .people, "A new password; your other sessions end", body: .json(ChangePasswordBody.self),
            .noContent, fails: [.invalidCredentials, .rateLimited], traits: [.stepUp])
    }

    public static var showPreferences: Route {
        Route(
            .get, "/api/v1/people/me/preferences", .people, "How you want to see the house", .ok(PreferencesAnswer.self),
            traits: [.entityTag])
    }

    public static var changePreferences: Route {
        Route(
            .put, "/api/v1/people/me/preferences", .people, "How you want to see the house; what is left out is as before anybody chose",
            body: .json(PreferencesBody.self), .ok(PreferencesAnswer.self), traits: [.ifMatch])
    }

    public static var showPresenceSource: Route {
        Route(
            .get, "/api/v1/people/me/presence/source", .people, "Which entity tells whether you are home, and which could",
            .ok(PresenceSourceAnswer.self))
    }

    public static var linkPresenceSource: Route {
        Route(
            .put, "/api/v1/people/me/presence/source", .people, "Have an entity tell whether you are home, in place of the one before",
            body: .json(PresenceSourceBody.self), .ok(PresenceSourceAnswer.self), fails: [.conflict])
    }

    public static var unlinkPresenceSource: Route {
        Route(
            .delete, "/api/v1/people/me/presence/source", .people, "No entity tells any more whether you are home", .noContent)
    }

    public static var changePerson: Route {
        Route(
            .patch, "/api/v1/people/{id}", .people, "Change what somebody is here", body: .json(ChangePersonBody.self),
            .ok(PersonAnswer.self), fails: [ErrorCode(409, "last_owner")], traits: [.stepUp, .ifMatch])
    }

    public static var removePerson: Route {
        Route(
            .delete, "/api/v1/people/{id}", .people, "Somebody lives here no longer; their sessions end at once", .noContent,
            fails: [ErrorCode(409, "last_owner")], traits: [.stepUp])
    }

    public static var invitePersonAgain: Route {
        Route(
            .post, "/api/v1/people/{id}/invite", .people, "A new link for somebody who has not joined",
            .created(PersonInvitationAnswer.self),
            fails: [.conflict], traits: [.stepUp])
    }
}
