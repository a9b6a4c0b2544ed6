/// A unit of time.
enum TimeSpan: String, CaseIterable, Sendable {
    case second, minute, hour, day, week, month, year
}
