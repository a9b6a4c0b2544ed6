import CardeaModel
import CardeaSecurity
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Tells people of what happens, wherever they are: follows the journal, calls the next one where nobody answers, and carries each notice
/// until its push service has it or it would come too late.
///
/// A push service that hangs holds up neither the house nor the other services: there are more hands than one service is given.
public final class NoticeCourier: Service, Sendable {
    private let store: Store
    private let telling: NoticeTelling
    private let subscriptions: PushSubscriptions
    private let sealing: SealingKey
    private let surroundings: Surroundings
    /// Something happened that somebody may be told of.
    private let signal = ChangeSignal()
    /// A parcel lies ready, or a hand is free.
    private let parcels = ChangeSignal()
    private let logger: Logger
    private let carriers = Mutex<[PushAddress.Way: any PushCarrier]>([:])
    private let underWay = Mutex(NoticeDeliveries.UnderWay())

    /// Parcels that are carried at a time.
    private static let hands = 16
    /// When it looks again though nobody has called.
    private static let rest: TimeInterval = 3600
    /// Seconds before a second try, and the longest before any.
    private static let firstWait: TimeInterval = 2
    private static let longestWait: TimeInterval = 900

    init(
        store: Store, sealing: SealingKey, subscriptions: PushSubscriptions, surroundings: Surroundings, logger: Logger
    ) {
        self.store = store
        self.sealing = sealing
        self.subscriptions = subscriptions
        self.surroundings = surroundings
        self.logger = logger
        telling = NoticeTelling(store: store, surroundings: surroundings)
        store.onCommit { [signal] rows in
            let mayMatter = rows.contains { row in
                row.kind == .eventRecorded || (row.kind == .commandAccepted && (row.about as? Command)?.asks != false)
                    || (row.kind == .mindChanged && row.data["notice"] != nil)
                    || (row.kind == .maintenanceChanged && row.data["due_on"] != nil)
            }
            if mayMatter { signal.changed() }
        }
    }

    /// Has `carrier` bring what goes that way.
    public func carry(_ way: PushAddress.Way, with carrier: any PushCarrier) {
        carriers.withLock { $0[way] = carrier }
    }

