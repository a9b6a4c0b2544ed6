extension Route {
    public static var listIntegrations: Route {
        Route(.get, "/api/v1/integrations", .devices, "What the house is connected to", .ok(IntegrationsAnswer.self))
    }

    public static var listNearby: Route {
        Route(
            .get, "/api/v1/integrations/nearby", .devices, "What stands on the network nearby, and what can be done with it",
            .ok(NearbyAnswer.self))
    }

    public static var showMQTT: Route {
        Route(
            .get, "/api/v1/integrations/mqtt", .devices, "The MQTT broker: which devices announced themselves, and what was not understood",
            .ok(MQTTIntegrationAnswer.self), fails: [.notFound])
    }

    public static var showAnnouncement: Route {
        Route(
            .get, "/api/v1/integrations/mqtt/announcement", .devices, "One announcement as it came, its secrets masked",
            query: [Parameter("topic", .text(1...1024, example: "homeassistant/lock/front_door/config"))], .ok(AnnouncementAnswer.self),
            fails: [.notFound])
    }

    public static var checkAnnouncement: Route {
        Route(
            .post, "/api/v1/integrations/mqtt/check-announcement", .devices, "What the house would make of an announcement",
            body: .json(CheckAnnouncementBody.self), .ok(AnnouncementCheckAnswer.self), fails: [.notFound], bodyLimit: 4 * 1024 * 1024)
    }

    public static var connectMQTT: Route { connect("mqtt", MQTTSettingsBody.self, "Take devices from an MQTT broker") }

    public static var disconnectMQTT: Route { disconnect("mqtt") }

    public static var testMQTT: Route { test("mqtt") }

    public static var connectEndpoint: Route {
        connect("endpoint", EndpointSettingsBody.self, "Have buttons publish to a broker of their own")
    }

    public static var disconnectEndpoint: Route { disconnect("endpoint") }

    public static var testEndpoint: Route { test("endpoint") }

    public static var connectHomeAssistant: Route {
        connect("home-assistant", HomeAssistantSettingsBody.self, "Take devices from Home Assistant")
    }

    public static var disconnectHomeAssistant: Route { disconnect("home-assistant") }

    public static var testHomeAssistant: Route { test("home-assistant") }

    public static var breakVirtualDevice: Route {
        Route(
            .post, "/api/v1/integrations/virtual/faults", .devices, "Have a virtual device misbehave", body: .json(VirtualFaultBody.self),
            .noContent, fails: [.deviceNotFound])
    }

    private static func connect<Body: SchemaRepresentable>(_ integration: String, _: Body.Type, _ summary: String, id: String = #function)
        -> Route
    {
        Route(
            .put, "/api/v1/integrations/\(integration)", .devices, summary, body: .json(Body.self), .ok(IntegrationAnswer.self),
            fails: [.notFound], traits: [.stepUp], id: id)
    }

    private static func disconnect(_ integration: String, id: String = #function) -> Route {
        Route(
            .delete, "/api/v1/integrations/\(integration)", .devices, "Take the connection out, and its devices with it", .noContent,
            fails: [.notFound], id: id)
    }

    private static func test(_ integration: String, id: String = #function) -> Route {
        Route(
            .post, "/api/v1/integrations/\(integration)/test", .devices, "Try the connection as it is set up",
            .ok(IntegrationAnswer.self, "How it stands; connecting where it is being tried"), fails: [.notFound], id: id)
    }
}
