extension Route {
    public static var listNotices: Route {
        Route(
            .get, "/api/v1/notices", .notices, "What you were told, newest first; kept for 30 days",
            query: [
                Parameter("limit", .integer(1...100)), Parameter("before", .text(1...64).about("The last notice of the page before")),
            ], .ok(NoticesAnswer.self))
    }

    public static var acknowledgeNotice: Route {
        Route(
            .post, "/api/v1/notices/{id}/acknowledge", .notices, "Say that you have seen it: nobody else is told in your place",
            .ok(NoticeAnswer.self), fails: [.notFound])
    }

    public static var acknowledgeNotices: Route {
        Route(
            .post, "/api/v1/notices/acknowledge", .notices, "Say that you have seen all that you were told",
            .ok(AcknowledgedNoticesAnswer.self))
    }

    public static var showNotifications: Route {
        Route(
            .get, "/api/v1/people/{id}/notifications", .notices, "What somebody wants to be told, and when not; `me` is you",
            .ok(NotificationsAnswer.self), fails: [.notFound], traits: [.entityTag])
    }

    public static var changeNotifications: Route {
        Route(
            .put, "/api/v1/people/{id}/notifications", .notices,
            "What somebody wants to be told, and when not; what is left out is as before anybody chose",
            body: .json(NotificationsBody.self), .ok(NotificationsAnswer.self), fails: [.notFound], traits: [.ifMatch])
    }

    public static var showPush: Route {
        Route(.get, "/api/v1/push", .notices, "Where you are told while you look elsewhere, and the house's key", .ok(PushAnswer.self))
    }

    public static var registerBrowser: Route {
        Route(
            .post, "/api/v1/push/web", .notices, "Be told in this browser (Push API); it ends with the session",
            body: .json(RegisterBrowserBody.self), .created(PushSubscriptionAnswer.self),
            .ok(PushSubscriptionAnswer.self, "It was known already"), fails: [.conflict])
    }

    public static var removePush: Route {
        Route(.delete, "/api/v1/push/{id}", .notices, "Be told there no more", .noContent, fails: [.notFound])
    }

    public static var registerPhonePush: Route {
        Route(
            .post, "/api/v1/mobile/push/register", .notices, "Be told on this phone, by Apple's push service",
            body: .json(RegisterPhonePushBody.self), .created(RegisteredPushAnswer.self),
            .ok(RegisteredPushAnswer.self, "It was known already"), fails: [.conflict])
    }

    public static var unregisterPhonePush: Route {
        Route(
            .delete, "/api/v1/mobile/push/unregister", .notices, "Be told on this phone no more", .noContent, fails: [.notFound])
    }
}
