import CardeaModel
import Foundation

/// Combines the time expressions of a sentence into one period, in the house's time zone.
struct PeriodResolver: Sendable {
    let calendar: LocalCalendar
    let lexicon: Lexicon
    let now: Date

    enum Outcome: Hashable, Sendable {
        /// No time was named, or only "now".
        case none
        case period(Period)
        /// It lies in the future.
        case future
        /// The expressions contradict each other, or a date does not exist.
        case unclear
    }

    private struct SortedExpressions {
        var base: TimeExpression?
        var part: Lexicon.DayPart?
        var isThis = false
        var clock: TimeExpression?
        var bound: TimeExpression?
        var isNow = false
    }

    /// - Parameter last: the period of the last question, for "and the day before?".
    func resolve(_ pieces: [TimeExpression], after last: Period? = nil) -> Outcome {
        guard let parts = sort(pieces) else { return .unclear }
        if parts.base == nil, parts.part == nil, parts.clock == nil { return parts.bound == nil ? .none : .unclear }
        if parts.base == .future { return .future }
        guard let days = base(parts, last), let stretch = interval(parts, days) else { return .unclear }
        guard let period = bounded(parts, stretch, days) else { return .unclear }
        if let from = period.from, from > now || (period.to > now && from == now) { return .future }
        return .period(period)
    }

    private func sort(_ pieces: [TimeExpression]) -> SortedExpressions? {
        var parts = SortedExpressions()
        for piece in pieces {
            switch piece {
            case .part(let part), .thisPart(let part):
                guard parts.part == nil else { return nil }
                parts.part = part
                if case .thisPart = piece { parts.isThis = true }
            case .clock, .clocks:
                guard parts.clock == nil else { return nil }
                parts.clock = piece
            case .since, .until, .after:
                guard parts.bound == nil else { return nil }
                parts.bound = piece
            case .now: parts.isNow = true
            case .allNight where parts.part == nil: parts.part = .lastNight
            case .allDay where parts.base == nil: parts.base = .day(0)
            case .allDay: break
            default:
                // "On Monday, 2 November" names one day twice; any other repetition is unclear.
                guard let base = parts.base else {
                    parts.base = piece
                    continue
                }
                switch (base, piece) {
                case (.weekday, .date): parts.base = piece
                case (.date, .weekday): break
                default: return nil
                }
            }
        }
        return parts
    }

    /// The days of a period, before a part of a day or a clock time narrows them.
    private struct DaySpan {
        var from: Date?
        var to: Date
        /// The day, if it is a single one.
        var day: LocalCalendar.Day?
        var words: String
    }

    private var today: LocalCalendar.Day { calendar.day(of: now) }

    private func base(_ parts: SortedExpressions, _ last: Period?) -> DaySpan? {
        switch parts.base {
        case nil: return implied(parts)
        case .day(let offset): return one(today.later(by: offset))
        case .weekday(let weekday):
            let back = (today.weekday - weekday + 7) % 7
            // "Since Monday", asked on a Monday, is today; "on Monday" is a week ago.
            return one(today.later(by: back == 0 && parts.bound != .since ? -7 : -back))
        case .date(let day, let month, let year):
            // A day named by its date is shown by its date.
            guard var named = date(day, month, year), let found = named.day else { return nil }
            if found != today { named.words = answerText(.onDay, [.day: formatter.date(found)]) }
            return named
        case .month(let month):
            let (_, thisMonth, year) = calendar.date(today)
            return months(year: month > thisMonth ? year - 1 : year, month)
        case .weeks(let offset):
            let monday = today.later(by: offset * 7 - today.weekday)
            return days(monday, 7, offset == 0 ? .whenThisWeek : .whenLastWeek)
        case .weekends(let offset):
            // This weekend, or the last complete one before it.
            let saturday = today.later(by: 5 - today.weekday)
            if offset == 0 { return days(saturday, 2, .whenThisWeekend) }
            return days(today.weekday == 6 || saturday >= today ? saturday.later(by: -7) : saturday, 2, .whenLastWeekend)
        case .months(let offset):
            let (_, month, year) = calendar.date(today)
            let index = year * 12 + month - 1 + offset
            return months(year: index / 12, index % 12 + 1, offset == 0 ? .whenThisMonth : .whenLastMonth)
        case .years(let offset):
            let year = calendar.date(today).year + offset
            guard let first = calendar.day(1, month: 1, year: year), let next = calendar.day(1, month: 1, year: year + 1) else {
                return nil
            }
            return DaySpan(from: calendar.moment(first), to: calendar.moment(next), words: answerText(.whenYear, [.number: String(year)]))
        case .rolling(let count, let span):
            guard let from = before(now, count, span) else { return nil }
            return DaySpan(
                from: from, to: now, words: answerText(.whenRolling, [.number: count == 1 ? "" : String(count), .unit: unit(span, count)]))
        case .ago(let count, let span):
            guard let moment = before(now, count, span) else { return nil }
            let words = answerText(.whenAgo, [.number: String(count), .unit: unit(span, count)])
            switch span {
            case .second, .minute: return DaySpan(from: moment - 300, to: min(moment + 300, now), words: words)
            case .hour: return DaySpan(from: moment - 1800, to: min(moment + 1800, now), words: words)
            default: return one(calendar.day(of: moment))
            }
        case .ever: return DaySpan(from: nil, to: now, words: answerText(.whenEver))
        case .lately: return before(now, 3, .day).map { DaySpan(from: $0, to: now, words: answerText(.whenLately)) }
        case .justNow: return DaySpan(from: now - 600, to: now, words: answerText(.whenJustNow))
        case .shifted(let days):
            guard let last, let from = last.from else { return nil }
            let (first, end) = (calendar.day(of: from), calendar.day(of: last.to - 0.001))
            // A part of a day stays the same part; a week moves back by a week.
            let length = (end.number - first.number + 1).clamped(to: 1...400)
            let by = last.isWithinDay ? days : days * length
            let (start, stop) = (shift(from, by), shift(last.to, by))
            let day = first.later(by: by)
            return DaySpan(
                from: start, to: stop, day: last.isWithinDay ? day : nil,
                words: last.isWithinDay ? words(day) : answerText(.whenDates, [.from: date(day), .to: date(end.later(by: by))]))
        default: return nil
        }
    }

