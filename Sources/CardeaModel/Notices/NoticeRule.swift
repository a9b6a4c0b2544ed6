import Foundation

/// Something that somebody may want to be told of.
public struct NoticeFact: Hashable, Sendable {
    public let kind: NoticeKind
    /// The event, the command that waits for a yes, or the job that is at its end.
    public let subject: String
    /// What belongs together and is told once: a visit at the door, an ask.
    public let incident: String
    /// The camera, or the source where there is none; the device of an ask.
    public let place: String
    /// When it happened.
    public let at: Date
    /// What there is to say, where its kind and its place do not say it.
    public let words: String?
    /// The same to those who read temperatures otherwise, where there is one in it.
    public let wordsIn: [TemperatureUnit: String]
    /// The only one whom it concerns; nil for everybody who may know.
    public let personID: String?
    /// Only whoever holds it may know.
    public let needs: Right

    public init(
        kind: NoticeKind, subject: String, incident: String, place: String, at: Date, words: String? = nil,
        wordsIn: [TemperatureUnit: String] = [:], personID: String? = nil, needs: Right? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.incident = incident
        self.place = place
        self.at = at
        self.words = words
        self.wordsIn = wordsIn
        self.personID = personID
        self.needs = needs ?? (kind == .ask ? .inviteGuests : .controlDevices)
    }

    /// In the words of somebody who reads temperatures so.
    public func told(in unit: TemperatureUnit) -> NoticeFact {
        NoticeFact(
            kind: kind, subject: subject, incident: incident, place: place, at: at, words: wordsIn[unit] ?? words, personID: personID,
            needs: needs)
    }
}

/// Whether somebody is told, and how.
public enum NoticeRule {
    public enum Verdict: Hashable, Sendable {
        /// Now, wherever they are.
        case tell
        /// Kept for when they look: they want to be left alone, or it is too late to matter.
        case keep
        /// Not at all: they do not want to know, or know already.
        case pass
    }

    /// Seconds after which nobody is called any more for what happened: a source may tell late, and the hub may have been off.
    public static let fresh: TimeInterval = 600

    /// What a person was last told of a visit.
    public struct Last: Hashable, Sendable {
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
    public static func decide(_ fact: NoticeFact, for preferences: NoticePreferences, last: Last?, at now: Date) -> Verdict {
        guard preferences.isOn, fact.kind.isAlwaysTold || fact.kind.isAskedFor || preferences.kinds.contains(fact.kind),
            !preferences.mutedPlaces.contains(fact.place)
        else { return .pass }
        let isQuiet = quietly(fact, preferences, at: now)
        if let last, !fact.kind.mattersMore(than: last.kind), now.timeIntervalSince(last.at) < Double(preferences.cooldown),
            isQuiet || !last.isQuiet
        {
            return .pass
        }
        return isQuiet ? .keep : .tell
    }

    /// Whether somebody is told whom another one's silence has been passed on to. What kinds they chose does not matter then: nobody
    /// else answers. Only their quiet hours do.
    public static func decide(escalated fact: NoticeFact, for preferences: NoticePreferences, at now: Date) -> Verdict {
        guard preferences.isOn else { return .pass }
        let isLate = now.timeIntervalSince(fact.at) > fresh + Double(Escalation.range.upperBound)
        return isLate || preferences.quietHours?.hold(fact.kind, at: now) == true ? .keep : .tell
    }

    private static func quietly(_ fact: NoticeFact, _ preferences: NoticePreferences, at now: Date) -> Bool {
        now.timeIntervalSince(fact.at) > fresh || preferences.quietHours?.hold(fact.kind, at: now) == true
    }
}
