/// Finds the time expressions in a sentence, word by word.
struct TimeExpressionParser: Sendable {
    let lexicon: Lexicon

    struct Match: Hashable, Sendable {
        let length: Int
        let expressions: [TimeExpression]
    }

    /// The expressions that begin at `place`, each with the number of words it takes.
    func matches(_ words: [String], at place: Int) -> [Match] {
        var cursor = Cursor(words, place, lexicon)
        var found: [Match] = []
        func add(_ pieces: [TimeExpression], _ cursor: Cursor) {
            if cursor.place > place { found.append(Match(length: cursor.place - place, expressions: pieces)) }
        }
        // "On", "in", "at", "during the" introduce a time; without a time after them they are left alone.
        cursor.skip(.time)
        var bare = cursor
        bare.skip(.article)
        for start in [cursor, bare] {
            if let (pieces, end) = start.expression() { add(pieces, end) }
        }
        // "On" introduces only a day: "was the light on yesterday" asks about the light.
        var dated = Cursor(words, place, lexicon)
        if dated.skip(.date) {
            dated.skip(.article)
            if let (pieces, end) = dated.expression(), pieces.allSatisfy(\.isDate) { add(pieces, end) }
        }
        var lasting = Cursor(words, place, lexicon)
        if lasting.skip(.lasting), let (count, span) = lasting.amount() { add([.lasting(count, span)], lasting) }
        let bound = Cursor(words, place, lexicon)
        if let (pieces, end) = bound.boundedExpression() { add(pieces, end) }
        return found
    }

    /// A position in the sentence. It is a value, so a wrong turn costs nothing.
    struct Cursor {
        let words: [String]
        var place: Int
        let lexicon: Lexicon

        init(_ words: [String], _ place: Int, _ lexicon: Lexicon) {
            self.words = words
            self.place = place
            self.lexicon = lexicon
        }

        var word: String? { words.indices.contains(place) ? words[place] : nil }

        @discardableResult
        mutating func skip(_ lead: Lexicon.LeadWord) -> Bool {
            guard let word, lexicon.leads[lead]?.contains(word) == true else { return false }
            place += 1
            return true
        }

        /// Returns whether the word before `place` is a lead word of this kind.
        func isLed(by lead: Lexicon.LeadWord) -> Bool {
            place > 0 && lexicon.leads[lead]?.contains(words[place - 1]) == true
        }

        /// The longest phrase here whose category `pick` accepts.
        mutating func consume<T>(_ pick: (LexicalCategory) -> T?) -> T? {
            for length in stride(from: min(lexicon.longestPhrase, words.count - place), to: 0, by: -1) {
                guard let sense = lexicon.categories[Array(words[place..<place + length])], let taken = pick(sense) else { continue }
                place += length
                return taken
            }
            return nil
        }

        mutating func consume(_ time: LexicalCategory.TimeWord) -> Bool { consume { $0 == .time(time) ? true : nil } ?? false }
        mutating func consume(_ joint: LexicalCategory.FunctionWord) -> Bool {
            consume { $0 == .functionWord(joint) ? true : nil } ?? false
        }

        mutating func number() -> Int? {
            guard let word else { return nil }
            let number = word.allSatisfy(\.isASCIIDigit) && word.count < 6 ? Int(word) : lexicon.numbers[word].flatMap { Int(exactly: $0) }
            if number != nil { place += 1 }
            return number
        }

        mutating func span() -> TimeUnit? {
            consume { if case .span(let span) = $0 { span } else { nil } }
        }

        /// "Two hours", "an hour", "a couple of days".
        mutating func amount() -> (Int, TimeUnit)? {
            let start = place
            if let word, lexicon.singularCounts.contains(word) { place += 1 }
            let count = number()
            skip(.of)
            guard let span = span(), count != nil || place > start + 1, (0...10_000).contains(count ?? 1) else {
                place = start
                return nil
            }
            return (count ?? 1, span)
        }
    }
}

extension TimeExpressionParser.Cursor {
    fileprivate func expression() -> ([TimeExpression], Self)? {
        var readings: [([TimeExpression], Self)] = []
        for read in [Self.namedDay, Self.relative, Self.timeAgo, Self.calendarDate, Self.clockRange, Self.clockPhrase] {
            var end = self
            if let pieces = read(&end) { readings.append((pieces, end)) }
        }
        return readings.max { $0.1.place < $1.1.place }
    }

