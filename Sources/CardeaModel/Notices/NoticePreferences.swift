import Foundation

/// What one person wants to be told of, and when not.
public struct NoticePreferences: Hashable, Sendable {
    public var isOn = true
    /// Danger, and that what they asked for is at its end, are told whether they are among them or not.
    public var kinds: Set<NoticeKind> = [.ask, .ring, .person, .package, .unusual, .automation, .maintenance]
    /// Cameras, and sources without one, of which nothing is told.
    public var mutedPlaces: Set<String> = []
    public var quietHours: PersonalQuietHours?
    /// Seconds after a notice in which the same visit is not told of again, unless by something that matters more.
    public var cooldown = 300
    public var escalation: Escalation?
    /// Rises with every change; 0 while nothing was ever chosen.
    public var version = 0

    public init() {}

    public static let cooldownRange = 0...86_400
    static let mutedLimit = 200

    /// Refuses what cannot be kept.
    public func check() throws(FieldError) {
        try FieldError.check(Double(cooldown), 0...Double(Self.cooldownRange.upperBound), "cooldown_seconds")
        guard mutedPlaces.count <= Self.mutedLimit else { throw .tooMany(field: "muted", Self.mutedLimit) }
        if let escalation {
            let range = Escalation.range
            try FieldError.check(
                Double(escalation.after), Double(range.lowerBound)...Double(range.upperBound), "escalation.after_seconds")
        }
    }
}

/// Hours of the day in which somebody wants to be left alone, by the clock of one zone.
public struct PersonalQuietHours: Hashable, Sendable {
    public var hours: QuietHours
    public var zone: TimeZone
    /// Whether what waits for an answer comes through.
    public var letsCriticalThrough: Bool

    public init(hours: QuietHours, zone: TimeZone, letsCriticalThrough: Bool = true) {
        self.hours = hours
        self.zone = zone
        self.letsCriticalThrough = letsCriticalThrough
    }

    public func contains(_ instant: Date) -> Bool { hours.contains(instant, in: zone) }

    func suppresses(_ kind: NoticeKind, at instant: Date) -> Bool {
        !kind.isMandatory && !(letsCriticalThrough && kind.isCritical) && contains(instant)
    }
}

/// Who is told next when somebody does not say that they have seen it.
public struct Escalation: Hashable, Sendable {
    /// Seconds without an answer.
    public var after: Int
    public var personID: String

    public init(after: Int, personID: String) {
        self.after = after
        self.personID = personID
    }

    public static let range = 30...3600
    /// Of what: who only passed by is nobody's business at night.
    public static let kinds: Set<NoticeKind> = [.ask, .ring]
}
