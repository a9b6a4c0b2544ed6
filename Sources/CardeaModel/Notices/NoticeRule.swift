import Foundation

/// Whether somebody is told, and how.
public enum NoticeRule {
    public enum Verdict: Hashable, Sendable {
        /// Now, wherever they are.
        case deliver
        /// Kept for when they look: they want to be left alone, or it is too late to matter.
        case storeOnly
        /// Not at all: they do not want to know, or know already.
        case skip
    }

    /// Seconds after which nobody is called any more for what happened: a source may tell late, and the hub may have been off.
    public static let freshnessInterval: TimeInterval = 600

    /// What a person was last told of a visit.
    public struct PreviousNotice: Hashable, Sendable {
        public let kind: NoticeKind
        public let at: Date
        /// Kept, and not sent.
        public let isQuiet: Bool

        public init(kind: NoticeKind, at: Date, isQuiet: Bool = false) {
            self.kind = kind
            self.at = at
            self.isQuiet = isQuiet
        }
    }

    /// - Parameter last: what the person was last told of the same visit.
    public static func decide(_ fact: NoticeTrigger, for preferences: NoticePreferences, last: PreviousNotice?, at now: Date) -> Verdict {
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

    /// Whether somebody is told whom another one's silence has been passed on to. What kinds they chose does not matter then: nobody
    /// else answers. Only their quiet hours do.
    public static func decide(escalated fact: NoticeTrigger, for preferences: NoticePreferences, at now: Date) -> Verdict {
        guard preferences.isOn else { return .skip }
        let isLate = now.timeIntervalSince(fact.at) > freshnessInterval + Double(Escalation.range.upperBound)
        return isLate || preferences.quietHours?.suppresses(fact.kind, at: now) == true ? .storeOnly : .deliver
    }

    private static func shouldBeQuiet(_ fact: NoticeTrigger, _ preferences: NoticePreferences, at now: Date) -> Bool {
        now.timeIntervalSince(fact.at) > freshnessInterval || preferences.quietHours?.suppresses(fact.kind, at: now) == true
    }
}
