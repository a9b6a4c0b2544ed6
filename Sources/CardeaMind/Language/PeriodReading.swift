import Foundation

/// Makes one period of the pieces that a sentence says about time, by the clock on the house's wall.
struct PeriodReading: Sendable {
    let clock: WallClock
    let lexicon: Lexicon
    let now: Date

    enum Outcome: Hashable, Sendable {
        /// Nothing is said, or only "now".
        case none
        case period(Period)
        /// It is still to come.
        case future
        /// The pieces do not go together, or a date does not exist.
        case unclear
    }

    private struct Parts {
        var base: TimePiece?
        var part: Lexicon.DayPart?
        var isThis = false
        var clock: TimePiece?
        var bound: TimePiece?
        var isNow = false
    }

    /// - Parameter last: what was asked about before, for "and the day before?".
    func read(_ pieces: [TimePiece], after last: Period? = nil) -> Outcome {
        guard let parts = sort(pieces) else { return .unclear }
        if parts.base == nil, parts.part == nil, parts.clock == nil { return parts.bound == nil ? .none : .unclear }
        if parts.base == .future { return .future }
        guard let days = base(parts, last), let stretch = stretch(parts, days) else { return .unclear }
        guard let period = bounded(parts, stretch, days) else { return .unclear }
        if let from = period.from, from > now || (period.to > now && from == now) { return .future }
        return .period(period)
    }

