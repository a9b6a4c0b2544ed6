import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// URLs by which doorbells and cameras report events. Each has its own secret, which is valid for nothing else.
///
/// People who may change settings make and revoke them. A webhook belongs to the house: it stays when the person who made it leaves.
public final class IncomingWebhooks: Sendable {
    private let store: Store
    private let events: Events
    private let environment: HubEnvironment
    private let rateLimiters = Mutex<[String: WebhookRateLimiter]>([:])
    /// Wrong secrets by network.
    private let failedAttempts = Mutex<[String: SlidingWindowRateLimit]>([:])

    static let limit = 64

    public enum WebhookError: Error {
        case notFound
        case name(Name.NameError)
        /// A field is invalid: its name, and the rule it breaks in words that follow the name.
        case field(String, String)
        case full
        /// Too many reports, or too many wrong secrets; seconds until the next one is accepted.
        case tooMany(TimeInterval)
        case unreadable
    }

    public struct Draft: Sendable {
        public var name: String
        public var make: String
        public var cameraID: String?
        /// Defaults to a ring.
        public var type: String?

        public init(name: String, make: String, cameraID: String? = nil, type: String? = nil) {
            self.name = name
            self.make = make
            self.cameraID = cameraID
            self.type = type
        }
    }

    /// A webhook, and the number of reports refused since the hub's start because there were too many.
    public struct WebhookUsage: Sendable {
        public let webhook: IncomingWebhook
        public let refused: Int
    }

    public enum Outcome: Sendable {
        case recorded
        /// The event is recorded already.
        case duplicate
        /// The end of an event, a heartbeat or a test.
        case ignored
    }

    init(store: Store, events: Events, environment: HubEnvironment) {
        self.store = store
        self.events = events
        self.environment = environment
    }

    // MARK: Making

    public func all(seenBy principal: Principal) async throws -> [WebhookUsage] {
        let webhooks = try await store.read { db in
            try People.require(.modifySettings, of: principal, in: db)
            return try IncomingWebhookRecords.all(db)
        }
        let traffic = rateLimiters.withLock { $0 }
        return webhooks.map { WebhookUsage(webhook: $0, refused: traffic[$0.id]?.refused ?? 0) }
    }

    /// Makes a webhook, and returns its secret, which is shown only once.
    public func create(_ draft: Draft, by principal: Principal, origin: RequestOrigin) async throws -> (
        webhook: IncomingWebhook, secret: Secret
    ) {
        let now = environment.now()
        let (id, secret) = ("webhook_" + environment.newID(), SecretGenerator.webhookSecret())
        let webhook = try await store.auditedWrite("webhook.make", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            let webhook = try Self.validated(draft, id: id, at: now, in: context.db)
            try Sessions.requireStepUp(principal, at: now, in: context.db)
            try IncomingWebhookRecords.insert(webhook, hash: secret.digest, in: context.db)
            try AuditLog.append(.init(who: .init(principal), action: "webhook.make", result: .done), in: context)
            return webhook
        }
        return (webhook, secret)
    }

    /// Revokes a webhook. Its URL is refused from the next request on; recorded events stay.
    public func revoke(_ id: String, by principal: Principal, origin: RequestOrigin) async throws {
        let now = environment.now()
        try await store.auditedWrite("webhook.revoke", by: principal, origin: origin, at: now) { context in
            try People.require(.modifySettings, of: principal, in: context.db)
            guard try IncomingWebhookRecords.revoke(id, at: now, in: context.db) else { throw WebhookError.notFound }
            try AuditLog.append(.init(who: .init(principal), action: "webhook.revoke", result: .done), in: context)
        }
        rateLimiters.withLock { _ = $0.removeValue(forKey: id) }
    }

