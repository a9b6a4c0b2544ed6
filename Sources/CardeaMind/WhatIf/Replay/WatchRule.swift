import CardeaModel
import Foundation

/// "If the garage is open for longer than ten minutes between 22:00 and 06:00, tell me."
public struct WatchRule: Hashable, Sendable {
    public var entityID: String
    /// Any of these words: `open`, `opening`.
    public var states: Set<String>
    /// Seconds.
    public var longerThan: TimeInterval
    /// By the house's clock; nil for always.
    public var activeHours: QuietHours?
    /// Where it has been so for long enough before the hours begin: whether it is told when they do, or not at all.
    public var waitsForActiveHours: Bool

    public init(entityID: String, words: Set<String>, longerThan: TimeInterval, between: QuietHours? = nil, waits: Bool = true) {
        self.entityID = entityID
        self.states = words
        self.longerThan = longerThan
        self.activeHours = between
        self.waitsForActiveHours = waits
    }

    /// A notice that the rule gives.
    public struct Notice: Hashable, Sendable {
        /// When it would have been given.
        public let at: Date
        /// Since when it had been so.
        public let since: Date
        /// The happening with which it began.
        public let cause: String
        /// False where the device was out of reach in between: it may have been otherwise for a while.
        public let isSure: Bool
    }

    /// The notices of a time, once for each while: at the first moment at which it has been so for longer than the rule says and the hour is
    /// right. Before the entity's first word nothing is known, and nothing is told.
    ///
    /// - Parameters:
    ///   - happenings: of any entity and in any order; with some before `from`, what was so already then is known.
    ///   - to: not part of it.
    public func notices(in happenings: [HouseEvent], from: Date, to: Date, zone: TimeZone) -> [Notice] {
        var notices: [Notice] = []
        // No calendar reaches further.
        let end = min(to, .distantFuture)
        var since: OngoingMatch?
        let gone = happenings.filter { happening in
            if case .deviceStatus(let status) = happening.fact { status != .online } else { false }
        }
        for happening in happenings.sorted(by: { ($0.at, $0.id) < ($1.at, $1.id) }) where .distantPast <= happening.at && happening.at < end
        {
            guard happening.entityID == entityID, case .state(let word) = happening.fact else { continue }
            switch (states.contains(word), since) {
            case (true, nil): since = OngoingMatch(at: happening.at, cause: happening.id, deviceID: happening.deviceID)
            case (false, let begun?):
                if let notice = notice(begun, until: happening.at, gone, zone) { notices.append(notice) }
                since = nil
            default: break
            }
        }
        if let since, let notice = notice(since, until: end, gone, zone) { notices.append(notice) }
        return notices.filter { from <= $0.at && $0.at < to }
    }

    private struct OngoingMatch {
        let at: Date
        let cause: String
        let deviceID: String?
    }

    /// - Parameter gone: when devices went out of reach.
    private func notice(_ begun: OngoingMatch, until end: Date, _ gone: [HouseEvent], _ zone: TimeZone) -> Notice? {
        let ripe = begun.at.addingTimeInterval(max(longerThan.isFinite ? longerThan : .greatestFiniteMagnitude, 0))
        guard ripe < end else { return nil }
        var moment = ripe
        if let activeHours, !activeHours.contains(ripe, in: zone) {
            guard waitsForActiveHours else { return nil }
            let hours = WeeklySchedule(lines: [.init(days: Set(Weekday.allCases), from: activeHours.from, to: activeHours.to)])
            guard let opening = hours.nextOpening(after: ripe, in: zone), opening < end else { return nil }
            moment = opening
        }
        let wasGone = gone.contains { begun.deviceID == $0.deviceID && begun.at <= $0.at && $0.at <= moment }
        return Notice(at: moment, since: begun.at, cause: begun.cause, isSure: !wasGone)
    }
}

extension WatchRule {
    /// What a rule tells of the same days as those that there are. One that is nil tells nothing.
    public struct Comparison: Hashable, Sendable {
        /// Told by both, as the other one tells it.
        public let kept: [Notice]
        /// Told by the rule as it is, and not by the other.
        public let missed: [Notice]
        /// Told by the other one only.
        public let added: [Notice]
        /// What is compared with.
        public let baseline: Baseline
    }

    /// What tells of an entity as the house is now.
    public enum Baseline: Hashable, Sendable {
        /// Any of these; a while of which several tell is told once.
        case rules([WatchRule])
        case nothing
        /// It hangs on more than a rule says, or whoever asks may not be told.
        case unknown

        fileprivate var rules: [WatchRule] {
            if case .rules(let rules) = self { rules } else { [] }
        }
    }

    public static func compare(
        _ former: Baseline, with other: WatchRule?, in happenings: [HouseEvent], from: Date, to: Date, zone: TimeZone
    ) -> Comparison {
        var seen: Set<String> = []
        let before = former.rules.flatMap { $0.notices(in: happenings, from: from, to: to, zone: zone) }
            .sorted { ($0.at, $0.cause) < ($1.at, $1.cause) }.filter { seen.insert($0.cause).inserted }
        let after = other?.notices(in: happenings, from: from, to: to, zone: zone) ?? []
        let (old, new) = (Set(before.map(\.cause)), Set(after.map(\.cause)))
        return Comparison(
            kept: after.filter { old.contains($0.cause) }, missed: before.filter { !new.contains($0.cause) },
            added: after.filter { !old.contains($0.cause) }, baseline: former)
    }
}
