/// A unit of time.
enum TimeUnit: String, CaseIterable, Sendable {
    case second, minute, hour, day, week, month, year
}
