import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// `/api/v1/notices`, `/api/v1/people/{id}/notifications` and `/api/v1/push`; `/api/v1/mobile/push` in the words of Seed 003.
struct NoticesController: Sendable {
    let hub: Hub

    func addRoutes(to table: RouteTable) {
        table.person(.listNotices, list)
        table.person(.acknowledgeNotice) { _, context, principal in
            try .encoding(
                NoticeResponses.notice(try await hub.notices.acknowledge(try context.id(), by: principal, origin: context.origin)))
        }
        table.person(.acknowledgeNotices) { _, context, principal in
            try .encoding(
                AcknowledgedNoticesAnswer(acknowledged: try await hub.notices.acknowledgeAll(by: principal, origin: context.origin)))
        }
        table.person(.showNotifications, preferences)
        table.person(.changeNotifications, changePreferences)
        table.person(.showPush, push)
        table.person(.registerBrowser, registerBrowser)
        table.person(.removePush) { _, context, principal in
            try await hub.pushSubscriptions.remove(try context.id(), by: principal, origin: context.origin)
            return .noContent
        }
        table.person(.registerPhonePush, registerPhone)
        table.person(.unregisterPhonePush) { _, context, principal in
            try await hub.pushSubscriptions.removeOwn(by: principal, origin: context.origin)
            return .noContent
        }
    }

    private func list(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let query = request.uri.queryParameters
        let before = try query["before"].map { text in
            guard (1...64).contains(text.unicodeScalars.count) else {
                throw APIResponseError.validation("before", "must have 1 to 64 characters")
            }
            return String(text)
        }
        let page = try await hub.notices.page(
            before: before, limit: try DeviceQuery.number(query, "limit", 1...100) ?? 20, of: principal)
        return try .encoding(
            NoticesAnswer(notices: page.notices.map(NoticeResponses.notice), hasMore: page.hasMore, unseen: page.unseen))
    }

    private func preferences(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let preferences = try await hub.notices.preferences(of: try context.id(), seenBy: principal)
        if request.hasCached(version: preferences.version) { return .notModified(preferences.version) }
        return try .encoding(NotificationsAnswer(preferences)).withETag(preferences.version)
    }

    private func changePreferences(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(NotificationsBody.self)
        let preferences = try await hub.notices.change(
            try body.preferences, of: try context.id(), seen: try request.expectedVersion(), by: principal, origin: context.origin)
        return try .encoding(NotificationsAnswer(preferences)).withETag(preferences.version)
    }

    private func push(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let subscriptions = try await hub.pushSubscriptions.all(of: principal)
        return try .encoding(
            PushAnswer(
                publicKey: hub.pushSubscriptions.publicKey, ways: hub.notificationDispatcher.channels.map(\.rawValue).sorted(),
                subscriptions: subscriptions.map(NoticeResponses.subscription)))
    }

    private func registerBrowser(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RegisterBrowserBody.self)
        let draft = PushSubscriptions.BrowserDraft(
            endpoint: body.subscription.endpoint, key: body.subscription.keys.p256dh, authentication: body.subscription.keys.auth)
        let (seen, isNew) = try await hub.pushSubscriptions.register(draft, by: principal, origin: context.origin)
        return try .encoding(NoticeResponses.subscription(seen), status: isNew ? .created : .ok)
    }

    private func registerPhone(_ request: Request, _ context: HubRequestContext, _ principal: Principal) async throws -> Response {
        let body = try await request.decodeBody(RegisterPhonePushBody.self)
        let draft = PushSubscriptions.PhoneDraft(
            token: body.deviceToken, deviceID: body.deviceID, keys: body.keys.map { ($0.p256dh, $0.auth) })
        let (seen, isNew) = try await hub.pushSubscriptions.register(draft, by: principal, origin: context.origin)
        return try .encoding(RegisteredPushAnswer(id: seen.id, registeredAt: seen.changedAt), status: isNew ? .created : .ok)
    }
}

/// Notifications in the wire's words.
enum NoticeResponses {
    static func notice(_ notice: Notice) -> NoticeAnswer {
        NoticeAnswer(
            noticeID: notice.id, kind: notice.kind, place: notice.fact.place, placeName: notice.placeName, eventID: notice.eventID,
            commandID: notice.commandID, happenedAt: notice.fact.at, createdAt: notice.createdAt, quiet: notice.isQuiet,
            escalated: notice.isEscalated, acknowledgedAt: notice.acknowledgedAt,
            deliveries: notice.deliveries.map {
                .init(service: $0.service, state: $0.state.rawValue, tries: $0.tries, settledAt: $0.settledAt)
            }, words: notice.fact.text)
    }

    static func subscription(_ seen: PushSubscriptions.Summary) -> PushSubscriptionAnswer {
        PushSubscriptionAnswer(
            id: seen.id, way: seen.channel.rawValue, service: seen.service, current: seen.isCurrent, createdAt: seen.createdAt)
    }
}