    /// Which ways there are from this house.
    public var ways: Set<PushAddress.Way> { carriers.withLock { Set($0.keys) } }

    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await self.again(self.signal) { try await self.tell() } }
                await self.again(self.parcels) { try await self.send(in: &group) }
                group.cancelAll()
            }
        }
    }

    /// Does `work` whenever something changes and when it says it is to be done next, until the hub ends.
    private func again(_ signal: ChangeSignal, _ work: () async throws -> Date?) async {
        while !Task.isCancelled {
            let seen = signal.changes
            var next = surroundings.now().addingTimeInterval(Self.rest)
            do {
                if let wanted = try await work() { next = min(next, wanted) }
            } catch is CancellationError {
                return
            } catch {
                // A disk that cannot be written to loses nobody a notice: the cursor stays where it is.
                logger.error("notices could not be written", metadata: ["error": "\(type(of: error))"])
                next = surroundings.now().addingTimeInterval(Self.firstWait * 5)
            }
            do { try await signal.change(after: seen, until: next, surroundings) } catch { return }
        }
    }

    /// Decides whom to tell of what has happened. `run` does it; nobody else need.
    ///
    /// - Returns: when the next one is to be told in another's place.
    @discardableResult
    public func tell() async throws -> Date? {
        while try await telling.follow() { try Task.checkCancellation() }
        try await telling.escalate()
        parcels.changed()
        return try await telling.nextEscalation()
    }

    // MARK: Carrying

    private func send(in group: inout DiscardingTaskGroup) async throws -> Date? {
        let now = surroundings.now()
        let busy = underWay.withLock { $0 }
        let due = try await store.read { try NoticeDeliveries.due(at: now, beside: busy, limit: max(0, Self.hands - busy.count), $0) }
        for delivery in due {
            underWay.withLock { $0.take(delivery.id, of: delivery.service) }
            group.addTask {
                await self.carry(delivery)
                self.underWay.withLock { $0.lay(delivery.id, of: delivery.service) }
                self.parcels.changed()
            }
        }
        let carried = underWay.withLock { $0 }
        guard carried.count < Self.hands else { return nil }
        return try await store.read { try NoticeDeliveries.next(beside: carried, $0) }
    }

    private func carry(_ delivery: NoticeDeliveries.Due) async {
        let outcome = await attempt(delivery)
        // It was sent, or will not be: until that is written down it is nobody's to send again.
        while !Task.isCancelled {
            do { return try await settle(delivery, outcome) } catch {
                logger.error("what became of a notice could not be written", metadata: ["error": "\(type(of: error))"])
                do { try await surroundings.sleep(surroundings.now().addingTimeInterval(Self.firstWait * 5)) } catch { return }
            }
        }
    }

    /// What became of one try; nil where it would come too late, or has no way any more.
    private func attempt(_ delivery: NoticeDeliveries.Due) async -> PushOutcome? {
        let (now, notice) = (surroundings.now(), delivery.notice)
        guard let sealed = delivery.sealed else { return .gone }
        do {
            // A way that this house has no longer, or a service that it does not send to any more.
            guard let carrier = carriers.withLock({ $0[sealed.way] }),
                let address = try subscriptions.open(sealed.text, sealed.way, of: delivery.subscriptionID)
            else { return nil }
            let left = NoticeParcel.lasts(notice.kind) - now.timeIntervalSince(notice.createdAt)
            // What would come too late to matter, and what they have seen elsewhere, need not come at all.
            guard left > 0, try await isWanted(delivery, at: now) else { return nil }
            return await carrier.deliver(try NoticeParcel.make(notice, lasting: Int(left), sealing), to: address)
        } catch is DatabaseError {
            return .later(after: nil)
        } catch is CancellationError {
            return .later(after: nil)
        } catch {
            // What cannot be read now cannot be read later.
            logger.error("a notice could not be made", metadata: ["error": "\(type(of: error))"])
            return nil
        }
    }

    private func isWanted(_ delivery: NoticeDeliveries.Due, at now: Date) async throws -> Bool {
        try await store.read { db in
            guard let known = try NoticeRecords.one(delivery.notice.id, db), known.acknowledgedAt == nil,
                try !NoticeDeliveries.isOvertaken(delivery, db)
            else { return false }
            return try NoticeTelling.isOpen(delivery.notice, at: now, db)
        }
    }

    /// Writes down what became of it. What leads nowhere is forgotten.
    private func settle(_ delivery: NoticeDeliveries.Due, _ outcome: PushOutcome?) async throws {
        let now = surroundings.now()
        let wait = min(Self.longestWait, Self.firstWait * pow(2, Double(min(delivery.tries, 12))))
        try await store.write { db in
            switch outcome {
            case nil: try NoticeDeliveries.settle(delivery.id, .givenUp, status: nil, at: now, in: db)
            case .later(let after):
                let due = now.addingTimeInterval(max(wait, Double(after ?? 0)))
                try NoticeDeliveries.postpone(delivery.id, until: due, in: db)
            case .gone:
                try NoticeDeliveries.settle(delivery.id, .gone, status: nil, at: now, in: db)
                try db.execute(sql: "DELETE FROM push_subscriptions WHERE id = ?", arguments: [delivery.subscriptionID])
            case .taken:
                try NoticeDeliveries.settle(delivery.id, .taken, status: nil, at: now, in: db)
                try db.execute(
                    sql: "UPDATE push_subscriptions SET failures = 0 WHERE id = ? AND failures > 0", arguments: [delivery.subscriptionID])
            case .refused(let status):
                try NoticeDeliveries.settle(delivery.id, .refused, status: status, at: now, in: db)
                try db.execute(
                    sql: "UPDATE push_subscriptions SET failures = failures + 1 WHERE id = ?", arguments: [delivery.subscriptionID])
                try db.execute(
                    sql: "DELETE FROM push_subscriptions WHERE id = ? AND failures >= ?",
                    arguments: [delivery.subscriptionID, PushSubscriptions.failureLimit])
            }
        }
    }
}

/// A notice as it goes on its way.
enum NoticeParcel {
    /// Seconds for which it matters.
    static func lasts(_ kind: NoticeKind) -> TimeInterval {
        switch kind {
        // As long as the door waits for an answer.
        case .ask: 120
        case .ring, .danger: 3600
        case .person, .package: 4 * 3600
        case .vehicle, .animal, .motion, .other: 3600
        case .unusual, .automation: 4 * 3600
        // It is to be done today, at any hour; what was packed lies there for a day.
        case .maintenance, .work: 12 * 3600
        }
    }

    static func make(_ notice: Notice, lasting seconds: Int, _ sealing: SealingKey) throws -> PushParcel {
        var words: [String: JSONValue] = [
            "notice_id": .string(notice.id), "kind": .string(notice.kind.rawValue), "place": .string(notice.placeName),
            "at": .number(Double(notice.fact.at.milliseconds)),
        ]
        if let id = notice.eventID { words["event_id"] = .string(id) }
        if let id = notice.commandID { words["command_id"] = .string(id) }
        if let said = notice.fact.words { words["words"] = .string(said) }
        let urgency: PushParcel.Urgency =
            switch notice.kind {
            case .ask, .ring, .danger: .high
            case .person, .package, .unusual, .automation: .normal
            case .vehicle, .animal, .motion, .other, .maintenance, .work: .low
            }
        // Nobody on the way can tell which visit it is, or which camera.
        func mark(_ what: String) -> String {
            Base64URL.encode(sealing.mark(Data("notices/\(notice.personID)/\(what)".utf8)).prefix(24))
        }
        return PushParcel(
            text: Data(try CanonicalJSON.encode(.object(words)).utf8), eventID: notice.eventID, timeToLive: seconds, urgency: urgency,
            // Of one visit only the last word need come through.
            topic: mark(notice.fact.incident), thread: mark(notice.fact.place))
    }
}
