import Foundation

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