    /// The day of a part of a day or a clock time that was named without one: the last that has begun.
    private func implied(_ parts: SortedExpressions) -> DaySpan {
        guard !parts.isThis else { return one(today) }
        if let part = parts.part {
            if part == .lastNight || part == .night { return one(today.later(by: -1)) }
            let start = (lexicon.parts[part] ?? 0..<1440).lowerBound
            return one(calendar.moment(today, start) <= now ? today : today.later(by: -1))
        }
        let minutes: Int
        switch parts.clock {
        case .clock(let at, _, _): minutes = at
        case .clocks(let from, _, _): minutes = from
        default: minutes = 0
        }
        return one(calendar.moment(today, minutes) <= now ? today : today.later(by: -1))
    }

    private struct Interval {
        var from: Date?
        var to: Date
        var words: String
        var isWithinDay: Bool
    }

    private func interval(_ parts: SortedExpressions, _ days: DaySpan) -> Interval? {
        guard parts.part != nil || parts.clock != nil else {
            return Interval(from: days.from, to: days.to, words: days.words, isWithinDay: days.day != nil)
        }
        guard let day = days.day else { return nil }
        var words = days.words
        var range = 0..<1440
        if let part = parts.part, let minutes = lexicon.parts[part] {
            range = minutes
            words = partWords(part, day, parts)
        }
        switch parts.clock {
        case .clock(let at, let around, let isSure):
            let minutes = inHalfOfDay(at, range, isSure)
            words = answerText(parts.bound == nil ? .whenAt : .whenTime, [.time: time(minutes), .day: days.words])
            guard around > 0, parts.bound == nil else {
                let moment = calendar.moment(day, minutes)
                return Interval(from: moment, to: moment, words: words, isWithinDay: true)
            }
            return Interval(
                from: calendar.moment(day, minutes) - Double(around * 60), to: calendar.moment(day, minutes) + Double(around * 60),
                words: words,
                isWithinDay: true)
        case .clocks(let start, let end, let isSure):
            let from = inHalfOfDay(start, range, isSure)
            var to = inHalfOfDay(end, range, isSure)
            if to <= from { to += 1440 }
            words = answerText(.whenBetween, [.from: time(from), .to: time(to % 1440), .day: days.words])
            return Interval(from: calendar.moment(day, from), to: calendar.moment(day, to), words: words, isWithinDay: true)
        default:
            return Interval(
                from: calendar.moment(day, range.lowerBound), to: calendar.moment(day, range.upperBound), words: words, isWithinDay: true)
        }
    }

    /// "At 7" in the evening is 19:00.
    private func inHalfOfDay(_ minutes: Int, _ part: Range<Int>, _ isSure: Bool) -> Int {
        guard !isSure, minutes < 720, !part.contains(minutes), part.contains(minutes + 720) else { return minutes }
        return minutes + 720
    }

    private func bounded(_ parts: SortedExpressions, _ stretch: Interval, _ days: DaySpan) -> Period? {
        var period = Period(
            from: stretch.from, to: min(stretch.to, max(now, stretch.from ?? now)), words: stretch.words, isWithinDay: stretch.isWithinDay)
        switch parts.bound {
        case .since:
            guard let from = stretch.from else { return nil }
            period = Period(
                from: from, to: now, words: answerText(.whenSince, [.time: withoutPreposition(stretch.words)]),
                isWithinDay: calendar.day(of: from) == today)
        case .after:
            // After a clock time: the rest of that day. After a day: since then.
            let isClock = parts.clock != nil
            let end = isClock ? days.day.map { min(calendar.moment($0, 1440), now) } : now
            guard let end else { return nil }
            period = Period(
                from: stretch.to, to: max(end, stretch.to), words: answerText(.whenAfter, [.time: withoutPreposition(stretch.words)]),
                isWithinDay: isClock)
        case .until:
            guard let from = stretch.from else { return nil }
            let start = parts.clock != nil || parts.part != nil ? days.day.map { calendar.moment($0) } : nil
            period = Period(
                from: start, to: from, words: answerText(.whenBefore, [.time: withoutPreposition(stretch.words)]), isWithinDay: start != nil
            )
        default: break
        }
        return period
    }

