/// The recurrence of a task (Seed 001: from daily to annual).
public enum Recurrence: String, Codable, Hashable, Sendable, CaseIterable {
    case daily, weekly, biweekly, monthly, quarterly, semiannual, annual

    private enum Step {
        case days(Int)
        case months(Int)
    }

    private var step: Step {
        switch self {
        case .daily: .days(1)
        case .weekly: .days(7)
        case .biweekly: .days(14)
        case .monthly: .months(1)
        case .quarterly: .months(3)
        case .semiannual: .months(6)
        case .annual: .months(12)
        }
    }

    /// The day that comes `count` times after `start`. It is always counted from there: what falls on the 31st is on the last day of a
    /// short month, and on the 31st again after it.
    private func day(_ count: Int, from start: CalendarDay) -> CalendarDay {
        switch step {
        case .days(let days): start.adding(days: count * days)
        case .months(let months): start.adding(months: count * months)
        }
    }

    /// The first day of the series that begins on `start` which is after `day`.
    public func next(after day: CalendarDay, from start: CalendarDay) -> CalendarDay {
        guard day >= start else { return start }
        var count =
            switch step {
            case .days(let days): start.days(to: day) / days
            case .months(let months): start.months(to: day) / months
            }
        // The month of `day` itself is undecided: its day in the series may be before it or after.
        while self.day(count, from: start) <= day, count < 4_000_000 { count += 1 }
        return self.day(count, from: start)
    }

    /// The last day of the series that begins on `start` which is before `day`; if `day` is not after its beginning, the day that would have
    /// come before it.
    public func last(before day: CalendarDay, from start: CalendarDay) -> CalendarDay {
        guard day > start else { return self.day(-1, from: start) }
        var count =
            switch step {
            case .days(let days): start.days(to: day) / days
            case .months(let months): start.months(to: day) / months
            }
        while count > 0, self.day(count, from: start) >= day { count -= 1 }
        return self.day(count, from: start)
    }
}
