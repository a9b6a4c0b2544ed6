import Foundation

/// A part of a description of time; several of them make a period: "yesterday", "evening", "after 19:00".
enum TimeExpression: Hashable, Sendable {
    /// Days from today.
    case day(Int)
    /// 0 for Monday: the last one.
    case weekday(Int)
    case date(day: Int, month: Int?, year: Int?)
    case month(Int)
    case part(Lexicon.DayPart)
    case thisPart(Lexicon.DayPart)
    /// Relative to the present week: 0 for "this week", -1 for "last week".
    case weeks(Int)
    case months(Int)
    case years(Int)
    case weekends(Int)
    /// "In the last two hours".
    case rolling(Int, TimeUnit)
    case ago(Int, TimeUnit)
    /// "At seven": minutes since midnight, the minutes around it that are meant, and whether the half of the day was said.
    case clock(Int, around: Int, isSure: Bool)
    case clocks(Int, Int, isSure: Bool)
    /// "For three hours".
    case lasting(Int, TimeUnit)
    case since, until, after
    case now, ever, lately, justNow, future
    case allNight, allDay
    /// "And the day before?": relative to the period that was asked about last.
    case shifted(Int)
}

extension TimeExpression {
    /// True if "on" can introduce it.
    var isDate: Bool {
        switch self {
        case .weekday, .date, .weekends: true
        default: false
        }
    }
}
