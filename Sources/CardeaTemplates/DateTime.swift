import Foundation

/// A date and a time of day, as Python's `datetime`: the time on the wall, and a zone or none.
struct DateTime: Sendable {
    enum Zone: Hashable, Sendable {
        case naive
        case utc
        case fixed(seconds: Int)
        case local(TimeZone)
    }

    /// Microseconds since 1970 on the clock of the zone.
    let wall: Int
    let zone: Zone

    static let second = 1_000_000
    static let day = 86_400 * second
    /// From the year 1 to the year 9999.
    private static let range = -62_135_596_800 * second..<253_402_300_800 * second

    init(wall: Int, zone: Zone) throws(TemplateError) {
        guard Self.range.contains(wall) else { throw .value("the year is out of range") }
        self.wall = wall
        self.zone = zone
    }

    /// The time that a clock in `zone` shows at an instant.
    init(instant: Int, zone: Zone) throws(TemplateError) {
        guard Self.range.contains(instant) else { throw .value("the year is out of range") }
        let offset: Int =
            switch zone {
            case .naive, .utc: 0
            case .fixed(let seconds): seconds
            case .local(let zone): zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant) / Double(Self.second)))
            }
        try self.init(wall: instant + offset * Self.second, zone: zone)
    }

    init(seconds: Double, zone: Zone) throws(TemplateError) {
        guard seconds.isFinite, seconds.magnitude < 1e12 else { throw .value("the year is out of range") }
        let whole = seconds.rounded(.down)
        let micros = ((seconds - whole) * Double(Self.second)).rounded(.toNearestOrEven)
        guard let seconds = Int(exactly: whole), let micros = Int(exactly: micros) else { throw .value("the year is out of range") }
        try self.init(instant: seconds * Self.second + micros, zone: zone)
    }

    var isAware: Bool { zone != .naive }

    /// Seconds east of Greenwich at this time; zero without a zone.
    var offset: Int {
        switch zone {
        case .naive, .utc: return 0
        case .fixed(let seconds): return seconds
        case .local(let zone):
            // Around a clock change, the earlier offset counts.
            let seconds = Double(wall) / Double(Self.second)
            let first = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
            let second = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds - Double(first)))
            guard first != second else { return first }
            let third = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds - Double(second)))
            return third == second ? second : min(second, third)
        }
    }

    var instant: Int { wall - offset * Self.second }

    func isEqual(to other: DateTime) -> Bool {
        isAware == other.isAware && instant == other.instant
    }

    func moved(to zone: Zone) throws(TemplateError) -> DateTime { try DateTime(instant: instant, zone: zone) }

    // MARK: The calendar

    struct Fields {
        var year = 1900
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var microsecond = 0
    }

    static func floorDivide(_ number: Int, by divisor: Int) -> Int {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    var fields: Fields {
        let days = Self.floorDivide(wall, by: Self.day)
        let rest = wall - days * Self.day
        // Counted from March of the year 0, in eras of 400 years.
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return Fields(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1,
            hour: rest / (3_600 * Self.second), minute: rest / (60 * Self.second) % 60, second: rest / Self.second % 60,
            microsecond: rest % Self.second)
    }

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = floorDivide(year, by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func daysOfMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    init(_ fields: Fields, zone: Zone) throws(TemplateError) {
        guard (1...9999).contains(fields.year), (1...12).contains(fields.month),
            (1...Self.daysOfMonth(fields.month, of: fields.year)).contains(fields.day), (0...23).contains(fields.hour),
            (0...59).contains(fields.minute), (0...59).contains(fields.second), (0..<Self.second).contains(fields.microsecond)
        else { throw .value("a part of the time is out of range") }
        let seconds = fields.hour * 3_600 + fields.minute * 60 + fields.second
        let days = Self.days(year: fields.year, month: fields.month, day: fields.day)
        try self.init(wall: days * Self.day + seconds * Self.second + fields.microsecond, zone: zone)
    }

    /// From 0 for Monday.
    var weekday: Int {
        let day = (Self.floorDivide(wall, by: Self.day) + 3) % 7
        return day < 0 ? day + 7 : day
    }

    var dayOfYear: Int {
        let year = fields.year
        return Self.floorDivide(wall, by: Self.day) - Self.days(year: year, month: 1, day: 1) + 1
    }

    /// Seconds since 1970. Without a zone, the clock of `home` counts.
    func timestamp(in home: TimeZone) throws(TemplateError) -> Double {
        let aware = isAware ? self : try DateTime(wall: wall, zone: .local(home))
        return Double(aware.instant) / Double(Self.second)
    }
}

/// Python's `timedelta`.
struct TimeDelta: Sendable {
    let microseconds: Int

    var days: Int { DateTime.floorDivide(microseconds, by: DateTime.day) }
    var seconds: Int { (microseconds - days * DateTime.day) / DateTime.second }
    var rest: Int { (microseconds - days * DateTime.day) % DateTime.second }

    init(microseconds: Int) {
        self.microseconds = microseconds
    }

    /// Throws for more than the calendar's years.
    init(seconds: Double) throws(TemplateError) {
        guard seconds.isFinite, seconds.magnitude < 1e12, let microseconds = Int(exactly: (seconds * 1e6).rounded(.toNearestOrEven)) else {
            throw .limit(.number)
        }
        self.microseconds = microseconds
    }
}
