import CardeaModel
import Foundation

/// "If the garage is open for longer than ten minutes between 22:00 and 06:00, tell me."
public struct WatchRule: Hashable, Sendable {
    public var entityID: String
    /// Any of these states: `open`, `opening`.
    public var states: Set<String>
    /// Seconds.
    public var longerThan: TimeInterval
    /// The hours in which it applies, by the house's clock; nil for always.
    public var activeHours: QuietHours?
    /// If the state has lasted long enough before the active hours begin: true to give the notification when they do, false to give none.
    public var waitsForActiveHours: Bool

    public init(entityID: String, words: Set<String>, longerThan: TimeInterval, between: QuietHours? = nil, waits: Bool = true) {
        self.entityID = entityID
        self.states = words
        self.longerThan = longerThan
        self.activeHours = between
        self.waitsForActiveHours = waits
    }

    /// A notification that the rule gives.
    public struct Notice: Hashable, Sendable {
        /// The time at which it would have been given.
        public let at: Date
        /// The time since which the entity was in the state.
        public let since: Date
        /// The id of the event with which the state began.
        public let cause: String
        /// False if the device was out of reach in between: its state may have been another for some time.
        public let isSure: Bool
    }

    /// The notifications of a period, one for each time that the entity is in the state: at the first moment at which it has lasted longer
    /// than `longerThan`, within the active hours. Nothing is known before the entity's first report, so no notification is given.
    ///
    /// - Parameters:
    ///   - events: events of any entity, in any order. Events before `from` tell the state at its beginning.
    ///   - to: the end of the period, exclusive.
    public func notices(in events: [HouseEvent], from: Date, to: Date, zone: TimeZone) -> [Notice] {
        var notices: [Notice] = []
        // `Calendar` has no later dates.
        let end = min(to, .distantFuture)
        var since: OngoingMatch?
        let gone = events.filter { event in
            if case .deviceStatus(let status) = event.fact { status != .online } else { false }
        }
        for event in events.sorted(by: { ($0.at, $0.id) < ($1.at, $1.id) }) where .distantPast <= event.at && event.at < end {
            guard event.entityID == entityID, case .state(let word) = event.fact else { continue }
            switch (states.contains(word), since) {
            case (true, nil): since = OngoingMatch(at: event.at, cause: event.id, deviceID: event.deviceID)
            case (false, let begun?):
                if let notice = notice(begun, until: event.at, gone, zone) { notices.append(notice) }
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

    /// - Parameter gone: the events of devices that went out of reach.
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
    /// The notifications of a rule, compared with the notifications of today's rules over the same days. A rule that is nil gives none.
    public struct Comparison: Hashable, Sendable {
        /// Notifications that both give, as the other rule gives them.
        public let kept: [Notice]
        /// Notifications of today's rules that the other rule would not give.
        public let missed: [Notice]
        /// Notifications that only the other rule gives.
        public let added: [Notice]
        /// The rules of today that it is compared with.
        public let baseline: Baseline
    }

    /// The rules by which notifications about an entity are given today.
    public enum Baseline: Hashable, Sendable {
        /// Any of these rules. A notification that several of them give is counted once.
        case rules([WatchRule])
        case nothing
        /// The automations have more conditions than a rule can express, or the requester may not see them.
        case unknown

        fileprivate var rules: [WatchRule] {
            if case .rules(let rules) = self { rules } else { [] }
        }
    }

    public static func compare(
        _ former: Baseline, with other: WatchRule?, in events: [HouseEvent], from: Date, to: Date, zone: TimeZone
    ) -> Comparison {
        var seen: Set<String> = []
        let before = former.rules.flatMap { $0.notices(in: events, from: from, to: to, zone: zone) }
            .sorted { ($0.at, $0.cause) < ($1.at, $1.cause) }.filter { seen.insert($0.cause).inserted }
        let after = other?.notices(in: events, from: from, to: to, zone: zone) ?? []
        let (old, new) = (Set(before.map(\.cause)), Set(after.map(\.cause)))
        return Comparison(
            kept: after.filter { old.contains($0.cause) }, missed: before.filter { !new.contains($0.cause) },
            added: after.filter { !old.contains($0.cause) }, baseline: former)
    }
}
