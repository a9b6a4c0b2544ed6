import Foundation

/// Converts between instants and the local days and minutes of a time zone, across changes of summer time.
public struct LocalCalendar: Sendable {
    public let zone: TimeZone

    public init(_ zone: TimeZone) {
        self.zone = zone
    }

    /// A day by its number; days follow each other without a gap, however long each is.
    public struct Day: Hashable, Comparable, Sendable {
        public let number: Int

        public static func < (one: Day, other: Day) -> Bool { one.number < other.number }
        public func later(by days: Int) -> Day { Day(number: number &+ days) }

        /// 0 for Monday. Day 0 is 1 January 1970, a Thursday.
        public var weekday: Int { ((number + 3) % 7 + 7) % 7 }
    }

    public func day(of instant: Date) -> Day {
        Day(number: Int((localTime(instant) / 86400).rounded(.down).clamped(to: -1_000_000...3_000_000)))
    }

    public func minutes(of instant: Date) -> Int {
        let seconds = localTime(instant)
        return Int(((seconds - (seconds / 86400).rounded(.down) * 86400) / 60).rounded(.down))
    }

    /// The moment at which local time is that many minutes after the day's midnight; past 1440 it is the next day's. Of a time that occurs
    /// twice the first, of one that does not occur the first moment after the gap.
    public func moment(_ day: Day, _ minutes: Int = 0) -> Date {
        let shown = Double(day.number) * 86400 + Double(minutes) * 60
        let guess = Date(timeIntervalSince1970: shown)
        let (before, after) = (offset(guess - 86400), offset(guess + 86400))
        let showing = [shown - before, shown - after].filter { offset(Date(timeIntervalSince1970: $0)) == shown - $0 }
        if let instant = showing.min() { return Date(timeIntervalSince1970: instant) }
        // In the gap: the first moment after it lies between the readings by the new offset and by the old one.
        var (early, late) = (shown - after, shown - before)
        while late - early > 1 {
            let middle = early + ((late - early) / 2).rounded(.down)
            if offset(Date(timeIntervalSince1970: middle)) == before { early = middle } else { late = middle }
        }
        return Date(timeIntervalSince1970: late)
    }

    /// Day, month and year; nil for a date that does not exist.
    public func day(_ day: Int, month: Int, year: Int) -> Day? {
        guard (1...31).contains(day), (1...12).contains(month), (1900...2500).contains(year) else { return nil }
        let found = Day(number: Self.number(day, month, year))
        let parts = date(found)
        return parts.day == day && parts.month == month ? found : nil
    }

    public func date(_ day: Day) -> (day: Int, month: Int, year: Int) {
        // Days to civil date, after Howard Hinnant's "chrono-compatible low-level date algorithms".
        let shifted = day.number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (ofYear - (153 * shiftedMonth + 2) / 5 + 1, month, yearOfEra + era * 400 + (month <= 2 ? 1 : 0))
    }

    private static func number(_ day: Int, _ month: Int, _ year: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
    }

    private func offset(_ instant: Date) -> Double { Double(zone.secondsFromGMT(for: instant)) }
    private func localTime(_ instant: Date) -> Double { instant.timeIntervalSince1970 + offset(instant) }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}
