import CardeaAPI
import Foundation

/// Tokens for programs: with the device rights of their maker, or fewer.
public struct APITokens: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> APITokensAnswer {
        try await caller.read(.get("api", "v1", "auth", "api-tokens"))
    }

    /// Creates a token. It is in this answer and in no other; requires a step-up.
    public func create(_ body: MakeAPITokenBody) async throws(ClientError) -> APITokenAnswer {
        // Without a key: the hub stores the answers of requests with a key, and this answer contains a secret.
        try await caller.read(.write(.post, ["api", "v1", "auth", "api-tokens"], body))
    }

    /// Ends a token of one's own. It is refused from its next request on.
    public func revoke(_ id: String, key: String? = nil) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "auth", "api-tokens", .id(id)], key: key ?? caller.newIdempotencyKey))
    }
}
