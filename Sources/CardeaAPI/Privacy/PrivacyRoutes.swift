import CardeaModel

extension Route {
    public static var showPrivacy: Route {
        Route(.get, "/api/v1/privacy", .privacy, "What the house keeps of you, why, and until when", .ok(PrivacyAnswer.self))
    }

    public static var showRetention: Route {
        Route(
            .get, "/api/v1/retention", .privacy, "For how long the house keeps what it keeps, and when it last forgot",
            .ok(RetentionAnswer.self))
    }

    public static var changeRetention: Route {
        Route(
            .put, "/api/v1/retention", .privacy, "Keep some of it for fewer days; what is left out stays. Owners only",
            body: .json(RetentionBody.self), .ok(RetentionAnswer.self), traits: [.stepUp])
    }

    public static var showBackups: Route {
        Route(
            .get, "/api/v1/backups", .privacy, "How the house backs itself up, when it last did, and what came of the last try",
            .ok(BackupsAnswer.self))
    }

    public static var exportPerson: Route {
        Route(
            .post, "/api/v1/people/{id}/export", .privacy,
            "Pack all that is kept of somebody: yourself, or as an owner anybody. Twice a day at most",
            .accepted(JobAnswer.self, "Under way: ask for the job"), fails: [.rateLimited], traits: [.stepUp])
    }

    public static var exportGuest: Route {
        Route(
            .post, "/api/v1/guests/{id}/export", .privacy,
            "Pack all that is kept of a guest, to be handed to them: one whom you let in, or as an owner anybody's. Twice a day at most of each",
            .accepted(JobAnswer.self, "Under way: ask for the job"), fails: [.guestNotFound, .conflict, .rateLimited], traits: [.stepUp])
    }

    public static var erasePerson: Route {
        Route(
            .post, "/api/v1/people/{id}/erase", .privacy,
            "Erase somebody for good: yourself, or as an owner anybody. It cannot be taken back",
            .accepted(JobAnswer.self, "Under way: ask for the job"), fails: [ErrorCode(409, "last_owner")], traits: [.stepUp])
    }

    public static var eraseGuest: Route {
        Route(
            .post, "/api/v1/guests/{id}/erase", .privacy,
            "Erase a guest for good: one whom you let in, or as an owner anybody's. It cannot be taken back",
            .accepted(JobAnswer.self, "Under way: ask for the job"), fails: [.guestNotFound], traits: [.stepUp])
    }

    public static var listJobs: Route {
        Route(.get, "/api/v1/jobs", .privacy, "Long work that you asked for, newest first; an owner sees everybody's", .ok(JobsAnswer.self))
    }

    public static var showJob: Route {
        Route(.get, "/api/v1/jobs/{id}", .privacy, "How far it is", .ok(JobAnswer.self))
    }

    public static var stopJob: Route {
        Route(
            .delete, "/api/v1/jobs/{id}", .privacy,
            "Stop an export that waits or is under way: one that you asked for, or as an owner anybody's. An erasure goes on to its end",
            .ok(JobAnswer.self, "As it ended"), fails: [.notFound, .conflict])
    }

    public static var keepReplica: Route {
        Route(
            .post, "/api/v1/erasures", .privacy,
            "Say that you keep a copy of the house, and of whom nothing is left in it; hear who was erased", body: .json(ReplicaBody.self),
            .ok(ErasedAnswer.self))
    }

    public static var fetchArchive: Route {
        Route(
            .get, "/api/v1/jobs/{id}/archive", .privacy, "What an export packed, for who asked for it, for 24 hours",
            Answer(status: 200, about: "A ZIP archive", mediaType: "application/zip", schema: .text()), traits: [.stepUp])
    }
}
