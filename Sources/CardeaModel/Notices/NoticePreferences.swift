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
