extension Route {
    public static var listNotices: Route {
        Route(
            .get, "/api/v1/notices", .notices, "List the caller's notifications, newest first; kept for 30 days",
            query: [
                Parameter("limit", .integer(1...100)), Parameter("before", .text(1...64).about("The last notification of the page before")),
            ], .ok(NoticesAnswer.self))
    }

    public static var acknowledgeNotice: Route {
        Route(
            .post, "/api/v1/notices/{id}/acknowledge", .notices, "Acknowledge a notification; it is not escalated to another person",
            .ok(NoticeAnswer.self), fails: [.notFound])
    }

    public static var acknowledgeNotices: Route {
        Route(
            .post, "/api/v1/notices/acknowledge", .notices, "Acknowledge all notifications",
            .ok(AcknowledgedNoticesAnswer.self))
    }

    public static var showNotifications: Route {
        Route(
            .get, "/api/v1/people/{id}/notifications", .notices, "Get a person's notification settings; `me` is the caller",
            .ok(NotificationsAnswer.self), fails: [.notFound], traits: [.entityTag])
    }

    public static var changeNotifications: Route {
        Route(
            .put, "/api/v1/people/{id}/notifications", .notices,
            "Replace a person's notification settings; omitted fields return to their defaults",
            body: .json(NotificationsBody.self), .ok(NotificationsAnswer.self), fails: [.notFound], traits: [.ifMatch])
    }

    public static var showPush: Route {
        Route(.get, "/api/v1/push", .notices, "List the caller's push subscriptions, with the hub's public key", .ok(PushAnswer.self))
    }

    public static var registerBrowser: Route {
        Route(
            .post, "/api/v1/push/web", .notices, "Subscribe this browser to push (Push API); ends with the session",
            body: .json(RegisterBrowserBody.self), .created(PushSubscriptionAnswer.self),
            .ok(PushSubscriptionAnswer.self, "It was registered already"), fails: [.conflict])
    }

    public static var removePush: Route {
        Route(.delete, "/api/v1/push/{id}", .notices, "Delete a push subscription", .noContent, fails: [.notFound])
    }

    public static var registerPhonePush: Route {
        Route(
            .post, "/api/v1/mobile/push/register", .notices, "Register this phone for push (APNs)",
            body: .json(RegisterPhonePushBody.self), .created(RegisteredPushAnswer.self),
            .ok(RegisteredPushAnswer.self, "It was registered already"), fails: [.conflict])
    }

    public static var unregisterPhonePush: Route {
        Route(
            .delete, "/api/v1/mobile/push/unregister", .notices, "Unregister this phone", .noContent, fails: [.notFound])
    }
}
