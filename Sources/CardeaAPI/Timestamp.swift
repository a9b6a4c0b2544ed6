import Foundation

/// RFC 3339 in UTC with milliseconds.
public enum Timestamp {
    public static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }

    /// Reads RFC 3339 with or without a fraction, in any zone. Years 1970 to 9999.
    public static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 40, text.contains("T") || text.contains("t") else { return nil }
        let upper = text.utf8.contains { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: "z") } ? text.uppercased() : text
        guard isOnTheCalendar(upper) else { return nil }
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: upper.utf8.contains(UInt8(ascii: ".")))
        guard let date = try? style.parse(upper),
            (0..<253_402_300_800).contains(date.timeIntervalSince1970)
        else { return nil }
        return date
    }

    /// The parser rolls 30 February and 24:00 over into the next day; here they are no dates.
    private static func isOnTheCalendar(_ text: String) -> Bool {
        let numbers = text.prefix(19).split { !("0"..."9").contains($0) }.compactMap { Int($0) }
        guard numbers.count == 6, (1...12).contains(numbers[1]), numbers[3] < 24, numbers[4] < 60, numbers[5] < 60 else { return false }
        let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[numbers[1] - 1]).contains(numbers[2])
    }
}
