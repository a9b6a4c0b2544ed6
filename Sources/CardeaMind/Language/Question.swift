import CardeaModel

/// What a sentence was understood to ask.
public struct Question: Hashable, Sendable {
    public var ask: Ask
    /// About which things of the house.
    public var subject = Subject()
    /// About whose doing.
    public var who: Who?
    /// About what time; nil for now, or for as long as anything is remembered.
    public var period: Period?
    /// While whom was where, in the place of a time.
    public var during: Stay?
}

/// The last time that somebody was home, or away.
public struct Stay: Hashable, Sendable {
    /// By their key.
    public let who: String
    public let isHome: Bool
}

/// The kinds of questions there are.
public enum Ask: Hashable, Sendable {
    /// Who opened it?
    case whoDid(Deed)
    /// Did anybody open it?
    case did(Deed)
    /// When was it last, or first, opened?
    case when(Deed, isFirst: Bool)
    case howOften(Deed)
    /// How long was it open?
    case howLong(Condition)
    /// Is it open? Is anything? Are all?
    case isIt(Condition, isAll: Bool)
    /// Which are open?
    case which(Condition)
    case howMany(Condition?)
    /// How does it stand?
    case state
    case measure(Measure, Statistic?)
    /// Which batteries are low?
    case lowBatteries
    /// Which room is the warmest?
    case extremeRoom(Measure, isHighest: Bool)
    /// Is it warmer here than there?
    case compare(Measure, isHighest: Bool, with: Subject)
    case list
    case rooms
    case standing(isOnline: Bool)
    case whenStanding(isOnline: Bool)
    case presence(isHome: Bool)
    case whereIs
    case cameOrLeft(isHome: Bool, isFirst: Bool)
    case happened
    /// Who was at the door, what was seen. `type` narrows it to packages, for one.
    case seen(type: String?, isCount: Bool, isLast: Bool)
    case refusals
    /// Is there smoke? Did the smoke alarm go off?
    case danger(Alarm, AlarmAsk)
    case energyUsed
    case energyCost
    case energyPeak
    case energyMost
    case mood(Feeling?)
    case whatIf(Supposition)
    case remember(String)
    case recall(String)
    case help, hello, thanks

    /// What is asked of alarms: whether they report it now, whether, when or how often they did.
    public enum AlarmAsk: Hashable, Sendable { case now, whether, when, howOften }
    /// What the alarms that are meant are for.
    public struct Alarm: Hashable, Sendable {
        let word: Sense.DangerWord

        public var dangers: Set<Danger> { word.dangers }
    }
    public enum Feeling: String, Hashable, Sendable, CaseIterable { case worry, happiness, boredom, excitement }
    public enum Statistic: Hashable, Sendable { case highest, lowest, mean }
    public enum Measure: String, Hashable, Sendable, CaseIterable { case temperature, humidity, brightness, battery, power, co2, target }
}

/// What somebody does with a thing.
public enum Deed: String, Hashable, Sendable, CaseIterable {
    case open, close, lock, unlock, on, off, use, set
}

/// How a thing can stand.
public enum Condition: String, Hashable, Sendable, CaseIterable {
    case on, off, open, closed, locked, unlocked, jammed
}

/// Whose doing is asked about.
public enum Who: Hashable, Sendable {
    case anybody, guests
    /// By their keys: `person:{id}`, `guest:{id}`.
    case these([String])
}

/// "What would it cost to keep 22 degrees all night?"
public struct Supposition: Hashable, Sendable {
    /// °C.
    public var temperature: Double?
    /// Whether it came without a unit: then it is meant in the asker's degrees.
    public var isBare = false
    /// Seconds.
    public var duration: Double?
    /// The sentence's hours, "all night", where they are meant; minutes since midnight.
    public var isNight = false
    public var asksCost = false
    public var subject = Subject()
}

/// What somebody wants done. It is only ever suggested.
public struct Wish: Hashable, Sendable {
    public enum Act: Hashable, Sendable {
        case deed(Verb)
        /// °C.
        case degrees(Double)
        /// Of brightness, speed, volume or position. A way in is moved only where somebody said "open".
        case percent(Double, isOpening: Bool)
        /// A number without a unit: the asker's degrees for a heating, percent for the rest.
        case bare(Double)
        /// Warmer by so many °C, or cooler; where something was spoken of before, there.
        case warmer(Double, isThere: Bool)
        case scene(String)
    }

    public var act: Act
    public var subject = Subject()
    /// Whether its verb was read out of a slip of the finger.
    var isGuessed = false
}

/// Which things of the house are meant, as it was said; what they are is found in the house at hand.
public struct Subject: Hashable, Sendable {
    /// What was named; of each, what it may be.
    var named: [[Referent]] = []
    var rooms: [String] = []
    var floor: Sense.FloorWord?
    var kind: Kind?
    /// "The lamp", not "the lamps" and not "a lamp".
    var isOne = false
    /// "Any", "anything", "all": a whole set is meant.
    var isAny = false
    var exceptNamed: [[Referent]] = []
    var exceptRooms: [String] = []
    var exceptKinds: [Kind] = []

    public init() {}

    var isEmpty: Bool { self == Subject() }

    /// Cameras and bells that were named.
    var cameras: [String] { named.joined().compactMap { if case .camera(let id) = $0 { id } else { nil } } }
}
