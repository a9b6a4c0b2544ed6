import Foundation

/// The daily hours in which a person wants no notifications, in one time zone.
public struct PersonalQuietHours: Hashable, Sendable {
    public var hours: QuietHours
    public var zone: TimeZone
    /// True if notifications that wait for an answer come through.
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
