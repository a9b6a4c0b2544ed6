extension Route {
    public static var listWebhooks: Route {
        Route(.get, "/api/v1/webhooks", .events, "The URLs by which doorbells and cameras report events", .ok(WebhooksAnswer.self))
    }

    public static var makeWebhook: Route {
        Route(
            .post, "/api/v1/webhooks", .events, "A URL for a doorbell or camera, shown this once", body: .json(MakeWebhookBody.self),
            .created(WebhookAnswer.self), fails: [.conflict], traits: [.stepUp])
    }

    public static var revokeWebhook: Route {
        Route(.delete, "/api/v1/webhooks/{id}", .events, "Revoke a webhook", .noContent, fails: [.notFound])
    }
}