    private static func validated(_ draft: Draft, id: String, at now: Date, in db: Database) throws -> IncomingWebhook {
        let name: String
        do { name = try Name.check(draft.name) } catch { throw WebhookError.name(error) }
        guard let make = IncomingWebhookVendor(rawValue: draft.make) else {
            throw WebhookError.field("make", "must be one of \(IncomingWebhookVendor.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let type = DetectionType(rawValue: draft.type?.lowercased() ?? DetectionType.ring.rawValue) else {
            throw WebhookError.field("type", "must have 1 to 64 characters of a-z, 0-9, _, - and .")
        }
        if let place = draft.cameraID {
            guard try IncomingWebhookRecords.placeExists(place, db) else {
                throw WebhookError.field("camera_id", "must be the id of a camera or device of this house")
            }
        }
        guard try IncomingWebhookRecords.count(db) < limit else { throw WebhookError.full }
        return IncomingWebhook(id: id, name: name, make: make, cameraID: draft.cameraID, type: type, createdAt: now, lastUsedAt: nil)
    }

    // MARK: Reporting

    /// Finds the webhook of a secret, before any body is read.
    ///
    /// - Throws: `WebhookError.notFound` for a wrong or revoked secret, `WebhookError.tooMany` after many of them from one network.
    public func find(_ secret: Secret, origin: RequestOrigin) async throws -> IncomingWebhook {
        if secret.reveal().utf8.count <= 64, let webhook = try await store.read({ try IncomingWebhookRecords.one(hash: secret.digest, $0) })
        {
            return webhook
        }
        let now = environment.now()
        let wait = failedAttempts.withLock { guesses in
            if guesses.count > 1024 { guesses = guesses.filter { !$0.value.isUnused(at: now) } }
            return guesses[origin.network ?? "", default: SlidingWindowRateLimit()].consume(at: now)
        }
        if let wait { throw WebhookError.tooMany(wait) }
        throw WebhookError.notFound
    }

    /// Records a device's report, as `Events.record` does for a program. If the picture is refused, the event is kept without it.
    public func report(_ request: IncomingWebhookRequest, by webhook: IncomingWebhook) async throws -> Outcome {
        let now = environment.now()
        guard let report = try Self.parse(request, of: webhook) else {
            try await markUsed(webhook, at: now)
            return .ignored
        }
        switch rateLimiters.withLock({ $0[webhook.id, default: WebhookRateLimiter()].admit(report.type, at: now) }) {
        case .duplicate: return .duplicate
        case .limited(let wait): throw WebhookError.tooMany(wait)
        case .accepted: break
        }
        var draft = Events.Draft(
            source: webhook.name, cameraID: webhook.cameraID, type: report.type.rawValue, occurredAt: now, picture: report.picture)
        draft.pictureProblem = report.pictureProblem
        do {
            try await events.recordUnlessSkipped(draft, by: IncomingWebhookRecords.principal(webhook.id), call: nil)
        } catch {
            // A repeated report is accepted.
            rateLimiters.withLock { $0[webhook.id]?.reset(report.type) }
            throw error
        }
        try await markUsed(webhook, at: now)
        return .recorded
    }

    private static func parse(_ request: IncomingWebhookRequest, of webhook: IncomingWebhook) throws -> IncomingWebhookReport? {
        do {
            return try IncomingWebhookReport.read(request, of: webhook.make, usual: webhook.type)
        } catch {
            switch error {
            case .type: throw WebhookError.notFound
            case .unreadable: throw WebhookError.unreadable
            }
        }
    }

    /// At most one write a minute.
    private func markUsed(_ webhook: IncomingWebhook, at now: Date) async throws {
        if let last = webhook.lastUsedAt, (0..<60).contains(now.timeIntervalSince(last)) { return }
        try await store.write { try IncomingWebhookRecords.markUsed(webhook.id, at: now, in: $0) }
    }
}

/// Limits the reports of a webhook. A device that repeats a report while the event lasts produces one event.
struct WebhookRateLimiter: Sendable {
    enum Decision: Hashable {
        case accepted
        case duplicate
        /// Seconds until a report is accepted again.
        case limited(TimeInterval)
    }

    /// Seconds in which a further report of the same type belongs to the previous event. Short for rings, so that a second ring counts.
    static func deduplicationWindow(of type: DetectionType) -> TimeInterval { type.isDoorbellRing ? 2 : 10 }

    private(set) var refused = 0
    /// Thirty a minute, as for pictures of a camera.
    private var rateLimit = SlidingWindowRateLimit()
    private var lastReports: [DetectionType: Date] = [:]

    mutating func admit(_ type: DetectionType, at now: Date) -> Decision {
        if let last = lastReports[type], (0..<Self.deduplicationWindow(of: type)).contains(now.timeIntervalSince(last)) {
            if !type.isDoorbellRing { lastReports[type] = now }
            return .duplicate
        }
        if let wait = rateLimit.consume(at: now) {
            refused += 1
            return .limited(wait)
        }
        if lastReports.count > 64 { lastReports.removeAll() }
        lastReports[type] = now
        return .accepted
    }

    mutating func reset(_ type: DetectionType) { lastReports[type] = nil }
}
