import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Synchronization

/// URLs by which doorbells and cameras report events. Each has a secret of its own, which is good for that alone.
///
/// Whoever sets the house up makes and revokes them. A webhook belongs to the house: it goes on when its maker leaves.
public final class Webhooks: Sendable {
    private let store: Store
    private let events: Events
    private let surroundings: Surroundings
    private let traffic = Mutex<[String: WebhookTraffic]>([:])
    /// Wrong secrets by the network they came from.
    private let guesses = Mutex<[String: PictureBudget]>([:])

    static let limit = 64

    public enum Problem: Error {
        case notFound
        case name(Name.Problem)
        /// What a field should be, in words that follow its name.
        case field(String, String)
        case full
        /// Too many reports, or too many wrong secrets; seconds until the next one is taken.
        case tooMany(TimeInterval)
        case unreadable
    }

    public struct Draft: Sendable {
        public var name: String
        public var make: String
        public var cameraID: String?
        /// Left out: somebody rang.
        public var type: String?

        public init(name: String, make: String, cameraID: String? = nil, type: String? = nil) {
            self.name = name
            self.make = make
            self.cameraID = cameraID
            self.type = type
        }
    }

    /// A webhook, and how many reports were refused since the hub was started because there were too many.
    public struct Seen: Sendable {
        public let webhook: Webhook
        public let refused: Int
    }

    public enum Outcome: Sendable {
        case recorded
        /// The same event, which is recorded already.
        case again
        /// The end of an event, a sign of life or a trial.
        case nothing
    }

    init(store: Store, events: Events, surroundings: Surroundings) {
        self.store = store
        self.events = events
        self.surroundings = surroundings
    }

    // MARK: Making

    public func all(seenBy principal: Principal) async throws -> [Seen] {
        let webhooks = try await store.read { db in
            try People.require(.modifySettings, of: principal, in: db)
            return try WebhookRecords.all(db)
        }
        let traffic = traffic.withLock { $0 }
        return webhooks.map { Seen(webhook: $0, refused: traffic[$0.id]?.refused ?? 0) }
    }

    /// Makes a webhook, and shows its secret this once.
    public func make(_ draft: Draft, by principal: Principal, origin: Origin) async throws -> (webhook: Webhook, secret: Secret) {
        let now = surroundings.now()
        let (id, secret) = ("webhook_" + surroundings.newID(), Minting.webhookSecret())
        let webhook = try await store.attempt("webhook.make", by: principal, origin: origin, at: now) { db in
            try People.require(.modifySettings, of: principal, in: db)
            let webhook = try Self.checked(draft, id: id, at: now, in: db)
            try Sessions.requireStepUp(principal, at: now, in: db)
            try WebhookRecords.insert(webhook, hash: secret.digest, in: db)
            try AuditTrail.append(.init(who: .init(principal), action: "webhook.make", result: .done), origin: origin, at: now, in: db)
            return webhook
        }
        return (webhook, secret)
    }

    /// Its URL is refused from the very next request on. What it reported stays.
    public func revoke(_ id: String, by principal: Principal, origin: Origin) async throws {
        let now = surroundings.now()
        try await store.attempt("webhook.revoke", by: principal, origin: origin, at: now) { db in
            try People.require(.modifySettings, of: principal, in: db)
            guard try WebhookRecords.revoke(id, at: now, in: db) else { throw Problem.notFound }
            try AuditTrail.append(.init(who: .init(principal), action: "webhook.revoke", result: .done), origin: origin, at: now, in: db)
        }
        traffic.withLock { _ = $0.removeValue(forKey: id) }
    }

