import Foundation

/// Something that somebody may want to be told of.
public struct NoticeTrigger: Hashable, Sendable {
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
    public let text: String?
    /// The same to those who read temperatures otherwise, where there is one in it.
    public let localizedText: [TemperatureUnit: String]
    /// The only one whom it concerns; nil for everybody who may know.
    public let personID: String?
    /// Only whoever holds it may know.
    public let requiredRight: Right

    public init(
        kind: NoticeKind, subject: String, incident: String, place: String, at: Date, words: String? = nil,
        wordsIn: [TemperatureUnit: String] = [:], personID: String? = nil, needs: Right? = nil
    ) {
        self.kind = kind
        self.subject = subject
        self.incident = incident
        self.place = place
        self.at = at
        self.text = words
        self.localizedText = wordsIn
        self.personID = personID
        self.requiredRight = needs ?? (kind == .ask ? .inviteGuests : .controlDevices)
    }

    /// In the words of somebody who reads temperatures so.
    public func localized(in unit: TemperatureUnit) -> NoticeTrigger {
        NoticeTrigger(
            kind: kind, subject: subject, incident: incident, place: place, at: at, words: localizedText[unit] ?? text, personID: personID,
            needs: requiredRight)
    }
}

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
