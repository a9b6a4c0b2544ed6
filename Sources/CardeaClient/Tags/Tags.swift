import CardeaAPI
import CardeaModel
import Foundation

/// Tags on walls, and links that press a button once.
public struct Tags: Sendable {
    let caller: AuthenticatedClient

    public func list() async throws(ClientError) -> TagsAnswer {
        try await caller.read(.get("api", "v1", "tags"))
    }

    public func get(_ id: String) async throws(ClientError) -> TagAnswer {
        try await caller.read(.get("api", "v1", "tags", .id(id)))
    }

    /// Adds a tag, or creates a live link. The keys that the house makes for a tag are in this answer and nowhere else.
    ///
    /// - Parameter key: the idempotency key, if the call may have been sent before.
    public func add(_ body: AddTagBody, key: String? = nil) async throws(ClientError) -> NewTagAnswer {
        try await caller.read(.write(.post, ["api", "v1", "tags"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Confirms that the tag still presses its button as that is now, and changes its label if one is given.
    ///
    /// - Parameter seen: the button's version that the person saw; refused with `conflict` if it has changed since.
    public func renew(_ id: String, label: String? = nil, seen: Int, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = RenewTagBody(label: label, buttonVersion: seen)
        return try await caller.read(.write(.put, ["api", "v1", "tags", .id(id)], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Changes the label. The tag's action, or lack of one, stays as it is.
    public func label(_ id: String, _ label: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = RenewTagBody(label: label)
        return try await caller.read(.write(.put, ["api", "v1", "tags", .id(id)], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Acknowledges the alarm about a possible copy of the tag.
    public func acknowledgeAlarm(of id: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = RenewTagBody(alarmSeen: true)
        return try await caller.read(.write(.put, ["api", "v1", "tags", .id(id)], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Reports the data read back from a pending tag: from now on it is valid, and the tag that it replaces is not.
    public func promote(_ id: String, readBack url: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = PromoteTagBody(url: url)
        return try await caller.read(.write(.post, ["api", "v1", "tags", .id(id), "promote"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// The present keys of a tag that proves its touches, and its next keys; both are the same until the tag is confirmed to have the new
    /// ones. Requires a step-up, not older than five minutes.
    public func rekey(_ id: String) async throws(ClientError) -> TagKeysAnswer {
        try await caller.read(.write(.post, ["api", "v1", "tags", .id(id), "keys"], key: caller.newIdempotencyKey))
    }

    /// Reports the data read back from a tag with new keys: from now on these are the valid ones.
    public func finishRekeying(_ id: String, readBack url: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = PromoteTagBody(url: url)
        return try await caller.read(
            .write(.post, ["api", "v1", "tags", .id(id), "keys", "promote"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// The tag does nothing any more.
    public func remove(_ id: String, key: String? = nil) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "tags", .id(id)], key: key ?? caller.newIdempotencyKey))
    }

    /// The house's policy for tags.
    public func policy() async throws(ClientError) -> TagPolicyBody {
        try await caller.read(.get("api", "v1", "tags", "policy"))
    }

    public func change(_ policy: TagPolicy, key: String? = nil) async throws(ClientError) -> TagPolicyBody {
        try await caller.read(.write(.put, ["api", "v1", "tags", "policy"], TagPolicyBody(policy), key: key ?? caller.newIdempotencyKey))
    }

    /// Previews a tap. Nothing is done and no counter is used up.
    public func preview(_ url: String) async throws(ClientError) -> InspectedTagAnswer {
        var call = try APICall.write(.post, ["api", "v1", "tags", "look"], InspectTagBody(url: url))
        call.isIdempotent = true
        return try await caller.read(call)
    }

    /// Submits a tap that a phone has read, and waits for the result. If the answer is lost, the same tap is queried again and its counter
    /// is not used up twice.
    ///
    /// - Parameter isConfirmed: true if the person has confirmed on this screen.
    public func tap(_ url: String, isConfirmed: Bool = false) async throws(ClientError) -> TapAnswer {
        var call = try APICall.write(
            .post, ["api", "v1", "tags", "tap"], TapBody(url: url, confirm: isConfirmed), key: caller.newIdempotencyKey
        ).urgent()
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }
}
