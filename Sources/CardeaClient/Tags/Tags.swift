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

    /// Adds a tag, or makes a live link. The keys that the house makes for a tag are in the answer and nowhere else.
    ///
    /// - Parameter key: the wish's own name, where it may have been asked for before.
    public func add(_ body: AddTagBody, key: String? = nil) async throws(ClientError) -> NewTagAnswer {
        try await caller.read(.write(.post, ["api", "v1", "tags"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Says that the tag still presses its button as that is now, and gives it another label where there is one.
    ///
    /// - Parameter seen: the button's version when somebody decided; refused with `conflict` where it is another now.
    public func renew(_ id: String, label: String? = nil, seen: Int, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = RenewTagBody(label: label, buttonVersion: seen)
        return try await caller.read(.write(.put, ["api", "v1", "tags", .id(id)], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Gives it another label. What it presses, or does not press any more, stays as it is.
    public func label(_ id: String, _ label: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = RenewTagBody(label: label)
        return try await caller.read(.write(.put, ["api", "v1", "tags", .id(id)], body, key: key ?? caller.newIdempotencyKey))
    }

    /// The alarm that there may be a copy of it was looked into.
    public func acknowledgeAlarm(of id: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = RenewTagBody(alarmSeen: true)
        return try await caller.read(.write(.put, ["api", "v1", "tags", .id(id)], body, key: key ?? caller.newIdempotencyKey))
    }

    /// Says what was read back from a pending tag: from now on it counts, and the one in whose place it comes does not.
    public func promote(_ id: String, readBack url: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = PromoteTagBody(url: url)
        return try await caller.read(.write(.post, ["api", "v1", "tags", .id(id), "promote"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// The keys of a tag that proves its touches, and those that it is to get: the same until it was said that it has them. Wants a proof of
    /// who asks, not older than five minutes.
    public func rekey(_ id: String) async throws(ClientError) -> TagKeysAnswer {
        try await caller.read(.write(.post, ["api", "v1", "tags", .id(id), "keys"], key: caller.newIdempotencyKey))
    }

    /// Says what was read back from a tag that got other keys: from now on it is believed by those.
    public func finishRekeying(_ id: String, readBack url: String, key: String? = nil) async throws(ClientError) -> TagAnswer {
        let body = PromoteTagBody(url: url)
        return try await caller.read(
            .write(.post, ["api", "v1", "tags", .id(id), "keys", "promote"], body, key: key ?? caller.newIdempotencyKey))
    }

    /// The tag does nothing any more.
    public func remove(_ id: String, key: String? = nil) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "tags", .id(id)], key: key ?? caller.newIdempotencyKey))
    }

    /// What the house leaves to tags.
    public func policy() async throws(ClientError) -> TagPolicyBody {
        try await caller.read(.get("api", "v1", "tags", "policy"))
    }

    public func change(_ policy: TagPolicy, key: String? = nil) async throws(ClientError) -> TagPolicyBody {
        try await caller.read(.write(.put, ["api", "v1", "tags", "policy"], TagPolicyBody(policy), key: key ?? caller.newIdempotencyKey))
    }

    /// What a tap would do. Nothing is done, and nothing is used up.
    public func preview(_ url: String) async throws(ClientError) -> LookedAtTagAnswer {
        var call = try APICall.write(.post, ["api", "v1", "tags", "look"], LookAtTagBody(url: url))
        call.isIdempotent = true
        return try await caller.read(call)
    }

    /// Hands in what a phone has read, and waits for what becomes of it. The same tap is asked about again where its answer was lost; it uses
    /// nothing up twice.
    ///
    /// - Parameter isConfirmed: whoever tapped has said yes on this screen.
    public func tap(_ url: String, isConfirmed: Bool = false) async throws(ClientError) -> TapAnswer {
        var call = try APICall.write(
            .post, ["api", "v1", "tags", "tap"], TapBody(url: url, confirm: isConfirmed), key: caller.newIdempotencyKey
        ).urgent()
        call.timeout = .seconds(75)
        return try await caller.read(call)
    }
}