    private func sort(_ pieces: [TimePiece]) -> Parts? {
        var parts = Parts()
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
                // "On Monday, 2 November" says one day twice; everything else twice is unclear.
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

    /// What the days are, before a part or a clock time narrows them.
    private struct Days {
        var from: Date?
        var to: Date
        /// The one day it is, where it is one.
        var day: WallClock.Day?
        var words: String
    }

    private var today: WallClock.Day { clock.day(of: now) }

    private func base(_ parts: Parts, _ last: Period?) -> Days? {
        switch parts.base {
        case nil: return implied(parts)
        case .day(let offset): return one(today.later(by: offset))
        case .weekday(let weekday):
            let back = (today.weekday - weekday + 7) % 7
            // "Since Monday", asked on a Monday, is today; "on Monday" is a week ago.
            return one(today.later(by: back == 0 && parts.bound != .since ? -7 : -back))
        case .date(let day, let month, let year):
            // A day that was named by its date is told by its date.
            guard var named = date(day, month, year), let found = named.day else { return nil }
            if found != today { named.words = say(.onDay, [.day: telling.date(found)]) }
            return named
        case .month(let month):
            let (_, thisMonth, year) = clock.date(today)
            return months(year: month > thisMonth ? year - 1 : year, month)
        case .weeks(let offset):
            let monday = today.later(by: offset * 7 - today.weekday)
            return days(monday, 7, offset == 0 ? .whenThisWeek : .whenLastWeek)
        case .weekends(let offset):
            // The weekend that is, or the last whole one before it.
            let saturday = today.later(by: 5 - today.weekday)
            if offset == 0 { return days(saturday, 2, .whenThisWeekend) }
            return days(today.weekday == 6 || saturday >= today ? saturday.later(by: -7) : saturday, 2, .whenLastWeekend)
        case .months(let offset):
            let (_, month, year) = clock.date(today)
            let index = year * 12 + month - 1 + offset
            return months(year: index / 12, index % 12 + 1, offset == 0 ? .whenThisMonth : .whenLastMonth)
        case .years(let offset):
            let year = clock.date(today).year + offset
            guard let first = clock.day(1, month: 1, year: year), let next = clock.day(1, month: 1, year: year + 1) else { return nil }
            return Days(from: clock.moment(first), to: clock.moment(next), words: say(.whenYear, [.number: String(year)]))
        case .rolling(let count, let span):
            guard let from = before(now, count, span) else { return nil }
            return Days(
                from: from, to: now, words: say(.whenRolling, [.number: count == 1 ? "" : String(count), .unit: unit(span, count)]))
        case .ago(let count, let span):
            guard let moment = before(now, count, span) else { return nil }
            let words = say(.whenAgo, [.number: String(count), .unit: unit(span, count)])
            switch span {
            case .second, .minute: return Days(from: moment - 300, to: min(moment + 300, now), words: words)
            case .hour: return Days(from: moment - 1800, to: min(moment + 1800, now), words: words)
            default: return one(clock.day(of: moment))
            }
        case .ever: return Days(from: nil, to: now, words: say(.whenEver))
        case .lately: return before(now, 3, .day).map { Days(from: $0, to: now, words: say(.whenLately)) }
        case .justNow: return Days(from: now - 600, to: now, words: say(.whenJustNow))
        case .shifted(let days):
            guard let last, let from = last.from else { return nil }
            let (first, end) = (clock.day(of: from), clock.day(of: last.to - 0.001))
            // A day's part stays that part; a week goes back by a week.
            let length = (end.number - first.number + 1).clamped(to: 1...400)
            let by = last.isWithinDay ? days : days * length
            let (start, stop) = (shift(from, by), shift(last.to, by))
            let day = first.later(by: by)
            return Days(
                from: start, to: stop, day: last.isWithinDay ? day : nil,
                words: last.isWithinDay ? words(day) : say(.whenDates, [.from: date(day), .to: date(end.later(by: by))]))
        default: return nil
        }
    }

    /// Where a part of a day or a clock time is named without a day: the last one that has begun.
    private func implied(_ parts: Parts) -> Days {
        guard !parts.isThis else { return one(today) }
        if let part = parts.part {
            if part == .lastNight || part == .night { return one(today.later(by: -1)) }
            let start = (lexicon.parts[part] ?? 0..<1440).lowerBound
            return one(clock.moment(today, start) <= now ? today : today.later(by: -1))
        }
        let minutes: Int
        switch parts.clock {
        case .clock(let at, _, _): minutes = at
        case .clocks(let from, _, _): minutes = from
        default: minutes = 0
        }
        return one(clock.moment(today, minutes) <= now ? today : today.later(by: -1))
    }

    private struct Stretch {
        var from: Date?
        var to: Date
        var words: String
        var isWithinDay: Bool
    }

    private func stretch(_ parts: Parts, _ days: Days) -> Stretch? {
        guard parts.part != nil || parts.clock != nil else {
            return Stretch(from: days.from, to: days.to, words: days.words, isWithinDay: days.day != nil)
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
            let minutes = turned(at, range, isSure)
            words = say(parts.bound == nil ? .whenAt : .whenTime, [.time: time(minutes), .day: days.words])
            guard around > 0, parts.bound == nil else {
                let moment = clock.moment(day, minutes)
                return Stretch(from: moment, to: moment, words: words, isWithinDay: true)
            }
            return Stretch(
                from: clock.moment(day, minutes) - Double(around * 60), to: clock.moment(day, minutes) + Double(around * 60), words: words,
                isWithinDay: true)
        case .clocks(let start, let end, let isSure):
            let from = turned(start, range, isSure)
            var to = turned(end, range, isSure)
            if to <= from { to += 1440 }
            words = say(.whenBetween, [.from: time(from), .to: time(to % 1440), .day: days.words])
            return Stretch(from: clock.moment(day, from), to: clock.moment(day, to), words: words, isWithinDay: true)
        default:
            return Stretch(
                from: clock.moment(day, range.lowerBound), to: clock.moment(day, range.upperBound), words: words, isWithinDay: true)
        }
    }

    /// "At 7" in the evening is 19:00.
    private func turned(_ minutes: Int, _ part: Range<Int>, _ isSure: Bool) -> Int {
        guard !isSure, minutes < 720, !part.contains(minutes), part.contains(minutes + 720) else { return minutes }
        return minutes + 720
    }

    private func bounded(_ parts: Parts, _ stretch: Stretch, _ days: Days) -> Period? {
        var period = Period(
            from: stretch.from, to: min(stretch.to, max(now, stretch.from ?? now)), words: stretch.words, isWithinDay: stretch.isWithinDay)
        switch parts.bound {
        case .since:
            guard let from = stretch.from else { return nil }
            period = Period(
                from: from, to: now, words: say(.whenSince, [.time: bare(stretch.words)]), isWithinDay: clock.day(of: from) == today)
        case .after:
            // After a clock time: for the rest of that day. After a day: since then.
            let isClock = parts.clock != nil
            let end = isClock ? days.day.map { min(clock.moment($0, 1440), now) } : now
            guard let end else { return nil }
            period = Period(
                from: stretch.to, to: max(end, stretch.to), words: say(.whenAfter, [.time: bare(stretch.words)]), isWithinDay: isClock)
        case .until:
            guard let from = stretch.from else { return nil }
            let start = parts.clock != nil || parts.part != nil ? days.day.map { clock.moment($0) } : nil
            period = Period(from: start, to: from, words: say(.whenBefore, [.time: bare(stretch.words)]), isWithinDay: start != nil)
        default: break
        }
        return period
    }

    // MARK: Days

    private func one(_ day: WallClock.Day) -> Days {
        Days(from: clock.moment(day), to: clock.moment(day, 1440), day: day, words: words(day))
    }

    private func days(_ first: WallClock.Day, _ count: Int, _ phrase: Phrase) -> Days {
        Days(from: clock.moment(first), to: clock.moment(first.later(by: count)), words: say(phrase))
    }

    private func months(year: Int, _ month: Int, _ phrase: Phrase? = nil) -> Days? {
        guard let first = clock.day(1, month: month, year: year),
            let next = clock.day(1, month: month % 12 + 1, year: month == 12 ? year + 1 : year)
        else { return nil }
        let words = phrase.map { say($0) } ?? say(.whenMonth, [.month: name(ofMonth: month)])
        return Days(from: clock.moment(first), to: clock.moment(next), words: words)
    }

    /// The last such date there was, where not all of it is said.
    private func date(_ day: Int, _ month: Int?, _ year: Int?) -> Days? {
        let (_, thisMonth, thisYear) = clock.date(today)
        if let month, let year { return clock.day(day, month: month, year: year).map(one) }
        if let month {
            let candidates = [thisYear, thisYear - 1].compactMap { clock.day(day, month: month, year: $0) }
            return (candidates.first { $0 <= today } ?? candidates.last).map(one)
        }
        for back in 0...2 {
            let index = thisYear * 12 + thisMonth - 1 - back
            if let found = clock.day(day, month: index % 12 + 1, year: index / 12), found <= today { return one(found) }
        }
        return nil
    }

    private func before(_ moment: Date, _ count: Int, _ span: TimeSpan) -> Date? {
        guard (0...10_000).contains(count) else { return nil }
        switch span {
        case .second: return moment - Double(count)
        case .minute: return moment - Double(count) * 60
        case .hour: return moment - Double(count) * 3600
        case .day: return shift(moment, -count)
        case .week: return shift(moment, -count * 7)
        case .month, .year:
            let (day, month, year) = clock.date(clock.day(of: moment))
            let index = year * 12 + month - 1 - count * (span == .year ? 12 : 1)
            guard index > 0 else { return nil }
            // The 31st a month ago may have been the 30th.
            for lower in stride(from: day, to: max(day - 4, 0), by: -1) {
                if let found = clock.day(lower, month: index % 12 + 1, year: index / 12) {
                    return clock.moment(found, clock.minutes(of: moment))
                }
            }
            return nil
        }
    }

    /// The same time on the wall, days later or earlier.
    private func shift(_ moment: Date, _ days: Int) -> Date {
        let day = clock.day(of: moment)
        return clock.moment(day.later(by: days), clock.minutes(of: moment)).addingTimeInterval(
            moment.timeIntervalSince(clock.moment(day, clock.minutes(of: moment))))
    }

    // MARK: Words

    private var telling: Telling { Telling(lexicon: lexicon, clock: clock, now: now) }
    private func say(_ phrase: Phrase, _ values: [Place: String] = [:]) -> String { lexicon.say(phrase, values) }
    private func words(_ day: WallClock.Day) -> String { telling.day(day) }
    private func date(_ day: WallClock.Day) -> String { telling.date(day) }
    private func time(_ minutes: Int) -> String { Telling.clock(minutes) }
    private func name(ofMonth month: Int) -> String { telling.month(month) }
    /// "Since Monday", not "since on Monday".
    private func bare(_ words: String) -> String {
        let lead = say(.onDay)
        return words.hasPrefix(lead + " ") ? String(words.dropFirst(lead.count + 1)) : words
    }
    private func unit(_ span: TimeSpan, _ count: Int) -> String { telling.unit(span, count) }

    private func partWords(_ part: Lexicon.DayPart, _ day: WallClock.Day, _ parts: Parts) -> String {
        if part == .lastNight, day == today.later(by: -1) { return say(.whenLastNight) }
        let name = telling.part(part)
        switch today.number - day.number {
        case 0: return part == .night ? say(.whenTonight) : say(.whenThisPart, [.part: name])
        case 1 where part == .night: return say(.whenLastNight)
        default: return say(.whenPart, [.day: words(day), .part: name])
        }
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
