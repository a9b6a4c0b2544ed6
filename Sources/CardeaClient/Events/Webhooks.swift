import CardeaAPI
import Foundation

/// URLs by which doorbells and cameras report events. People with the right to change settings create and revoke them.
public struct Webhooks: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> WebhooksAnswer {
        try await caller.read(.get("api", "v1", "webhooks"))
    }

    /// Creates a webhook. Its URL is in this answer and in no other; requires a step-up.
    public func create(_ body: MakeWebhookBody) async throws(ClientError) -> WebhookAnswer {
        // Without a key: the hub stores the answers of requests with a key, and this answer contains a secret.
        try await caller.read(.write(.post, ["api", "v1", "webhooks"], body))
    }

    /// Revokes a webhook. Its events are kept.
    public func revoke(_ id: String, key: String? = nil) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "webhooks", .id(id)], key: key ?? caller.newIdempotencyKey))
    }
}
