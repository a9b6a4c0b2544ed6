/// The meaning of a word of the lexicon. Each is a key of the lexicon's file, such as `done.open`. A language that lacks one is not loaded.
enum LexicalCategory: Hashable, Sendable {
    case questionWord(QuestionWord)
    /// A verb as in "open the door", and as in "opened".
    case imperative(VerbWord)
    case participle(VerbWord)
    case power(PowerWord)
    /// One device of a kind ("the lamp"), and several ("lamps").
    case singular(DeviceCategory)
    case plural(DeviceCategory)
    case measure(MeasureWord)
    case extreme(ExtremeWord)
    case statistic(StatisticWord)
    case topic(TopicWord)
    case danger(DangerWord)
    case feeling(FeelingWord)
    case floor(FloorWord)
    case time(TimeWord)
    case span(TimeUnit)
    case weekday(WeekdayWord)
    case month(MonthWord)
    case unit(UnitWord)
    case functionWord(FunctionWord)
    case filler

    enum QuestionWord: String, CaseIterable, Sendable {
        case who, when, what, which, how, `where`, why, `is`, did, list
        case howOften = "how_often"
        case howLong = "how_long"
        case howMany = "how_many"
        case howMuch = "how_much"
    }

    enum VerbWord: String, CaseIterable, Sendable {
        case open, close, lock, unlock, turn, set, dim, run, use, ring, `try`
    }

    enum PowerWord: String, CaseIterable, Sendable {
        case on, off
    }

    enum MeasureWord: String, CaseIterable, Sendable {
        case temperature, humidity, brightness, battery, power, co2, target, state
    }

    enum ExtremeWord: String, CaseIterable, Sendable {
        case warmest, coldest, dampest, driest
    }

    enum StatisticWord: String, CaseIterable, Sendable {
        case highest, lowest, mean, peak, most
    }

    enum TopicWord: String, CaseIterable, Sendable {
        case home, away, come, leave, visit, package, seen, refused, happened, offline, online, energy, consume, cost, jammed, help, hello
        case thanks, mood, keep, recall, remember, yes, sounded, wrong, usual
        case whatIf = "what_if"
        case lockUp = "lock_up"
    }

    /// The dangers that alarms report, as people call them.
    enum DangerWord: String, CaseIterable, Hashable, Sendable {
        case smoke, fire, gas, leak, water, any
        case carbonMonoxide = "carbon_monoxide"
    }

    enum FeelingWord: String, CaseIterable, Sendable {
        case worry, happiness, boredom, excitement
    }

    enum FloorWord: String, CaseIterable, Sendable {
        case above, below, ground, basement, first, second, third, top, house, outside
    }

    enum TimeWord: String, CaseIterable, Sendable {
        case today, yesterday, tomorrow, now, lately, ever, tonight, morning, forenoon, afternoon, evening, night, noon, midnight, weekend
        case this, past, ago, since, until, before, after, between, around, half, am, pm, oclock, ordinal
        case beforeYesterday = "before_yesterday"
        case justNow = "just_now"
        case lastNight = "last_night"
        case allNight = "all_night"
        case allDay = "all_day"
        case dayBefore = "day_before"
        case dayAfter = "day_after"
        case quarterPast = "quarter_past"
        case quarterTo = "quarter_to"
    }

    enum WeekdayWord: String, CaseIterable, Sendable {
        case mon, tue, wed, thu, fri, sat, sun
    }

    enum MonthWord: String, CaseIterable, Sendable {
        case jan, feb, mar, apr, may, jun, jul, aug, sep, oct, nov, dec
    }

    enum UnitWord: String, CaseIterable, Sendable {
        case degrees, percent, watts, half, full, celsius, fahrenheit
    }

    enum FunctionWord: String, CaseIterable, Sendable {
        case and, except, all, any, nothing, somebody, guests, not, last, first, it, them, there, they, me, you, room, rooms, floor, scene,
            low, than, `while`
        case one
        case whatAbout = "what_about"
    }
}

extension LexicalCategory {
    /// Every category, by its key in the lexicon's file.
    static let byKey: [String: LexicalCategory] = {
        var senses: [String: LexicalCategory] = ["noise.noise": .filler]
        func add<Part: CaseIterable & RawRepresentable>(_ family: String, _ make: (Part) -> LexicalCategory) where Part.RawValue == String {
            for part in Part.allCases { senses["\(family).\(part.rawValue)"] = make(part) }
        }
        add("ask", LexicalCategory.questionWord)
        add("done", LexicalCategory.participle)
        add("base", LexicalCategory.imperative)
        add("power", LexicalCategory.power)
        add("one", LexicalCategory.singular)
        add("many", LexicalCategory.plural)
        add("measure", LexicalCategory.measure)
        add("extreme", LexicalCategory.extreme)
        add("statistic", LexicalCategory.statistic)
        add("topic", LexicalCategory.topic)
        add("danger", LexicalCategory.danger)
        add("feeling", LexicalCategory.feeling)
        add("floor", LexicalCategory.floor)
        add("time", LexicalCategory.time)
        add("span", LexicalCategory.span)
        add("weekday", LexicalCategory.weekday)
        add("month", LexicalCategory.month)
        add("unit", LexicalCategory.unit)
        add("joint", LexicalCategory.functionWord)
        return senses
    }()
}
