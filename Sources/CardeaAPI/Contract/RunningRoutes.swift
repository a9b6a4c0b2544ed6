extension Route {
    public static var health: Route {
        Route(.get, "/healthz", .running, "Whether the process serves", .text("text/plain", "It does"))
    }

    public static var ready: Route {
        Route(.get, "/readyz", .running, "Whether the house can be asked", .text("text/plain", "It can"))
    }

    public static var metrics: Route {
        Route(.get, "/metrics", .running, "Counters in Prometheus' text form", .text("text/plain", "Counters"))
    }

    public static var openAPI: Route {
        Route(.get, "/openapi.json", .running, "This document", .document("OpenAPI 3.1"), traits: [.tagged])
    }

    public static var asyncAPI: Route {
        Route(
            .get, "/asyncapi.json", .running, "What is told as it happens, and what is said over MQTT", .document("AsyncAPI 3.0"),
            traits: [.tagged]
        )
    }
}
