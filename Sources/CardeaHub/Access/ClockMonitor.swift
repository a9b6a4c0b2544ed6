import CardeaModel
import CardeaStore
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Synchronization

/// Checks whether the machine's clock can be trusted, and reports when it cannot.
///
/// A pass ends by the clock, so a clock that goes back would make an expired pass valid again: while the clock is behind, no pass opens
/// anything. Residents still get in. A clock that leapt ahead would delete stored data too early: until it is trusted, nothing is deleted
/// by it.
public final class ClockMonitor: Service, Sendable {
    let store: Store
    let environment: HubEnvironment
    let logger: Logger
    private let observation: Mutex<Observation>
    /// The last sign of life before this start: a clock check, or a row of the journal; nil in a house whose clock was not watched yet.
    let lastRun: Date?

    private struct Observation {
        var mark: ClockTrust
        /// True if the clock was behind at the last check.
        var wasBehind: Bool
    }

    /// The seconds between two checks.
    static let interval: TimeInterval = 60

    init(store: Store, environment: HubEnvironment, logger: Logger) async throws {
        (self.store, self.environment, self.logger) = (store, environment, logger)
        let now = environment.now()
        // A house from before the clock was watched: its last journal entry counts as a sign of life.
        let (lastRun, mark) = try await store.read { db in
            let mark = try ClockRecords.mark(db)
            let lastRun = try mark.map { min(now, max($0.observedAt, try ClockMonitor.lastJournalDate(before: now, db) ?? $0.observedAt)) }
            return (lastRun, try mark ?? ClockTrust(trusting: max(now, ClockRecords.lastAuditDate(db) ?? now)))
        }
        self.lastRun = lastRun
        observation = Mutex(Observation(mark: mark, wasBehind: mark.status(at: mark.observedAt).isBehind))
        try await check(at: now)
    }

    private static func lastJournalDate(before now: Date, _ db: Database) throws -> Date? {
        try Int64.fetchOne(
            db.cachedStatement(
                sql: "SELECT at FROM (SELECT seq, at FROM journal ORDER BY seq DESC LIMIT 1000) WHERE at <= ? ORDER BY seq DESC LIMIT 1"),
            arguments: [now.milliseconds]
        ).map(Date.init(milliseconds:))
    }

    public func run() async throws {
        try await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                let now = environment.now()
                do { try await environment.sleep(now.addingTimeInterval(Self.interval)) } catch is CancellationError { return }
                do { try await check(at: environment.now()) } catch {
                    // The result is in memory, and the next check writes it.
                    logger.warning("clock mark could not be stored", metadata: ["error": "\(type(of: error))"])
                }
            }
        }
    }

    /// True if the clock is behind, so that passes must not be judged by it. Also correct between two checks: the clock may have gone back
    /// this second.
    func isBehind(at now: Date) -> Bool {
        observation.withLock { seen in
            switch seen.mark.status(at: now) {
            case .behind: return true
            case .trusted:
                if seen.mark.jumpedAt == nil { seen.mark.trustedUntil = max(seen.mark.trustedUntil, now) }
                return false
            case .ahead: return false
            }
        }
    }

    /// Throws if the clock is behind. For credentials of limited validity that make a person a resident, or a phone theirs.
    func requireNotBehind(at now: Date) throws { if isBehind(at: now) { throw ClockBehindError() } }

    public func status() -> ClockTrust.Status { observation.withLock { $0.mark }.status(at: environment.now()) }

    /// Checks the clock, and notifies the people who look after the house when its status changes.
    func check(at now: Date) async throws {
        let (before, after) = observation.withLock { seen in
            let before = seen
            seen.mark.observe(at: now)
            seen.wasBehind = seen.mark.status(at: now).isBehind
            return (before, seen.mark)
        }
        let words = Self.notice(before, after, at: now)
        do {
            try await store.write { db in
                try ClockRecords.set(after, in: db)
                guard let words else { return }
                try AuditLog.append(
                    .init(who: .house, action: "clock.look", result: .refused, reason: words.reason), in: .house(db, at: now))
                try Journal.append(
                    .mindChanged, subject: "clock:\(words.reason.rawValue):\(now.milliseconds)",
                    data: [
                        "notice": .string(NoticeKind.unusual.rawValue), "words": .string(words.sentence),
                        "needs": .string(Right.modifySettings.rawValue),
                    ], at: now, in: db)
            }
        } catch {
            // The next check notifies again.
            observation.withLock { $0 = before }
            throw error
        }
    }

    /// Trusts the present clock, because a person who looks after the house confirmed it.
    public func trust(at now: Date) async throws {
        try await Self.trust(store, at: now)
        observation.withLock { $0 = Observation(mark: ClockTrust(trusting: now), wasBehind: false) }
    }

    /// The same in a house that no hub serves just now.
    public static func trust(_ store: Store, at now: Date) async throws {
        try await store.write { db in
            try ClockRecords.set(ClockTrust(trusting: now), in: db)
            try AuditLog.append(.init(who: .house, action: "clock.trust", result: .done), in: .house(db, at: now))
        }
    }

    /// The clock's status in a house that no hub serves just now.
    public static func status(_ store: Store, at now: Date) async throws -> ClockTrust.Status {
        try await store.read { try ClockRecords.mark($0) }?.status(at: now) ?? .trusted
    }

    // MARK: Texts

    private static func notice(_ before: Observation, _ after: ClockTrust, at now: Date) -> (reason: AuditReason, sentence: String)? {
        switch after.status(at: now) {
        case .trusted: return nil
        case .behind(let seconds):
            guard !before.wasBehind else { return nil }
            return (
                .behind,
                "The house's clock went back by \(durationText(seconds)). Passes do not open doors until it is right. Set the hub's clock."
            )
        case .ahead(let seconds, let until):
            guard after.jumpedAt != before.mark.jumpedAt else { return nil }
            let end = until == nil ? "Until you confirm it with cardea-hub clock --trust" : "For a day"
            return (.ahead, "The house's clock is \(durationText(seconds)) ahead of its last confirmed time. \(end), nothing is deleted.")
        }
    }

    /// The duration in everyday words.
    static func durationText(_ seconds: TimeInterval) -> String {
        let units: [(Double, String)] = [(86_400 * 365.25, "year"), (86_400, "day"), (3600, "hour"), (60, "minute")]
        let (size, name) = units.first { seconds >= $0.0 } ?? (1, "second")
        let count = Int((seconds / size).rounded(.down))
        return count == 1 ? "1 \(name)" : "\(count) \(name)s"
    }
}

extension ClockTrust.Status {
    fileprivate var isBehind: Bool { if case .behind = self { true } else { false } }

    /// The problem and its remedy; nil when the clock is trusted.
    public var message: String? {
        switch self {
        case .trusted: nil
        case .behind(let seconds):
            """
            The clock is \(ClockMonitor.durationText(seconds)) behind its last confirmed time: passes do not open doors until it is right. Set the \
            clock. If it is right, run cardea-hub clock --trust.
            """
        case .ahead(let seconds, let until):
            """
            The clock is \(ClockMonitor.durationText(seconds)) ahead of its last confirmed time: nothing is deleted \
            \(until.map { "until \($0.formatted(.iso8601))" } ?? "until it is confirmed"). If it is right, run cardea-hub clock --trust.
            """
        }
    }
}
