import CardeaAPI
import Foundation

/// One thing at a touch, by the right of whoever presses.
public struct Buttons: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> ButtonsAnswer {
        try await caller.read(.get("api", "v1", "buttons"))
    }

    public func get(_ id: String) async throws(ClientError) -> ButtonAnswer {
        try await caller.read(.get("api", "v1", "buttons", .id(id)))
    }

    /// Makes a button. Whoever makes one needs the right to what it does.
    ///
    /// - Parameter key: the wish's own name, where it may have been asked for before.
    public func create(_ body: ButtonBody, key: String? = nil) async throws(ClientError) -> ButtonAnswer {
        try await caller.read(.write(.post, ["api", "v1", "buttons"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Makes a button another. What was written for it does nothing until it is renewed.
    ///
    /// - Parameters:
    ///   - seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    ///   - key: the change's own name, where it may have been asked for before.
    public func replace(_ id: String, _ body: ButtonBody, seen: Int? = nil, key: String? = nil) async throws(ClientError) -> ButtonAnswer {
        var call = try APICall.write(.put, ["api", "v1", "buttons", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Forgets a button, and its tags with it.
    ///
    /// - Parameter seen: the version it was when somebody decided; refused with `precondition_failed` where it is another now.
    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "buttons", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }

    /// Presses it, and waits for what becomes of it. The same press is asked about again where its answer was lost.
    public func press(_ id: String) async throws(ClientError) -> CommandAnswer {
        var call = APICall.write(.post, ["api", "v1", "buttons", .id(id), "press"], key: caller.newIdempotencyKey).urgent()
        // As long as one command may take: waiting for its turn, for the device's word and for a garage door to arrive.
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }

    /// A new key for the envelopes of what the button publishes, shown this once. Wants a proof of who asks, not older than five minutes.
    public func newSigningKey(_ id: String) async throws(ClientError) -> SigningKeyAnswer {
        try await caller.read(.write(.post, ["api", "v1", "buttons", .id(id), "signing-key"], key: caller.newIdempotencyKey))
    }

    /// Makes every live link of the button worthless.
    public func invalidateLiveLinks(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.post, ["api", "v1", "buttons", .id(id), "regenerate"], key: caller.newIdempotencyKey))
    }
}
