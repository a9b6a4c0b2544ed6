extension Route {
    public static var startInterview: Route {
        Route(
            .post, "/api/v1/interview/start", .mind, "Begin to take devices in, or go on where one was",
            body: .optionalJSON(StartInterviewBody.self),
            .created(InterviewStartedAnswer.self), .ok(InterviewStartedAnswer.self, "Gone on with"), fails: [.conflict])
    }

    public static var listInterviews: Route {
        Route(.get, "/api/v1/interview", .mind, "One's own conversations about devices, the latest first", .ok(InterviewsAnswer.self))
    }

    public static var sayInInterview: Route {
        Route(
            .post, "/api/v1/interview/{id}/message", .mind, "Say what there is, or answer what was asked",
            body: .json(InterviewMessageBody.self), .ok(InterviewReplyAnswer.self), fails: [.notFound, .conflict], traits: [.ifMatch])
    }

    public static var showInterview: Route {
        Route(
            .get, "/api/v1/interview/{id}/status", .mind, "How far it is, what was spoken of, and what was noted",
            .ok(InterviewStatusAnswer.self), fails: [.notFound], traits: [.entityTag])
    }

    public static var showConversation: Route {
        Route(
            .get, "/api/v1/interview/{id}/conversation", .mind, "What was said", .ok(InterviewConversationAnswer.self), fails: [.notFound],
            traits: [.entityTag])
    }

    public static var confirmCandidates: Route {
        Route(
            .post, "/api/v1/interview/{id}/confirm", .mind, "Take candidates in, and leave others out",
            body: .optionalJSON(ConfirmCandidatesBody.self), .ok(InterviewReplyAnswer.self), fails: [.notFound, .conflict],
            traits: [.ifMatch])
    }

    public static var pauseInterview: Route {
        Route(
            .post, "/api/v1/interview/{id}/pause", .mind, "Go on with it later", .ok(InterviewStatusAnswer.self),
            fails: [.notFound, .conflict], traits: [.ifMatch])
    }

    public static var resumeInterview: Route {
        Route(
            .post, "/api/v1/interview/{id}/resume", .mind, "Go on with it", .ok(InterviewReplyAnswer.self), fails: [.notFound, .conflict],
            traits: [.ifMatch])
    }

    public static var cancelInterview: Route {
        Route(
            .delete, "/api/v1/interview/{id}", .mind, "End it; what was confirmed stays", .noContent, fails: [.notFound, .conflict],
            traits: [.ifMatch])
    }
}
