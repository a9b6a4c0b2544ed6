import CardeaModel

extension Route {
    public static var showPrivacy: Route {
        Route(
            .get, "/api/v1/privacy", .privacy, "Get what the house stores about the caller, with purpose and retention",
            .ok(PrivacyAnswer.self))
    }

    public static var showRetention: Route {
        Route(
            .get, "/api/v1/retention", .privacy, "Get retention periods and the time of the last deletion",
            .ok(RetentionAnswer.self))
    }

    public static var changeRetention: Route {
        Route(
            .put, "/api/v1/retention", .privacy, "Change retention periods; omitted ones stay. Owners only",
            body: .json(RetentionBody.self), .ok(RetentionAnswer.self), traits: [.stepUp])
    }

    public static var showBackups: Route {
        Route(
            .get, "/api/v1/backups", .privacy, "Get the backup settings, the last backup and the last result",
            .ok(BackupsAnswer.self))
    }

    public static var exportPerson: Route {
        Route(
            .post, "/api/v1/people/{id}/export", .privacy,
            "Export a person's data: the caller's own; owners may export anyone's. At most twice a day",
            .accepted(JobAnswer.self, "Accepted; poll the job"), fails: [.rateLimited], traits: [.stepUp])
    }

    public static var exportGuest: Route {
        Route(
            .post, "/api/v1/guests/{id}/export", .privacy,
            "Export a guest's data: guests invited by the caller; owners may export any guest's. At most twice a day per guest",
            .accepted(JobAnswer.self, "Accepted; poll the job"), fails: [.guestNotFound, .conflict, .rateLimited], traits: [.stepUp])
    }

    public static var erasePerson: Route {
        Route(
            .post, "/api/v1/people/{id}/erase", .privacy,
            "Erase a person permanently: the caller; owners may erase anyone. It cannot be undone",
            .accepted(JobAnswer.self, "Accepted; poll the job"), fails: [ErrorCode(409, "last_owner")], traits: [.stepUp])
    }

    public static var eraseGuest: Route {
        Route(
            .post, "/api/v1/guests/{id}/erase", .privacy,
            "Erase a guest permanently: guests invited by the caller; owners may erase any guest. It cannot be undone",
            .accepted(JobAnswer.self, "Accepted; poll the job"), fails: [.guestNotFound], traits: [.stepUp])
    }

    public static var listJobs: Route {
        Route(.get, "/api/v1/jobs", .privacy, "List the caller's jobs, newest first; owners see all jobs", .ok(JobsAnswer.self))
    }

    public static var showJob: Route {
        Route(.get, "/api/v1/jobs/{id}", .privacy, "Get the progress of a job", .ok(JobAnswer.self))
    }

    public static var stopJob: Route {
        Route(
            .delete, "/api/v1/jobs/{id}", .privacy,
            "Cancel a waiting or running export: the caller's own; owners may cancel any. An erasure cannot be cancelled",
            .ok(JobAnswer.self, "The job as it ended"), fails: [.notFound, .conflict])
    }

    public static var keepReplica: Route {
        Route(
            .post, "/api/v1/erasures", .privacy,
            "Declare that the client keeps a copy of the house, and confirm erasures; returns the erased ids",
            body: .json(ReplicaBody.self),
            .ok(ErasedAnswer.self))
    }

    public static var fetchArchive: Route {
        Route(
            .get, "/api/v1/jobs/{id}/archive", .privacy, "Download an export; for the person who requested it, for 24 hours",
            Answer(status: 200, about: "A ZIP archive", mediaType: "application/zip", schema: .text()), traits: [.stepUp])
    }
}