    /// "Yesterday", "the day before yesterday", "now".
    private static func namedDay(_ cursor: inout Self) -> [TimeExpression]? {
        cursor.consume { sense -> [TimeExpression]? in
            guard case .time(let word) = sense else {
                if case .weekday(let day) = sense { return [.weekday(LexicalCategory.WeekdayWord.allCases.firstIndex(of: day) ?? 0)] }
                return nil
            }
            switch word {
            case .today: return [.day(0)]
            case .yesterday: return [.day(-1)]
            case .beforeYesterday: return [.day(-2)]
            case .tomorrow: return [.future]
            case .now: return [.now]
            case .lately: return [.lately]
            case .ever: return [.ever]
            case .justNow: return [.justNow]
            case .lastNight: return [.part(.lastNight)]
            case .tonight: return [.thisPart(.evening)]
            case .allNight: return [.allNight]
            case .allDay: return [.allDay]
            case .weekend: return [.weekends(-1)]
            case .dayBefore: return [.shifted(-1)]
            case .dayAfter: return [.shifted(1)]
            case .morning: return [.part(.morning)]
            case .forenoon: return [.part(.forenoon)]
            case .afternoon: return [.part(.afternoon)]
            case .evening: return [.part(.evening)]
            case .night: return [.part(.night)]
            case .noon: return [.part(.noon)]
            case .midnight: return [.part(.midnight)]
            default: return nil
            }
        }
    }

    /// "This morning", "last week", "last Monday", "the last two hours".
    private static func relative(_ cursor: inout Self) -> [TimeExpression]? {
        let isThis = cursor.consume(.this)
        let isPast = !isThis && cursor.consume(.past)
        guard isThis || isPast || cursor.consume(.last) else { return nil }
        if !isThis, let (count, span) = cursor.bareAmount() { return [.rolling(count, span)] }
        if isThis, cursor.consume(.weekend) { return [.weekends(0)] }
        if cursor.consume(.weekend) { return [.weekends(-1)] }
        if let span = cursor.span() {
            let back = isThis ? 0 : -1
            switch span {
            case .day where isThis: return [.day(0)]
            case .week where !isPast: return [.weeks(back)]
            case .month where !isPast: return [.months(back)]
            case .year where !isPast: return [.years(back)]
            default: return isThis ? nil : [.rolling(1, span)]
            }
        }
        var named = cursor
        guard let pieces = Self.namedDay(&named) else { return nil }
        guard let piece = pieces.first, pieces.count == 1 else { return nil }
        switch piece {
        case .part(let part):
            cursor = named
            // "Last evening" was yesterday.
            return isThis ? [.thisPart(part)] : [.day(-1), .part(part)]
        case .weekday:
            cursor = named
            return pieces
        default: return nil
        }
    }

    private mutating func bareAmount() -> (Int, TimeUnit)? {
        let start = self
        let isFew = skip(.few)
        skip(.of)
        if let count = isFew ? 3 : number(), count > 0, count <= 10_000, let span = span() { return (count, span) }
        self = start
        return nil
    }

    /// "Two hours ago".
    private static func timeAgo(_ cursor: inout Self) -> [TimeExpression]? {
        guard let (count, span) = cursor.amount(), cursor.consume(.ago) else { return nil }
        return [.ago(count, span)]
    }

    /// "3 November", "November 3rd", "the 3rd of November 2026", "2026-11-03", "October".
    private static func calendarDate(_ cursor: inout Self) -> [TimeExpression]? {
        if let word = cursor.word, word.contains("-") {
            let parts = word.split(separator: "-").compactMap { Int($0) }
            guard parts.count == 3 else { return nil }
            cursor.place += 1
            return [.date(day: parts[2], month: parts[1], year: parts[0])]
        }
        if let month = cursor.month() {
            let bare = cursor
            if let day = cursor.number(), (1...31).contains(day) {
                _ = cursor.consume(.ordinal)
                return [.date(day: day, month: month, year: cursor.year())]
            }
            cursor = bare
            return [.month(month)]
        }
        guard let day = cursor.number(), (1...31).contains(day) else { return nil }
        let isOrdinal = cursor.consume(.ordinal)
        let bare = cursor
        cursor.skip(.of)
        if let month = cursor.month() { return [.date(day: day, month: month, year: cursor.year())] }
        cursor = bare
        return isOrdinal ? [.date(day: day, month: nil, year: nil)] : nil
    }

    private mutating func month() -> Int? {
        consume { if case .month(let month) = $0 { (LexicalCategory.MonthWord.allCases.firstIndex(of: month) ?? 0) + 1 } else { nil } }
    }

    private mutating func year() -> Int? {
        let start = self
        if let year = number(), (1900...2500).contains(year) { return year }
        self = start
        return nil
    }

