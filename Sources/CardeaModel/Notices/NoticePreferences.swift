import Foundation

/// The notifications that one person wants, and their quiet hours.
public struct NoticePreferences: Hashable, Sendable {
    public var isOn = true
    /// Kinds that the person chose. Danger and the end of work that they asked for are sent even if they are not among them.
    public var kinds: Set<NoticeKind> = [.ask, .ring, .person, .package, .unusual, .automation, .maintenance]
    /// Cameras and other sources that send no notifications.
    public var mutedPlaces: Set<String> = []
    public var quietHours: PersonalQuietHours?
    /// Seconds after a notification in which the same visit sends no further one, except one of higher priority.
    public var cooldown = 300
    public var escalation: Escalation?
    /// Rises with every change; 0 before the first one.
    public var version = 0

    public init() {}

    public static let cooldownRange = 0...86_400
    static let mutedLimit = 200

    /// Throws if it cannot be stored.
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
