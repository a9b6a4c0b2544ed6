import CardeaModel
import Foundation

/// Formats times, durations, amounts and names.
struct AnswerFormatter: Sendable {
    let lexicon: Lexicon
    let calendar: LocalCalendar
    let now: Date
    /// The unit in which the requester reads temperatures.
    var temperatureUnit = TemperatureUnit.celsius

    // MARK: Times

    /// "Today", "yesterday", "on Monday", "on 3 November".
    func day(_ day: LocalCalendar.Day) -> String {
        switch calendar.day(of: now).number - day.number {
        case 0: lexicon.word(.time(.today))
        case 1: lexicon.word(.time(.yesterday))
        case 2...6: lexicon.answerText(.onDay, [.day: weekday(day)])
        default: lexicon.answerText(.onDay, [.day: date(day)])
        }
    }

    /// "3 November", with the year if it is not this year.
    func date(_ day: LocalCalendar.Day) -> String {
        let (number, month, year) = calendar.date(day)
        let isOther = calendar.date(calendar.day(of: now)).year != year
        return "\(number) \(self.month(month))" + (isOther ? " \(year)" : "")
    }

    /// "Yesterday at 19:04"; within a day that was asked about, "at 19:04".
    func moment(_ moment: Date, in period: Period? = nil) -> String {
        let time = Self.clockTime(calendar.minutes(of: moment))
        let day = calendar.day(of: moment)
        guard let period, period.isWithinDay, let from = period.from, calendar.day(of: from) == day else {
            return lexicon.answerText(.dayAtTime, [.day: self.day(day), .time: time])
        }
        return lexicon.answerText(.atTime, [.time: time])
    }

    /// The time of a report: today "at 23:34", otherwise with its day.
    func reportTime(_ moment: Date) -> String {
        let time = Self.clockTime(calendar.minutes(of: moment))
        let day = calendar.day(of: moment)
        guard calendar.day(of: now) != day else { return lexicon.answerText(.atTime, [.time: time]) }
        return lexicon.answerText(.dayAtTime, [.day: self.day(day), .time: time])
    }

    /// "Once", "twice", "3 times".
    func times(_ count: Int) -> String {
        switch count {
        case 1: lexicon.answerText(.once)
        case 2: lexicon.answerText(.twice)
        default: lexicon.answerText(.times, [.number: String(count)])
        }
    }

    static func clockTime(_ minutes: Int) -> String {
        let minutes = ((minutes % 1440) + 1440) % 1440
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    func month(_ month: Int) -> String {
        let all = LexicalCategory.MonthWord.allCases
        return all.indices.contains(month - 1) ? Self.capitalized(lexicon.word(.month(all[month - 1]))) : ""
    }

    func weekday(_ day: LocalCalendar.Day) -> String { lexicon.weekday(day.weekday) }

    func part(_ part: Lexicon.DayPart) -> String {
        switch part {
        case .morning: lexicon.word(.time(.morning))
        case .forenoon: lexicon.word(.time(.forenoon))
        case .afternoon: lexicon.word(.time(.afternoon))
        case .evening: lexicon.word(.time(.evening))
        case .night, .lastNight: lexicon.word(.time(.night))
        case .noon: lexicon.word(.time(.noon))
        case .midnight: lexicon.word(.time(.midnight))
        }
    }

    func unit(_ span: TimeUnit, _ count: Int) -> String { lexicon.unit(span, count) }

    /// "2 hours 5 minutes"; under a minute "less than a minute".
    func duration(_ seconds: TimeInterval) -> String {
        let minutes = Int((min(max(seconds, 0), 1e9) / 60).rounded())
        guard minutes > 0 else { return lexicon.answerText(.lessThanMinute) }
        let parts = [(minutes / 1440, TimeUnit.day), (minutes % 1440 / 60, .hour), (minutes % 60, .minute)].filter { $0.0 > 0 }
        return parts.prefix(2).map { "\($0.0) \(unit($0.1, $0.0))" }.joined(separator: " ")
    }

    // MARK: Amounts

    /// With `places` decimals (0, 1 or 2). A single decimal is omitted if it is 0.
    static func number(_ value: Double, places: Int = 1) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "?" }
        let factor = places == 2 ? 100.0 : places == 0 ? 1 : 10
        let rounded = (value * factor).rounded() / factor
        if let whole = Int(exactly: rounded), places < 2 { return String(whole) }
        guard places == 2 else { return String(rounded) }
        let cents = Int((abs(rounded) * 100).rounded())
        return (rounded < 0 ? "-" : "") + "\(cents / 100)." + (cents % 100 < 10 ? "0" : "") + "\(cents % 100)"
    }

    static func amount(_ value: Double, _ unit: String?) -> String {
        guard let unit, !unit.isEmpty else { return number(value) }
        return number(value) + " " + unit
    }

    /// In the requester's unit.
    func amount(_ value: Double, _ unit: String?) -> String {
        unit == TemperatureUnit.celsius.symbol
            ? Self.amount(temperatureUnit.fromCelsius(value), temperatureUnit.symbol) : Self.amount(value, unit)
    }

    /// In the requester's unit, for a number whose unit is written beside another one.
    func number(_ value: Double, in unit: String?) -> String {
        Self.number(unit == TemperatureUnit.celsius.symbol ? temperatureUnit.fromCelsius(value) : value)
    }

    // MARK: Names

    /// "The back door". A name that is a sentence is quoted, and a name that is not a common word keeps its capital.
    func deviceName(_ name: String) -> String {
        let words = Word.tokenize(name)
        guard words.count <= 4 else { return lexicon.answerText(.quoted, [.name: name]) }
        guard let first = words.first, lexicon.common.contains(first.folded) || isCommonWord(first.folded) else {
            return words.contains { isCommonWord($0.folded) } && !name.contains("'") && !name.contains("’")
                ? lexicon.answerText(.theThing, [.name: name]) : name
        }
        return lexicon.answerText(.theThing, [.name: name.prefix(1).lowercased() + name.dropFirst()])
    }

    func list(_ items: [String]) -> String { lexicon.list(items) }

    func list(_ items: [String], atMost most: Int) -> String { lexicon.list(items, atMost: most) }

    private func isCommonWord(_ word: String) -> Bool {
        switch lexicon.categories[[word]] {
        case .singular, .plural, .filler, .measure, .topic(.energy), .time(.night): true
        default: lexicon.common.contains(word)
        }
    }

    static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
