extension Route {
    public static var health: Route {
        Route(.get, "/healthz", .operations, "Liveness: the process serves requests", .text("text/plain", "Serving"))
    }

    public static var ready: Route {
        Route(.get, "/readyz", .operations, "Readiness: the database can be read", .text("text/plain", "Ready"))
    }

    public static var metrics: Route {
        Route(.get, "/metrics", .operations, "Metrics in the Prometheus text format", .text("text/plain", "Counters"))
    }

    public static var openAPI: Route {
        Route(.get, "/openapi.json", .operations, "This document", .document("OpenAPI 3.1"), traits: [.entityTag])
    }

    public static var asyncAPI: Route {
        Route(
            .get, "/asyncapi.json", .operations, "Realtime events and MQTT messages (AsyncAPI)", .document("AsyncAPI 3.0"),
            traits: [.entityTag]
        )
    }
}
