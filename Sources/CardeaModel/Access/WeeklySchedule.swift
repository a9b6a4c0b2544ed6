import Foundation

/// The times of a week at which something is allowed, in the house's time zone.
///
/// A window belongs to the day on which it begins: Friday 22:00 to 02:00 ends on Saturday. When clocks change, a time that does not exist
/// becomes the first moment after the gap; of a time that occurs twice, `from` means the first and `to` the last. So a guest is never an
/// hour early or late by local time.
public struct WeeklySchedule: Codable, Hashable, Sendable {
    public var lines: [Window]

    public init(lines: [Window]) {
        self.lines = lines
    }

    public struct Window: Codable, Hashable, Sendable {
        public var days: Set<Weekday>
        public var from: TimeOfDay
        /// Not after `from` means: runs past midnight; equal means a whole day.
        public var to: TimeOfDay

        public init(days: Set<Weekday>, from: TimeOfDay, to: TimeOfDay) {
            self.days = days
            self.from = from
            self.to = to
        }
    }

    /// Returns whether `instant` lies in one of the windows.
    public func contains(_ instant: Date, in zone: TimeZone) -> Bool {
        let calendar = Calendar.houseCalendar(zone)
        let today = calendar.startOfDay(for: instant)
        return (-1...0).contains { offset in
            intervals(offset, from: today, calendar: calendar).contains { $0.start <= instant && instant < $0.end }
        }
    }

    /// The first moment after `instant` at which a window begins, or nil when no day is named.
    public func nextOpening(after instant: Date, in zone: TimeZone) -> Date? {
        let calendar = Calendar.houseCalendar(zone)
        let today = calendar.startOfDay(for: instant)
        for offset in 0...8 {
            let starts = intervals(offset, from: today, calendar: calendar).filter { $0.start > instant && $0.start < $0.end }
            if let first = starts.map(\.start).min() { return first }
        }
        return nil
    }

    private func intervals(_ offset: Int, from today: Date, calendar: Calendar) -> [(start: Date, end: Date)] {
        // Noon exists on every day, whatever the clock changes, so a day is counted from noon to noon.
        let noons = [offset, offset + 1].compactMap { days in
            calendar.date(byAdding: .hour, value: 12, to: today).flatMap { calendar.date(byAdding: .day, value: days, to: $0) }
        }
        return zip(noons, noons.dropFirst()).flatMap { day, next in
            let weekday = Weekday(gregorian: calendar.component(.weekday, from: day))
            return lines.filter { $0.days.contains(weekday) }.map { line in
                let endDay = line.to <= line.from ? next : day
                return (
                    start: line.from.moment(on: day, last: false, zone: calendar.timeZone),
                    end: line.to.moment(on: endDay, last: true, zone: calendar.timeZone)
                )
            }
        }
    }
}

extension KeyedDecodingContainer {
    /// The time of day at which something ends.
    public func decodeEnd(forKey key: Key) throws -> TimeOfDay { try decode(TimeOfDay.EndTime.self, forKey: key).time }
}

extension Calendar {
    static func houseCalendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
