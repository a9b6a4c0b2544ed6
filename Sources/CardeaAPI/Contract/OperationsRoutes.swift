extension Route {
    public static var health: Route {
        Route(.get, "/healthz", .operations, "Whether the process serves", .text("text/plain", "It does"))
    }

    public static var ready: Route {
        Route(.get, "/readyz", .operations, "Whether the house can be asked", .text("text/plain", "It can"))
    }

    public static var metrics: Route {
        Route(.get, "/metrics", .operations, "Counters in Prometheus' text form", .text("text/plain", "Counters"))
    }

    public static var openAPI: Route {
        Route(.get, "/openapi.json", .operations, "This document", .document("OpenAPI 3.1"), traits: [.entityTag])
    }

    public static var asyncAPI: Route {
        Route(
            .get, "/asyncapi.json", .operations, "What is told as it happens, and what is said over MQTT", .document("AsyncAPI 3.0"),
            traits: [.entityTag]
        )
    }
}
