import Foundation

/// RFC 3339 in UTC with milliseconds.
public enum Timestamp {
    public static func text(_ date: Date) -> String {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard (0..<253_402_300_800_000).contains(milliseconds) else {
            return date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
        }
        return text(milliseconds: Int(milliseconds))
    }

    /// The same for 1970 to 9999, without a calendar's detours: three of them go out with every change of a device.
    private static func text(milliseconds: Int) -> String {
        let (days, inDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = civilDate(days)
        let parts = [
            (year, 4, UInt8(ascii: "-")), (month, 2, UInt8(ascii: "-")), (day, 2, UInt8(ascii: "T")),
            (inDay / 3_600_000, 2, UInt8(ascii: ":")), (inDay / 60_000 % 60, 2, UInt8(ascii: ":")),
            (inDay / 1000 % 60, 2, UInt8(ascii: ".")),
            (inDay % 1000, 3, UInt8(ascii: "Z")),
        ]
        return String(unsafeUninitializedCapacity: 24) { text in
            var place = 0
            for (number, width, end) in parts {
                var rest = number
                for digit in (place..<place + width).reversed() {
                    text[digit] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[place + width] = end
                place += width + 1
            }
            return place
        }
    }

    /// Year, month and day in the Gregorian calendar, of days since 1970: years are counted from March, so that the day that comes
    /// every four years is a year's last (Hinnant, chrono-Compatible Low-Level Date Algorithms, `civil_from_days`).
    private static func civilDate(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, inEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * inYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, inYear - (153 * fromMarch + 2) / 5 + 1)
    }

    /// Reads RFC 3339 with or without a fraction, in any zone. Years 1970 to 9999.
    public static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 40, text.contains("T") || text.contains("t") else { return nil }
        let upper = text.utf8.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") } ? text.uppercased() : text
        guard isCalendarDate(upper) else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: upper.utf8.contains(UInt8(ascii: ".")))
        guard let date = try? style.parse(upper),
            (0..<253_402_300_800).contains(date.timeIntervalSince1970)
        else { return nil }
        return date
    }

    /// The parser rolls 30 February and 24:00 over into the next day; here they are no dates.
    private static func isCalendarDate(_ text: String) -> Bool {
        let numbers = text.prefix(19).split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        guard numbers.count == 6, (1...12).contains(numbers[1]), numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else { return false }
        let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[numbers[1] - 1]).contains(numbers[2])
    }
}
