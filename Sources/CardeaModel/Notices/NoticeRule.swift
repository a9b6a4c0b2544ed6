import Foundation

/// Decides whether and how a person is notified.
public enum NoticeRule {
    public enum Verdict: Hashable, Sendable {
        /// Sent now.
        case deliver
        /// Stored only: the person has quiet hours, or it is too late to matter.
        case storeOnly
        /// Not at all: the person does not want it, or has had it already.
        case skip
    }

    /// Seconds after an event in which a notification is still sent: a source may report late, and the hub may have been off.
    public static let freshnessInterval: TimeInterval = 600

    /// The last notification that a person got about a visit.
    public struct PreviousNotice: Hashable, Sendable {
        public let kind: NoticeKind
        public let at: Date
        /// True if it was stored and not sent.
        public let isQuiet: Bool

        public init(kind: NoticeKind, at: Date, isQuiet: Bool = false) {
            self.kind = kind
            self.at = at
            self.isQuiet = isQuiet
        }
    }

    /// - Parameter last: the person's last notification about the same visit.
    public static func decide(_ fact: NotifiableFact, for preferences: NoticePreferences, last: PreviousNotice?, at now: Date) -> Verdict {
        guard preferences.isOn, fact.kind.isMandatory || fact.kind.isOnRequest || preferences.kinds.contains(fact.kind),
            !preferences.mutedPlaces.contains(fact.place)
        else { return .skip }
        let isQuiet = shouldBeQuiet(fact, preferences, at: now)
        if let last, !fact.kind.outranks(than: last.kind), now.timeIntervalSince(last.at) < Double(preferences.cooldown),
            isQuiet || !last.isQuiet
        {
            return .skip
        }
        return isQuiet ? .storeOnly : .deliver
    }

    /// Decides on a notification that is escalated because another person did not acknowledge it. The kinds that this person chose do not
    /// count then, because no other person answers; their quiet hours do.
    public static func decide(escalated fact: NotifiableFact, for preferences: NoticePreferences, at now: Date) -> Verdict {
        guard preferences.isOn else { return .skip }
        let isLate = now.timeIntervalSince(fact.at) > freshnessInterval + Double(Escalation.range.upperBound)
        return isLate || preferences.quietHours?.suppresses(fact.kind, at: now) == true ? .storeOnly : .deliver
    }

    private static func shouldBeQuiet(_ fact: NotifiableFact, _ preferences: NoticePreferences, at now: Date) -> Bool {
        now.timeIntervalSince(fact.at) > freshnessInterval || preferences.quietHours?.suppresses(fact.kind, at: now) == true
    }
}
