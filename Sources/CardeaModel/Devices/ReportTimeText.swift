import Foundation

/// The moment of a report in words, by the house's clock.
public enum ReportTimeText {
    /// `at 23:34` today, `on 12 Nov at 23:34` on any other day, `on 12 Nov 2025 at 23:34` in another year.
    public static func text(_ moment: Date, now: Date, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: moment)
        let today = calendar.dateComponents([.year, .month, .day], from: now)
        let minute = parts.minute ?? 0
        let time = "at \(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
        let isThisYear = parts.year == today.year
        if isThisYear, parts.month == today.month, parts.day == today.day { return time }
        let month = parts.month.flatMap { months.indices.contains($0 - 1) ? months[$0 - 1] : nil } ?? ""
        return "on \(parts.day ?? 0) \(month)\(isThisYear ? "" : " \(parts.year ?? 0)") \(time)"
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
