import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Follows the journal, notifies people, escalates to the next person if there is no answer, and sends each notification until its push
/// service accepts it or it is too late.
///
/// A push service that hangs delays neither the house nor the other services: there are more workers than one service may use.
public final class NotificationDispatcher: Service, Sendable {
    private let store: Store
    private let planner: NotificationPlanner
    private let subscriptions: PushSubscriptions
    private let sealing: SealingKey
    private let environment: HubEnvironment
    /// An event that may need a notification.
    private let journalSignal = ChangeSignal()
    /// A delivery is ready, or a sender is free.
    private let deliverySignal = ChangeSignal()
    private let logger: Logger
    private let senders = Mutex<[PushAddress.Channel: any PushSender]>([:])
    private let inProgress = Mutex(NoticeDeliveryRecords.ActiveDeliveries())

    /// Parcels that are carried at a time.
    private static let concurrency = 16
    /// Seconds until the next check without a signal.
    private static let idleInterval: TimeInterval = 3600
    /// Seconds before a second try, and the longest before any.
    private static let initialBackoff: TimeInterval = 2
    private static let maxBackoff: TimeInterval = 900

    init(
        store: Store, sealing: SealingKey, subscriptions: PushSubscriptions, environment: HubEnvironment, logger: Logger
    ) {
        self.store = store
        self.sealing = sealing
        self.subscriptions = subscriptions
        self.environment = environment
        self.logger = logger
        planner = NotificationPlanner(store: store, environment: environment)
        store.onCommit { [journalSignal] rows in
            let mayMatter = rows.contains { row in
                row.kind == .eventRecorded || (row.kind == .commandAccepted && (row.about as? Command)?.requiresApproval != false)
                    || (row.kind == .mindChanged && row.data["notice"] != nil)
                    || (row.kind == .maintenanceChanged && row.data["due_on"] != nil)
            }
            if mayMatter { journalSignal.signal() }
        }
    }

    /// Registers the sender for a channel.
    public func register(_ way: PushAddress.Channel, with carrier: any PushSender) {
        senders.withLock { $0[way] = carrier }
    }

