import CardeaAPI
import Foundation

/// Buttons, each with one action, performed with the rights of the person who presses.
public struct Buttons: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> ButtonsAnswer {
        try await caller.read(.get("api", "v1", "buttons"))
    }

    public func get(_ id: String) async throws(ClientError) -> ButtonAnswer {
        try await caller.read(.get("api", "v1", "buttons", .id(id)))
    }

    /// Creates a button. The caller needs the right to its action.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func create(_ body: ButtonBody, key: String? = nil) async throws(ClientError) -> ButtonAnswer {
        try await caller.read(.write(.post, ["api", "v1", "buttons"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Replaces a button. Its tags do nothing until they are renewed.
    ///
    /// - Parameters:
    ///   - seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    ///   - key: the idempotency key, if the call may have been sent before.
    public func replace(_ id: String, _ body: ButtonBody, seen: Int? = nil, key: String? = nil) async throws(ClientError) -> ButtonAnswer {
        var call = try APICall.write(.put, ["api", "v1", "buttons", .id(id)], body, key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        return try await caller.read(call)
    }

    /// Deletes a button and its tags.
    ///
    /// - Parameter seen: the version that the person saw; refused with `precondition_failed` if it has changed since.
    public func remove(_ id: String, seen: Int? = nil, key: String? = nil) async throws(ClientError) {
        var call = APICall.write(.delete, ["api", "v1", "buttons", .id(id)], key: key ?? caller.newIdempotencyKey)
        call.expectedVersion = seen
        try await caller.perform(call)
    }

    /// Presses a button, and waits for the result. If the answer is lost, the same press is queried again.
    public func press(_ id: String) async throws(ClientError) -> CommandAnswer {
        var call = APICall.write(.post, ["api", "v1", "buttons", .id(id), "press"], key: caller.newIdempotencyKey).urgent()
        // The limit of one command: it may wait for its turn, for the device's report and for a garage door to arrive.
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }

    /// A new key for the envelopes that the button publishes; it is shown only once. Requires a step-up, not older than five minutes.
    public func newSigningKey(_ id: String) async throws(ClientError) -> SigningKeyAnswer {
        try await caller.read(.write(.post, ["api", "v1", "buttons", .id(id), "signing-key"], key: caller.newIdempotencyKey))
    }

    /// Invalidates all live links of the button.
    public func invalidateSignedLinks(_ id: String) async throws(ClientError) {
        try await caller.perform(.write(.post, ["api", "v1", "buttons", .id(id), "regenerate"], key: caller.newIdempotencyKey))
    }
}
