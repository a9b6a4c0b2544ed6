/// A stretch of time that people count in.
enum TimeSpan: String, CaseIterable, Sendable {
    case second, minute, hour, day, week, month, year
}
