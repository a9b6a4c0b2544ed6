extension Route {
    public static var startInterview: Route {
        Route(
            .post, "/api/v1/interview/start", .mind, "Start or continue a device interview",
            body: .optionalJSON(StartInterviewBody.self),
            .created(InterviewStartedAnswer.self), .ok(InterviewStartedAnswer.self, "Continued"), fails: [.conflict])
    }

    public static var listInterviews: Route {
        Route(.get, "/api/v1/interview", .mind, "List the caller's interviews, newest first", .ok(InterviewsAnswer.self))
    }

    public static var sayInInterview: Route {
        Route(
            .post, "/api/v1/interview/{id}/message", .mind, "Send a message to an interview",
            body: .json(InterviewMessageBody.self), .ok(InterviewReplyAnswer.self), fails: [.notFound, .conflict], traits: [.ifMatch])
    }

    public static var showInterview: Route {
        Route(
            .get, "/api/v1/interview/{id}/status", .mind, "Get the progress, the messages and the candidates of an interview",
            .ok(InterviewStatusAnswer.self), fails: [.notFound], traits: [.entityTag])
    }

    public static var showConversation: Route {
        Route(
            .get, "/api/v1/interview/{id}/conversation", .mind, "The messages", .ok(InterviewConversationAnswer.self), fails: [.notFound],
            traits: [.entityTag])
    }

    public static var confirmCandidates: Route {
        Route(
            .post, "/api/v1/interview/{id}/confirm", .mind, "Confirm or reject candidates",
            body: .optionalJSON(ConfirmCandidatesBody.self), .ok(InterviewReplyAnswer.self), fails: [.notFound, .conflict],
            traits: [.ifMatch])
    }

    public static var pauseInterview: Route {
        Route(
            .post, "/api/v1/interview/{id}/pause", .mind, "Pause the interview", .ok(InterviewStatusAnswer.self),
            fails: [.notFound, .conflict], traits: [.ifMatch])
    }

    public static var resumeInterview: Route {
        Route(
            .post, "/api/v1/interview/{id}/resume", .mind, "Resume the interview", .ok(InterviewReplyAnswer.self),
            fails: [.notFound, .conflict],
            traits: [.ifMatch])
    }

    public static var cancelInterview: Route {
        Route(
            .delete, "/api/v1/interview/{id}", .mind, "End the interview; confirmed devices stay", .noContent,
            fails: [.notFound, .conflict],
            traits: [.ifMatch])
    }
}
