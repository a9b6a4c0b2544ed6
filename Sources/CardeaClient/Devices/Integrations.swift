import CardeaAPI
import Foundation

/// What connects the house to its things, and how each connection is.
public struct Integrations: Sendable {
    let caller: Caller

    public func list() async throws(ClientError) -> IntegrationsAnswer {
        try await caller.read(.get("api", "v1", "integrations"))
    }

    /// What stands on the network near the house, and what can be done with it. Anybody on that network can say anything.
    public func nearby() async throws(ClientError) -> NearbyAnswer {
        try await caller.read(.get("api", "v1", "integrations", "nearby"))
    }

    public func setMQTT(_ settings: MQTTSettingsBody) async throws(ClientError) -> IntegrationAnswer {
        try await caller.read(.write(.put, ["api", "v1", "integrations", "mqtt"], settings, key: caller.newKey))
    }

    /// A broker for buttons alone.
    public func setEndpoint(_ settings: EndpointSettingsBody) async throws(ClientError) -> IntegrationAnswer {
        try await caller.read(.write(.put, ["api", "v1", "integrations", "endpoint"], settings, key: caller.newKey))
    }

    public func removeEndpoint() async throws(ClientError) {
        try await caller.done(.write(.delete, ["api", "v1", "integrations", "endpoint"], key: caller.newKey))
    }

    public func removeMQTT() async throws(ClientError) {
        try await caller.done(.write(.delete, ["api", "v1", "integrations", "mqtt"], key: caller.newKey))
    }
}
