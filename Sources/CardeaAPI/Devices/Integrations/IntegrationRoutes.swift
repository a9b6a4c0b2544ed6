extension Route {
    public static var listIntegrations: Route {
        Route(.get, "/api/v1/integrations", .devices, "List integrations", .ok(IntegrationsAnswer.self))
    }

    public static var listNearby: Route {
        Route(
            .get, "/api/v1/integrations/nearby", .devices, "List devices found on the local network, and how to add them",
            .ok(NearbyAnswer.self))
    }

    public static var showMQTT: Route {
        Route(
            .get, "/api/v1/integrations/mqtt", .devices, "List announced MQTT devices, with the members that were not understood",
            .ok(MQTTIntegrationAnswer.self), fails: [.notFound])
    }

    public static var showAnnouncement: Route {
        Route(
            .get, "/api/v1/integrations/mqtt/announcement", .devices, "Get one announcement as received, with secrets masked",
            query: [Parameter("topic", .text(1...1024, example: "homeassistant/lock/front_door/config"))], .ok(AnnouncementAnswer.self),
            fails: [.notFound])
    }

    public static var checkAnnouncement: Route {
        Route(
            .post, "/api/v1/integrations/mqtt/check-announcement", .devices, "Preview the devices that an announcement would create",
            body: .json(CheckAnnouncementBody.self), .ok(AnnouncementCheckAnswer.self), fails: [.notFound], bodyLimit: 4 * 1024 * 1024)
    }

    public static var connectMQTT: Route { connect("mqtt", MQTTSettingsBody.self, "Connect an MQTT broker") }

    public static var disconnectMQTT: Route { disconnect("mqtt") }

    public static var testMQTT: Route { test("mqtt") }

    public static var connectEndpoint: Route {
        connect("endpoint", EndpointSettingsBody.self, "Connect a separate broker for buttons")
    }

    public static var disconnectEndpoint: Route { disconnect("endpoint") }

    public static var testEndpoint: Route { test("endpoint") }

    public static var connectHomeAssistant: Route {
        connect("home-assistant", HomeAssistantSettingsBody.self, "Connect Home Assistant")
    }

    public static var disconnectHomeAssistant: Route { disconnect("home-assistant") }

    public static var testHomeAssistant: Route { test("home-assistant") }

    public static var breakVirtualDevice: Route {
        Route(
            .post, "/api/v1/integrations/virtual/faults", .devices, "Make a virtual device fail", body: .json(VirtualFaultBody.self),
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
            .delete, "/api/v1/integrations/\(integration)", .devices, "Delete an integration with its devices", .noContent,
            fails: [.notFound], id: id)
    }

    private static func test(_ integration: String, id: String = #function) -> Route {
        Route(
            .post, "/api/v1/integrations/\(integration)/test", .devices, "Test the connection with its settings",
            .ok(IntegrationAnswer.self, "The state; `connecting` while it is being tested"), fails: [.notFound], id: id)
    }
}
