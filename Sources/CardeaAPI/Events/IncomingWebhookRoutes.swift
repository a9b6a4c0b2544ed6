extension Route {
    public static var listWebhooks: Route {
        Route(.get, "/api/v1/webhooks", .events, "List the webhook URLs of doorbells and cameras", .ok(WebhooksAnswer.self))
    }

    public static var makeWebhook: Route {
        Route(
            .post, "/api/v1/webhooks", .events, "Create a webhook URL for a doorbell or camera; it is shown once",
            body: .json(MakeWebhookBody.self),
            .created(WebhookAnswer.self), fails: [.conflict], traits: [.stepUp])
    }

    public static var revokeWebhook: Route {
        Route(.delete, "/api/v1/webhooks/{id}", .events, "Revoke a webhook", .noContent, fails: [.notFound])
    }
}
