import CardeaAPI
import Foundation

/// What one is told while one looks elsewhere, and what one wants to be told.
public struct Notices: Sendable {
    let caller: AuthenticatedClient

    /// What one was told, newest first.
    ///
    /// - Parameters:
    ///   - before: the last notice of the page before.
    ///   - limit: 1 to 100.
    public func list(before: String? = nil, limit: Int = 20) async throws(ClientError) -> NoticesAnswer {
        try await caller.read(.get("api", "v1", "notices", query: [("before", before), ("limit", String(limit))]))
    }

    /// Says that one has seen it: nobody else is told in one's place.
    public func acknowledge(_ id: String) async throws(ClientError) -> NoticeAnswer {
        try await caller.read(.write(.post, ["api", "v1", "notices", .id(id), "acknowledge"], key: caller.newIdempotencyKey))
    }

    /// Says that one has seen all of it.
    public func acknowledgeAll() async throws(ClientError) -> AcknowledgedNoticesAnswer {
        try await caller.read(.write(.post, ["api", "v1", "notices", "acknowledge"], key: caller.newIdempotencyKey))
    }

    /// - Parameter personID: `me`, or somebody whom one may manage.
    public func preferences(of personID: String = "me") async throws(ClientError) -> NotificationsAnswer {
        try await caller.read(.get("api", "v1", "people", .id(personID), "notifications"))
    }

    /// What is left out is as it was before anybody chose.
    public func change(_ body: NotificationsBody, of personID: String = "me") async throws(ClientError) -> NotificationsAnswer {
        try await caller.read(.write(.put, ["api", "v1", "people", .id(personID), "notifications"], body, key: caller.newIdempotencyKey))
    }

    /// Where one is told, and the key by which a browser knows the house.
    public func push() async throws(ClientError) -> PushAnswer {
        try await caller.read(.get("api", "v1", "push"))
    }

    public func register(_ body: RegisterBrowserBody) async throws(ClientError) -> PushSubscriptionAnswer {
        try await caller.read(.write(.post, ["api", "v1", "push", "web"], body, key: caller.newIdempotencyKey))
    }

    public func remove(_ subscriptionID: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "push", .id(subscriptionID)], key: caller.newIdempotencyKey))
    }

    /// Has the app on this phone told by Apple's push service.
    public func register(_ body: RegisterPhonePushBody) async throws(ClientError) -> RegisteredPushAnswer {
        try await caller.read(.write(.post, ["api", "v1", "mobile", "push", "register"], body, key: caller.newIdempotencyKey))
    }

    public func unregister() async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "mobile", "push", "unregister"], key: caller.newIdempotencyKey))
    }
}
