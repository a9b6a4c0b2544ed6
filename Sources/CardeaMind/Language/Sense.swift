/// What a word of the lexicon stands for. Each is a key of the lexicon's file, `done.open`; a language that lacks one is not loaded.
enum Sense: Hashable, Sendable {
    case ask(Ask)
    /// A verb as in "open the door", and as in "opened".
    case base(Doing)
    case done(Doing)
    case power(Switched)
    /// One of a kind of things ("the lamp"), and several ("lamps").
    case one(Kind)
    case many(Kind)
    case measure(Measured)
    case extreme(Extreme)
    case statistic(Statistic)
    case topic(Topic)
    case danger(DangerWord)
    case feeling(Feeling)
    case floor(FloorWord)
    case time(TimeWord)
    case span(TimeSpan)
    case weekday(WeekdayWord)
    case month(MonthWord)
    case unit(UnitWord)
    case joint(Joint)
    case noise

    enum Ask: String, CaseIterable, Sendable {
        case who, when, what, which, how, `where`, why, `is`, did, list
        case howOften = "how_often"
        case howLong = "how_long"
        case howMany = "how_many"
        case howMuch = "how_much"
    }

    enum Doing: String, CaseIterable, Sendable {
        case open, close, lock, unlock, turn, set, dim, run, use, ring, `try`
    }

    enum Switched: String, CaseIterable, Sendable {
        case on, off
    }

    enum Measured: String, CaseIterable, Sendable {
        case temperature, humidity, brightness, battery, power, co2, target, state
    }

    enum Extreme: String, CaseIterable, Sendable {
        case warmest, coldest, dampest, driest
    }

    enum Statistic: String, CaseIterable, Sendable {
        case highest, lowest, mean, peak, most
    }

    enum Topic: String, CaseIterable, Sendable {
        case home, away, come, leave, visit, package, seen, refused, happened, offline, online, energy, consume, cost, jammed, help, hello
        case thanks, mood, keep, recall, remember, yes, sounded, wrong, usual
        case whatIf = "what_if"
        case lockUp = "lock_up"
    }

    /// What alarms are for, as people call it.
    enum DangerWord: String, CaseIterable, Hashable, Sendable {
        case smoke, fire, gas, leak, water, any
        case carbonMonoxide = "carbon_monoxide"
    }

    enum Feeling: String, CaseIterable, Sendable {
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

    enum Joint: String, CaseIterable, Sendable {
        case and, except, all, any, nothing, somebody, guests, not, last, first, it, them, there, they, me, you, room, rooms, floor, scene,
            low, than, `while`
        case one
        case whatAbout = "what_about"
    }
}

/// A stretch of time that people count in.
enum TimeSpan: String, CaseIterable, Sendable {
    case second, minute, hour, day, week, month, year
}

/// A kind of things in a house, as people speak of it.
public enum Kind: String, CaseIterable, Hashable, Sendable {
    case light, plug, door, window, lock, garage, blind, heating, fan, media, sensor, meter, motion, device
}

extension Sense {
    /// Every sense there is, by its key in the lexicon's file.
    static let byKey: [String: Sense] = {
        var senses: [String: Sense] = ["noise.noise": .noise]
        func add<Part: CaseIterable & RawRepresentable>(_ family: String, _ make: (Part) -> Sense) where Part.RawValue == String {
            for part in Part.allCases { senses["\(family).\(part.rawValue)"] = make(part) }
        }
        add("ask", Sense.ask)
        add("done", Sense.done)
        add("base", Sense.base)
        add("power", Sense.power)
        add("one", Sense.one)
        add("many", Sense.many)
        add("measure", Sense.measure)
        add("extreme", Sense.extreme)
        add("statistic", Sense.statistic)
        add("topic", Sense.topic)
        add("danger", Sense.danger)
        add("feeling", Sense.feeling)
        add("floor", Sense.floor)
        add("time", Sense.time)
        add("span", Sense.span)
        add("weekday", Sense.weekday)
        add("month", Sense.month)
        add("unit", Sense.unit)
        add("joint", Sense.joint)
        return senses
    }()
}