    // MARK: Days

    private func one(_ day: LocalCalendar.Day) -> DaySpan {
        DaySpan(from: calendar.moment(day), to: calendar.moment(day, 1440), day: day, words: words(day))
    }

    private func days(_ first: LocalCalendar.Day, _ count: Int, _ phrase: AnswerSentence) -> DaySpan {
        DaySpan(from: calendar.moment(first), to: calendar.moment(first.later(by: count)), words: answerText(phrase))
    }

    private func months(year: Int, _ month: Int, _ phrase: AnswerSentence? = nil) -> DaySpan? {
        guard let first = calendar.day(1, month: month, year: year),
            let next = calendar.day(1, month: month % 12 + 1, year: month == 12 ? year + 1 : year)
        else { return nil }
        let words = phrase.map { answerText($0) } ?? answerText(.whenMonth, [.month: name(ofMonth: month)])
        return DaySpan(from: calendar.moment(first), to: calendar.moment(next), words: words)
    }

    /// The last such date, if it is incomplete.
    private func date(_ day: Int, _ month: Int?, _ year: Int?) -> DaySpan? {
        let (_, thisMonth, thisYear) = calendar.date(today)
        if let month, let year { return calendar.day(day, month: month, year: year).map(one) }
        if let month {
            let candidates = [thisYear, thisYear - 1].compactMap { calendar.day(day, month: month, year: $0) }
            return (candidates.first { $0 <= today } ?? candidates.last).map(one)
        }
        for back in 0...2 {
            let index = thisYear * 12 + thisMonth - 1 - back
            if let found = calendar.day(day, month: index % 12 + 1, year: index / 12), found <= today { return one(found) }
        }
        return nil
    }

    private func before(_ moment: Date, _ count: Int, _ span: TimeUnit) -> Date? {
        guard (0...10_000).contains(count) else { return nil }
        switch span {
        case .second: return moment - Double(count)
        case .minute: return moment - Double(count) * 60
        case .hour: return moment - Double(count) * 3600
        case .day: return shift(moment, -count)
        case .week: return shift(moment, -count * 7)
        case .month, .year:
            let (day, month, year) = calendar.date(calendar.day(of: moment))
            let index = year * 12 + month - 1 - count * (span == .year ? 12 : 1)
            guard index > 0 else { return nil }
            // A month before the 31st may be the 30th.
            for lower in stride(from: day, to: max(day - 4, 0), by: -1) {
                if let found = calendar.day(lower, month: index % 12 + 1, year: index / 12) {
                    return calendar.moment(found, calendar.minutes(of: moment))
                }
            }
            return nil
        }
    }

    /// The same local time, days later or earlier.
    private func shift(_ moment: Date, _ days: Int) -> Date {
        let day = calendar.day(of: moment)
        return calendar.moment(day.later(by: days), calendar.minutes(of: moment)).addingTimeInterval(
            moment.timeIntervalSince(calendar.moment(day, calendar.minutes(of: moment))))
    }

    // MARK: Texts

    private var formatter: AnswerFormatter { AnswerFormatter(lexicon: lexicon, calendar: calendar, now: now) }
    private func answerText(_ phrase: AnswerSentence, _ values: [Placeholder: String] = [:]) -> String {
        lexicon.answerText(phrase, values)
    }
    private func words(_ day: LocalCalendar.Day) -> String { formatter.day(day) }
    private func date(_ day: LocalCalendar.Day) -> String { formatter.date(day) }
    private func time(_ minutes: Int) -> String { AnswerFormatter.clockTime(minutes) }
    private func name(ofMonth month: Int) -> String { formatter.month(month) }
    /// "Since Monday", not "since on Monday".
    private func withoutPreposition(_ words: String) -> String {
        let lead = answerText(.onDay)
        return words.hasPrefix(lead + " ") ? String(words.dropFirst(lead.count + 1)) : words
    }
    private func unit(_ span: TimeUnit, _ count: Int) -> String { formatter.unit(span, count) }

    private func partWords(_ part: Lexicon.DayPart, _ day: LocalCalendar.Day, _ parts: SortedExpressions) -> String {
        if part == .lastNight, day == today.later(by: -1) { return answerText(.whenLastNight) }
        let name = formatter.part(part)
        switch today.number - day.number {
        case 0: return part == .night ? answerText(.whenTonight) : answerText(.whenThisPart, [.part: name])
        case 1 where part == .night: return answerText(.whenLastNight)
        default: return answerText(.whenPart, [.day: words(day), .part: name])
        }
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