    private static func checked(_ draft: Draft, id: String, at now: Date, in db: Database) throws -> Webhook {
        let name: String
        do { name = try Name.check(draft.name) } catch { throw Problem.name(error) }
        guard let make = WebhookMake(rawValue: draft.make) else {
            throw Problem.field("make", "is one of \(WebhookMake.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let type = DetectionType(rawValue: draft.type?.lowercased() ?? DetectionType.ring.rawValue) else {
            throw Problem.field("type", "is a word of 1 to 64 of a-z, 0-9, _, - and .")
        }
        if let place = draft.cameraID {
            guard try WebhookRecords.isPlace(place, db) else { throw Problem.field("camera_id", "is no camera or device of this house") }
        }
        guard try WebhookRecords.count(db) < limit else { throw Problem.full }
        return Webhook(id: id, name: name, make: make, cameraID: draft.cameraID, type: type, createdAt: now, lastUsedAt: nil)
    }

    // MARK: Reporting

    /// The webhook of a secret, asked for before any body is read.
    ///
    /// - Throws: `Problem.notFound` for a wrong or revoked secret, `Problem.tooMany` after many of them from one network.
    public func find(_ secret: Secret, origin: Origin) async throws -> Webhook {
        if secret.reveal().utf8.count <= 64, let webhook = try await store.read({ try WebhookRecords.one(hash: secret.digest, $0) }) {
            return webhook
        }
        let now = surroundings.now()
        let wait = guesses.withLock { guesses in
            if guesses.count > 1024 { guesses = guesses.filter { !$0.value.isFresh(at: now) } }
            return guesses[origin.network ?? "", default: PictureBudget()].take(at: now)
        }
        if let wait { throw Problem.tooMany(wait) }
        throw Problem.notFound
    }

    /// Records what a device reports, as `Events.record` does for a program. An event whose picture is refused is kept without it.
    public func report(_ request: WebhookRequest, by webhook: Webhook) async throws -> Outcome {
        let now = surroundings.now()
        guard let report = try Self.read(request, of: webhook) else {
            try await use(webhook, at: now)
            return .nothing
        }
        switch traffic.withLock({ $0[webhook.id, default: WebhookTraffic()].take(report.type, at: now) }) {
        case .again: return .again
        case .refused(let wait): throw Problem.tooMany(wait)
        case .taken: break
        }
        var draft = Events.Draft(
            source: webhook.name, cameraID: webhook.cameraID, type: report.type.rawValue, occurredAt: now, picture: report.picture)
        draft.pictureProblem = report.pictureProblem
        do {
            try await events.recordAnyway(draft, by: WebhookRecords.principal(webhook.id), call: nil)
        } catch {
            // Told again, it is taken.
            traffic.withLock { $0[webhook.id]?.forget(report.type) }
            throw error
        }
        try await use(webhook, at: now)
        return .recorded
    }

    private static func read(_ request: WebhookRequest, of webhook: Webhook) throws -> WebhookReport? {
        do {
            return try WebhookReport.read(request, of: webhook.make, usual: webhook.type)
        } catch {
            switch error {
            case .type: throw Problem.notFound
            case .unreadable: throw Problem.unreadable
            }
        }
    }

    /// At most one write a minute.
    private func use(_ webhook: Webhook, at now: Date) async throws {
        if let last = webhook.lastUsedAt, (0..<60).contains(now.timeIntervalSince(last)) { return }
        try await store.write { try WebhookRecords.use(webhook.id, at: now, in: $0) }
    }
}

/// How often a webhook reports. A device that repeats itself while something lasts tells of one event.
struct WebhookTraffic: Sendable {
    enum Verdict: Hashable {
        case taken
        case again
        /// Seconds until a report is taken again.
        case refused(TimeInterval)
    }

    /// Reports that follow one of the same type within these seconds belong to it. Whoever rings again is heard again.
    static func span(of type: DetectionType) -> TimeInterval { type.isDoorbellRing ? 2 : 10 }

    private(set) var refused = 0
    /// Thirty a minute, as pictures of a camera.
    private var budget = PictureBudget()
    private var heard: [DetectionType: Date] = [:]

    mutating func take(_ type: DetectionType, at now: Date) -> Verdict {
        if let last = heard[type], (0..<Self.span(of: type)).contains(now.timeIntervalSince(last)) {
            if !type.isDoorbellRing { heard[type] = now }
            return .again
        }
        if let wait = budget.take(at: now) {
            refused += 1
            return .refused(wait)
        }
        if heard.count > 64 { heard.removeAll() }
        heard[type] = now
        return .taken
    }

    mutating func forget(_ type: DetectionType) { heard[type] = nil }
}
