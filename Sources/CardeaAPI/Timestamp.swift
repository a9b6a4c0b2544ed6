import Foundation

/// RFC 3339 in UTC with milliseconds.
public enum Timestamp {
    public static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }

    /// Reads RFC 3339 with or without a fraction, in any zone. Years 1970 to 9999.
    public static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 40, text.contains("T") || text.contains("t") else { return nil }
        let upper = text.uppercased()
        let whole = Date.ISO8601FormatStyle()
        let fraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? fraction.parse(upper)) ?? (try? whole.parse(upper)),
            (0..<253_402_300_800).contains(date.timeIntervalSince1970)
        else { return nil }
        return date
    }
}
