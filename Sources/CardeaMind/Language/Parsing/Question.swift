import CardeaModel

/// What a sentence was understood to ask.
public struct Question: Hashable, Sendable {
    public var intent: QueryIntent
    /// About which things of the house.
    public var subject = DeviceReference()
    /// About whose doing.
    public var actors: ActorFilter?
    /// About what time; nil for now, or for as long as anything is remembered.
    public var period: Period?
    /// While whom was where, in the place of a time.
    public var during: PresenceInterval?
}

/// The last time that somebody was home, or away.
public struct PresenceInterval: Hashable, Sendable {
    /// By their key.
    public let personKey: String
    public let isHome: Bool
}

/// The kinds of questions there are.
public enum QueryIntent: Hashable, Sendable {
    /// Who opened it?
    case whoDid(ActionKind)
    /// Did anybody open it?
    case did(ActionKind)
    /// When was it last, or first, opened?
    case when(ActionKind, isFirst: Bool)
    case howOften(ActionKind)
    /// How long was it open?
    case howLong(DeviceCondition)
    /// Is it open? Is anything? Are all?
    case isIt(DeviceCondition, isAll: Bool)
    /// Which are open?
    case which(DeviceCondition)
    case howMany(DeviceCondition?)
    /// How does it stand?
    case state
    case measure(Measure, Statistic?)
    /// Which batteries are low?
    case lowBatteries
    /// Which room is the warmest?
    case extremeRoom(Measure, isHighest: Bool)
    /// Is it warmer here than there?
    case compare(Measure, isHighest: Bool, with: DeviceReference)
    case list
    case rooms
    case connectivity(isOnline: Bool)
    case connectivityTimes(isOnline: Bool)
    case presence(isHome: Bool)
    case whereIs
    case arrivals(isHome: Bool, isFirst: Bool)
    case events
    /// Who was at the door, what was seen. `type` narrows it to packages, for one.
    case sightings(type: String?, isCount: Bool, isLast: Bool)
    case refusals
    /// Is there smoke? Did the smoke alarm go off?
    case danger(AlarmSelector, AlarmQuery)
    case energyUsed
    case energyCost
    case energyPeak
    case energyMost
    case mood(Feeling?)
    case whatIf(WhatIfIntent)
    case remember(String)
    case recall(String)
    case help, hello, thanks

    /// What is asked of alarms: whether they report it now, whether, when or how often they did.
    public enum AlarmQuery: Hashable, Sendable { case now, whether, when, howOften }
    /// What the alarms that are meant are for.
    public struct AlarmSelector: Hashable, Sendable {
        let word: LexicalCategory.DangerWord

        public var dangers: Set<Danger> { word.dangers }
    }
    public enum Feeling: String, Hashable, Sendable, CaseIterable { case worry, happiness, boredom, excitement }
    public enum Statistic: Hashable, Sendable { case highest, lowest, mean }
    public enum Measure: String, Hashable, Sendable, CaseIterable { case temperature, humidity, brightness, battery, power, co2, target }
}

/// What somebody does with a thing.
public enum ActionKind: String, Hashable, Sendable, CaseIterable {
    case open, close, lock, unlock, on, off, use, set
}

/// How a thing can stand.
public enum DeviceCondition: String, Hashable, Sendable, CaseIterable {
    case on, off, open, closed, locked, unlocked, jammed
}

/// Whose doing is asked about.
public enum ActorFilter: Hashable, Sendable {
    case anybody, guests
    /// By their keys: `person:{id}`, `guest:{id}`.
    case actors([String])
}

/// "What would it cost to keep 22 degrees all night?"
public struct WhatIfIntent: Hashable, Sendable {
    /// °C.
    public var temperature: Double?
    /// Whether it came without a unit: then it is meant in the asker's degrees.
    public var hasNoUnit = false
    /// Seconds.
    public var duration: Double?
    /// The sentence's hours, "all night", where they are meant; minutes since midnight.
    public var isNight = false
    public var asksCost = false
    public var subject = DeviceReference()
}

/// What somebody wants done. It is only ever suggested.
public struct CommandIntent: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case verb(Verb)
        /// °C.
        case degrees(Double)
        /// Of brightness, speed, volume or position. A way in is moved only where somebody said "open".
        case percent(Double, isOpening: Bool)
        /// A number without a unit: the asker's degrees for a heating, percent for the rest.
        case withoutUnit(Double)
        /// Warmer by so many °C, or cooler; where something was spoken of before, there.
        case warmer(Double, isThere: Bool)
        case scene(String)
    }

    public var change: Change
    public var subject = DeviceReference()
    /// Whether its verb was read out of a slip of the finger.
    var isGuessed = false
}

/// Which things of the house are meant, as it was said; what they are is found in the house at hand.
public struct DeviceReference: Hashable, Sendable {
    /// What was named; of each, what it may be.
    var named: [[Referent]] = []
    var rooms: [String] = []
    var floor: LexicalCategory.FloorWord?
    var kind: DeviceCategory?
    /// "The lamp", not "the lamps" and not "a lamp".
    var isOne = false
    /// "Any", "anything", "all": a whole set is meant.
    var isAny = false
    var exceptNamed: [[Referent]] = []
    var exceptRooms: [String] = []
    var exceptKinds: [DeviceCategory] = []

    public init() {}

    var isEmpty: Bool { self == DeviceReference() }

    /// Cameras and bells that were named.
    var cameras: [String] { named.joined().compactMap { if case .camera(let id) = $0 { id } else { nil } } }
}
