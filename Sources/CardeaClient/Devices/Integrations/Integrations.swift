import CardeaAPI
import Foundation

/// The integrations that connect the house to its devices, and their status.
public struct Integrations: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> IntegrationsAnswer {
        try await caller.read(.get("api", "v1", "integrations"))
    }

    /// Devices and services discovered on the network near the house, and how to connect them. Discovery data is not authenticated: any
    /// host on that network can send it.
    public func nearby() async throws(ClientError) -> NearbyAnswer {
        try await caller.read(.get("api", "v1", "integrations", "nearby"))
    }

    /// The MQTT broker: which devices announced themselves, and the parts that were not understood.
    public func mqtt() async throws(ClientError) -> MQTTIntegrationAnswer {
        try await caller.read(.get("api", "v1", "integrations", "mqtt"))
    }

    /// One announcement as it came, its secrets masked.
    public func announcement(at topic: String) async throws(ClientError) -> AnnouncementAnswer {
        try await caller.read(.get("api", "v1", "integrations", "mqtt", "announcement", query: [("topic", topic)]))
    }

    /// Checks an announcement: the entities it would give, and the parts that would be left out. Nothing is kept.
    ///
    /// - Parameter topic: where it would be announced; it may be omitted if the announcement is of a whole device.
    public func check(announcement: String, at topic: String? = nil) async throws(ClientError) -> AnnouncementCheckAnswer {
        let body = CheckAnnouncementBody(announcement: announcement, topic: topic)
        return try await caller.read(
            .write(.post, ["api", "v1", "integrations", "mqtt", "check-announcement"], body, key: caller.newIdempotencyKey))
    }

    public func setMQTT(_ settings: MQTTSettingsBody) async throws(ClientError) -> IntegrationAnswer {
        try await caller.read(.write(.put, ["api", "v1", "integrations", "mqtt"], settings, key: caller.newIdempotencyKey))
    }

    /// A broker for buttons only.
    public func setEndpoint(_ settings: EndpointSettingsBody) async throws(ClientError) -> IntegrationAnswer {
        try await caller.read(.write(.put, ["api", "v1", "integrations", "endpoint"], settings, key: caller.newIdempotencyKey))
    }

    public func setHomeAssistant(_ settings: HomeAssistantSettingsBody) async throws(ClientError) -> IntegrationAnswer {
        try await caller.read(.write(.put, ["api", "v1", "integrations", "home-assistant"], settings, key: caller.newIdempotencyKey))
    }

    public func removeEndpoint() async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "integrations", "endpoint"], key: caller.newIdempotencyKey))
    }

    public func removeMQTT() async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "integrations", "mqtt"], key: caller.newIdempotencyKey))
    }
}