    /// "Between 8 and 10", "from 8 to 10 pm".
    private static func clockRange(_ cursor: inout Self) -> [TimeExpression]? {
        guard cursor.consume(.between) || cursor.isLed(by: .from) else { return nil }
        guard let start = cursor.clockTime(isBare: true) else { return nil }
        guard cursor.consume(.and) || cursor.consume(.until) || cursor.skip(.to) else { return nil }
        guard let end = cursor.clockTime(isBare: true) else { return nil }
        var first = start.minutes
        // "Between 8 and 10 pm": both are pm.
        if !start.isSure, end.isSure, end.minutes >= 780, first < 720, first + 720 < end.minutes { first += 720 }
        return [.clocks(first, end.minutes, isSure: start.isSure || end.isSure)]
    }

    /// "At 7 pm", "around 19:00". A bare number needs a lead word before it.
    private static func clockPhrase(_ cursor: inout Self) -> [TimeExpression]? {
        let isLed = cursor.isLed(by: .clock)
        let isAround = cursor.consume(.around)
        guard let wall = cursor.clockTime(isBare: isLed || isAround) else { return nil }
        return [.clock(wall.minutes, around: isAround ? 30 : wall.isWhole ? 15 : 5, isSure: wall.isSure)]
    }

    /// "Since Monday", "before 8", "after 10 pm", "until yesterday".
    fileprivate func boundedExpression() -> ([TimeExpression], Self)? {
        var cursor = self
        let bound: TimeExpression
        if cursor.consume(.since) {
            bound = .since
        } else if cursor.consume(.until) || cursor.consume(.before) {
            bound = .until
        } else if cursor.consume(.after) {
            bound = .after
        } else {
            return nil
        }
        cursor.skip(.article)
        if let (pieces, end) = cursor.expression() { return ([bound] + pieces, end) }
        if let wall = cursor.clockTime(isBare: true) { return ([bound, .clock(wall.minutes, around: 0, isSure: wall.isSure)], cursor) }
        return nil
    }

    private struct ClockTime {
        let minutes: Int
        /// True if morning or evening was said, or is clear.
        let isSure: Bool
        let isWhole: Bool
    }

    /// A time on the clock. A bare number counts only if `isBare`.
    private mutating func clockTime(isBare: Bool) -> ClockTime? {
        let start = self
        for (word, offset) in [(LexicalCategory.TimeWord.half, 30), (.quarterPast, 15), (.quarterTo, -15)] {
            var cursor = start
            guard cursor.consume(word), let hour = cursor.number(), (1...24).contains(hour) else { continue }
            let half = cursor.halfOfDay()
            self = cursor
            let minutes = (Self.hour(hour, half) * 60 + offset + 1440) % 1440
            return ClockTime(minutes: minutes, isSure: half != nil || hour > 12, isWhole: false)
        }
        if let word, word.contains(":") || word.contains(".") {
            let parts = word.split(whereSeparator: { $0 == ":" || $0 == "." })
            guard parts.count >= 2, parts[1].count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0...24).contains(hour),
                (0..<60).contains(minute)
            else { return nil }
            place += 1
            let half = halfOfDay()
            // 21.50 may be any number; a time with a point needs a lead word.
            guard word.contains(":") || half != nil || isBare else {
                self = start
                return nil
            }
            // 07:30 is in 24-hour notation.
            return ClockTime(
                minutes: min(Self.hour(hour, half) * 60 + minute, 1440), isSure: half != nil || hour > 12 || parts[0].count == 2,
                isWhole: false)
        }
        if consume(.noon) { return ClockTime(minutes: 720, isSure: true, isWhole: true) }
        if consume(.midnight) { return ClockTime(minutes: 1440, isSure: true, isWhole: true) }
        if let hour = number(), (0...24).contains(hour) {
            let half = halfOfDay()
            if half != nil || isBare || consume(.oclock) {
                _ = consume(.oclock)
                return ClockTime(minutes: Self.hour(hour, half) * 60, isSure: half != nil || hour > 12 || hour == 0, isWhole: true)
            }
        }
        self = start
        return nil
    }

    private mutating func halfOfDay() -> LexicalCategory.TimeWord? {
        consume(.am) ? .am : consume(.pm) ? .pm : nil
    }

    private static func hour(_ hour: Int, _ half: LexicalCategory.TimeWord?) -> Int {
        switch half {
        case .am where hour == 12: 0
        case .pm where hour < 12: hour + 12
        default: hour
        }
    }
}
