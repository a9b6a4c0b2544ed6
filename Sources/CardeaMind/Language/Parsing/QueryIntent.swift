import CardeaModel

/// The kinds of questions.
public enum QueryIntent: Hashable, Sendable {
    /// "Who opened it?"
    case whoDid(ActionKind)
    /// "Did anybody open it?"
    case did(ActionKind)
    /// "When was it last, or first, opened?"
    case when(ActionKind, isFirst: Bool)
    case howOften(ActionKind)
    /// "How long was it open?"
    case howLong(DeviceCondition)
    /// "Is it open? Is anything? Are all?"
    case isIt(DeviceCondition, isAll: Bool)
    /// "Which are open?"
    case which(DeviceCondition)
    case howMany(DeviceCondition?)
    /// "What is its state?"
    case state
    case measure(Measure, Statistic?)
    /// "Which batteries are low?"
    case lowBatteries
    /// "Which room is the warmest?"
    case extremeRoom(Measure, isHighest: Bool)
    /// "Is it warmer here than there?"
    case compare(Measure, isHighest: Bool, with: DeviceReference)
    case list
    case rooms
    case connectivity(isOnline: Bool)
    case connectivityTimes(isOnline: Bool)
    case presence(isHome: Bool)
    case whereIs
    case arrivals(isHome: Bool, isFirst: Bool)
    case events
    /// "Who was at the door?", "What was seen?" `type` narrows it, for example to packages.
    case sightings(type: String?, isCount: Bool, isLast: Bool)
    case refusals
    /// "Is there smoke?", "Did the smoke alarm go off?"
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

    /// The kinds of questions about alarms: whether they report now; whether, when or how often they did.
    public enum AlarmQuery: Hashable, Sendable { case now, whether, when, howOften }
    /// The alarms that are meant, by the danger they report.
    public struct AlarmSelector: Hashable, Sendable {
        let word: LexicalCategory.DangerWord

        public var dangers: Set<Danger> { word.dangers }
    }
    public enum Feeling: String, Hashable, Sendable, CaseIterable { case worry, happiness, boredom, excitement }
    public enum Statistic: Hashable, Sendable { case highest, lowest, mean }
    public enum Measure: String, Hashable, Sendable, CaseIterable { case temperature, humidity, brightness, battery, power, co2, target }
}