    /// The channels by which this house can send.
    public var channels: Set<PushAddress.Channel> { senders.withLock { Set($0.keys) } }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.runLoop(self.journalSignal) { try await self.planNotifications() } }
                await self.runLoop(self.deliverySignal) { try await self.startDeliveries(in: &group) }
                group.cancelAll()
            }
        }
    }

    /// Does `work` whenever something changes and when it says it is to be done next, until the hub ends.
    private func runLoop(_ signal: ChangeSignal, _ work: () async throws -> Date?) async {
        while !Task.isCancelled {
            let seen = signal.changeCount
            var next = environment.now().addingTimeInterval(Self.idleInterval)
            do {
                if let wanted = try await work() { next = min(next, wanted) }
            } catch is CancellationError {
                return
            } catch {
                // If the disk cannot be written to, no notification is lost: the cursor is not moved.
                logger.error("notifications could not be stored", metadata: ["error": "\(type(of: error))"])
                next = environment.now().addingTimeInterval(Self.initialBackoff * 5)
            }
            do { try await signal.wait(after: seen, until: next, environment) } catch { return }
        }
    }

    /// Plans the notifications for new events. `run` calls it.
    ///
    /// - Returns: the time of the next escalation.
    @discardableResult
    public func planNotifications() async throws -> Date? {
        while try await planner.processJournal() { try Task.checkCancellation() }
        try await planner.escalate()
        deliverySignal.signal()
        return try await planner.nextEscalation()
    }

    // MARK: Delivery

    private func startDeliveries(in group: inout DiscardingTaskGroup) async throws -> Date? {
        let now = environment.now()
        let busy = inProgress.withLock { $0 }
        let due = try await store.read {
            try NoticeDeliveryRecords.due(at: now, beside: busy, limit: max(0, Self.concurrency - busy.count), $0)
        }
        for delivery in due {
            inProgress.withLock { $0.add(delivery.id, of: delivery.service) }
            group.addTask {
                await self.deliver(delivery)
                self.inProgress.withLock { $0.remove(delivery.id, of: delivery.service) }
                self.deliverySignal.signal()
            }
        }
        let carried = inProgress.withLock { $0 }
        guard carried.count < Self.concurrency else { return nil }
        return try await store.read { try NoticeDeliveryRecords.nextDue(beside: carried, $0) }
    }

    private func deliver(_ delivery: NoticeDeliveryRecords.DueDelivery) async {
        let outcome = await attempt(delivery)
        // It was sent, or will not be: it must not be sent again before that is stored.
        while !Task.isCancelled {
            do { return try await recordOutcome(delivery, outcome) } catch {
                logger.error("notification delivery could not be stored", metadata: ["error": "\(type(of: error))"])
                do { try await environment.sleep(environment.now().addingTimeInterval(Self.initialBackoff * 5)) } catch { return }
            }
        }
    }

    /// Tries one delivery and returns its result; nil if it is too late, or if there is no address any more.
    private func attempt(_ delivery: NoticeDeliveryRecords.DueDelivery) async -> PushResult? {
        let (now, notice) = (environment.now(), delivery.notice)
        guard let sealed = delivery.sealed else { return .gone }
        do {
            // A channel that this house no longer has, or a push service that it no longer uses.
            guard let carrier = senders.withLock({ $0[sealed.way] }),
                let address = try subscriptions.open(sealed.text, sealed.way, of: delivery.subscriptionID)
            else { return nil }
            let left = NotificationDelivery.lifetime(notice.kind) - now.timeIntervalSince(notice.createdAt)
            // A delivery that is too late, or already seen elsewhere, is dropped.
            guard left > 0, try await isStillRelevant(delivery, at: now) else { return nil }
            return await carrier.send(try NotificationDelivery.makeMessage(notice, lasting: Int(left), sealing), to: address)
        } catch is DatabaseError {
            return .retry(after: nil)
        } catch is CancellationError {
            return .retry(after: nil)
        } catch {
            // A delivery that cannot be read now cannot be read later.
            logger.error("notification could not be created", metadata: ["error": "\(type(of: error))"])
            return nil
        }
    }

    private func isStillRelevant(_ delivery: NoticeDeliveryRecords.DueDelivery, at now: Date) async throws -> Bool {
        try await store.read { db in
            guard let known = try NoticeRecords.one(delivery.notice.id, db), known.acknowledgedAt == nil,
                try !NoticeDeliveryRecords.isSuperseded(delivery, db)
            else { return false }
            return try NotificationPlanner.isStillOpen(delivery.notice, at: now, db)
        }
    }

    /// Stores the result. A delivery to a gone subscription is deleted.
    private func recordOutcome(_ delivery: NoticeDeliveryRecords.DueDelivery, _ outcome: PushResult?) async throws {
        let now = environment.now()
        let wait = min(Self.maxBackoff, Self.initialBackoff * pow(2, Double(min(delivery.tries, 12))))
        try await store.write { db in
            switch outcome {
            case nil: try NoticeDeliveryRecords.complete(delivery.id, .givenUp, status: nil, at: now, in: db)
            case .retry(let after):
                let due = now.addingTimeInterval(max(wait, Double(after ?? 0)))
                try NoticeDeliveryRecords.postpone(delivery.id, until: due, in: db)
            case .gone:
                try NoticeDeliveryRecords.complete(delivery.id, .gone, status: nil, at: now, in: db)
                try db.execute(sql: "DELETE FROM push_subscriptions WHERE id = ?", arguments: [delivery.subscriptionID])
            case .accepted:
                try NoticeDeliveryRecords.complete(delivery.id, .taken, status: nil, at: now, in: db)
                try db.execute(
                    sql: "UPDATE push_subscriptions SET failures = 0 WHERE id = ? AND failures > 0", arguments: [delivery.subscriptionID])
            case .rejected(let status):
                try NoticeDeliveryRecords.complete(delivery.id, .refused, status: status, at: now, in: db)
                try db.execute(
                    sql: "UPDATE push_subscriptions SET failures = failures + 1 WHERE id = ?", arguments: [delivery.subscriptionID])
                try db.execute(
                    sql: "DELETE FROM push_subscriptions WHERE id = ? AND failures >= ?",
                    arguments: [delivery.subscriptionID, PushSubscriptions.failureLimit])
            }
        }
    }
}

/// Encodes a notification for delivery.
enum NotificationDelivery {
    /// Seconds for which it matters.
    static func lifetime(_ kind: NoticeKind) -> TimeInterval {
        switch kind {
        // As long as the door waits for approval.
        case .ask: 120
        case .ring, .danger: 3600
        case .person, .package: 4 * 3600
        case .vehicle, .animal, .motion, .other: 3600
        case .unusual, .automation: 4 * 3600
        // Due today, at any hour; a finished export is available for a day.
        case .maintenance, .work: 12 * 3600
        }
    }

    static func makeMessage(_ notice: Notice, lasting seconds: Int, _ sealing: SealingKey) throws -> PushMessage {
        var words: [String: JSONValue] = [
            "notice_id": .string(notice.id), "kind": .string(notice.kind.rawValue), "place": .string(notice.placeName),
            "at": .number(Double(notice.fact.at.milliseconds)),
        ]
        if let id = notice.eventID { words["event_id"] = .string(id) }
        if let id = notice.commandID { words["command_id"] = .string(id) }
        if let text = notice.fact.text { words["words"] = .string(text) }
        let urgency: PushMessage.Urgency =
            switch notice.kind {
            case .ask, .ring, .danger: .high
            case .person, .package, .unusual, .automation: .normal
            case .vehicle, .animal, .motion, .other, .maintenance, .work: .low
            }
        // Push services cannot tell which visit or camera it is about.
        func mark(_ what: String) -> String {
            Base64URL.encode(sealing.mark(Data("notices/\(notice.personID)/\(what)".utf8)).prefix(24))
        }
        return PushMessage(
            text: Data(try CanonicalJSON.encode(.object(words)).utf8), eventID: notice.eventID, timeToLive: seconds, urgency: urgency,
            // Only the last message of a visit needs to arrive.
            topic: mark(notice.fact.incident), thread: mark(notice.fact.place))
    }
}
