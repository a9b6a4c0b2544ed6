import CardeaAPI
import Foundation

/// Notifications, and each person's settings for them.
public struct Notices: Sendable {
    let caller: AuthenticatedClient

    /// Notifications received, newest first.
    ///
    /// - Parameters:
    ///   - before: the last notification of the page before.
    ///   - limit: 1 to 100.
    public func list(before: String? = nil, limit: Int = 20) async throws(ClientError) -> NoticesAnswer {
        try await caller.read(.get("api", "v1", "notices", query: [("before", before), ("limit", String(limit))]))
    }

    /// Acknowledges a notification: it is then not escalated to another person.
    public func acknowledge(_ id: String) async throws(ClientError) -> NoticeAnswer {
        try await caller.read(.write(.post, ["api", "v1", "notices", .id(id), "acknowledge"], key: caller.newIdempotencyKey))
    }

    /// Acknowledges all notifications.
    public func acknowledgeAll() async throws(ClientError) -> AcknowledgedNoticesAnswer {
        try await caller.read(.write(.post, ["api", "v1", "notices", "acknowledge"], key: caller.newIdempotencyKey))
    }

    /// - Parameter personID: `me`, or a person whom the caller may manage.
    public func preferences(of personID: String = "me") async throws(ClientError) -> NotificationsAnswer {
        try await caller.read(.get("api", "v1", "people", .id(personID), "notifications"))
    }

    /// Replaces the settings. A setting that is left out returns to its default.
    public func change(_ body: NotificationsBody, of personID: String = "me") async throws(ClientError) -> NotificationsAnswer {
        try await caller.read(.write(.put, ["api", "v1", "people", .id(personID), "notifications"], body, key: caller.newIdempotencyKey))
    }

    /// The registered push subscriptions, and the key by which a browser recognises the house.
    public func push() async throws(ClientError) -> PushAnswer {
        try await caller.read(.get("api", "v1", "push"))
    }

    public func register(_ body: RegisterBrowserBody) async throws(ClientError) -> PushSubscriptionAnswer {
        try await caller.read(.write(.post, ["api", "v1", "push", "web"], body, key: caller.newIdempotencyKey))
    }

    public func remove(_ subscriptionID: String) async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "push", .id(subscriptionID)], key: caller.newIdempotencyKey))
    }

    /// Registers the app on this phone for Apple's push service.
    public func register(_ body: RegisterPhonePushBody) async throws(ClientError) -> RegisteredPushAnswer {
        try await caller.read(.write(.post, ["api", "v1", "mobile", "push", "register"], body, key: caller.newIdempotencyKey))
    }

    public func unregister() async throws(ClientError) {
        try await caller.perform(.write(.delete, ["api", "v1", "mobile", "push", "unregister"], key: caller.newIdempotencyKey))
    }
}
