import CardeaModel
import Foundation

/// Says which automations are to run: what happens and the clock go in, firings come out. It knows no store and no device, and can do nothing.
///
/// A trigger fires once when something comes to be so. What happened before the engine began, or before an automation was last changed, sets
/// nothing going. The same happenings in the same order give the same firings.
public struct AutomationEngine: Sendable {
    /// Seconds between two runs of one automation, and how often it may run within an hour.
    public static let (minimumInterval, hour, maximumRunsPerHour): (TimeInterval, TimeInterval, Int) = (5, 3600, 60)
    /// Automations that may set each other going in a row.
    public static let maximumChainLength = 4
    /// Seconds after a run in which what is the automation's doing counts as what came of it.
    private static let causationWindow: TimeInterval = 120

    /// What it knows of one automation.
    private struct RuleState {
        var version: Int
        /// What comes after this sets it going.
        var since: Date
        var runs: [Date] = []
        /// When it did not run because nobody knew whether its conditions held.
        var undecidedAt: [Date] = []
        var restsUntil: Date?
        /// The automations that led to its last run, itself last.
        var chain: [String] = []
    }

    private var rules: [Automation] = []
    private var ruleStates: [String: RuleState] = [:]
    private var pendingTriggers: [PendingTrigger] = []
    private var states: [String: (value: String, since: Date)] = [:]
    /// Since when it is not known how these entities stand.
    private var unknownSince: [String: Date] = [:]
    /// What entities said before that which was seen of them and has not been told yet.
    private var unreportedPrevious: [String: (value: String, since: Date)] = [:]
    private var numbers: [String: Double] = [:]
    private var presence: [String: Bool] = [:]
    private var unreachable: Set<String> = []
    /// Devices of which it knows whether they can be reached: from then on only what happens counts.
    private var seededDevices: Set<String> = []
    /// Who counts, where somebody has said who lives here.
    private var residents: Set<String>?
    /// The integrations of entities, by their ids.
    private var integrations: [String: String] = [:]
    /// The entities of devices, by their ids.
    private var entities: [String: [String]] = [:]
    /// It goes through what was: a device that comes back says what it said before.
    private let isReplay: Bool
    private var zone: TimeZone
    /// Up to when everything has been taken in.
    public private(set) var clock: Date

    /// - Parameters:
    ///   - moment: what happened up to then is past.
    ///   - isReplay: whether nobody will tell it what it sees, since it goes through the past.
    public init(zone: TimeZone, at moment: Date, isReplay: Bool = false) {
        self.zone = zone
        self.isReplay = isReplay
        clock = moment
    }

    /// Who answers for those that are on, by their ids.
    public var owners: Set<String> { Set(rules.map(\.owner)) }

    // MARK: What it goes by

    /// Has it go by these from now on. One that is changed, or switched on, begins anew.
    public mutating func set(_ automations: [Automation]) {
        rules = automations.filter(\.isOn)
        let versions = Dictionary(rules.map { ($0.id, $0.version) }, uniquingKeysWith: { first, _ in first })
        pendingTriggers.removeAll { ruleStates[$0.automationID]?.version != versions[$0.automationID] }
        var kept: [String: RuleState] = [:]
        for rule in rules {
            var track = ruleStates[rule.id] ?? RuleState(version: rule.version, since: max(clock, rule.changedAt))
            if track.version != rule.version { (track.version, track.since) = (rule.version, max(clock, rule.changedAt)) }
            kept[rule.id] = track
        }
        ruleStates = kept
    }

    /// That an automation ran before the engine began.
    public mutating func recordRun(_ automationID: String, ranAt moment: Date) {
        ruleStates[automationID]?.runs.append(moment)
    }

    /// - Parameters:
    ///   - integrations: of entities, by their ids.
    ///   - entities: of devices, by their ids.
    public mutating func configure(
        in zone: TimeZone, residents: Set<String>?, integrations: [String: String] = [:], entities: [String: [String]] = [:]
    ) {
        (self.zone, self.residents, self.integrations, self.entities) = (zone, residents, integrations, entities)
        if let residents { presence = presence.filter { residents.contains($0.key) } }
    }

    /// How something stands of which it knows nothing yet. Nothing is set going.
    public mutating func seed(entity: String, says value: String, since moment: Date) {
        guard states[entity] == nil, !Self.isUnknownValue(value) else { return }
        states[entity] = (value, min(moment, clock))
        if numbers[entity] == nil { numbers[entity] = Self.number(value) }
    }

    /// How an entity is seen to stand now, or that nobody knows. Nothing is set going: what it says otherwise than before is told by itself.
    /// Until then it counts as it is seen, where it was not known.
    public mutating func reconcile(_ entity: String, says value: String, at moment: Date) {
        if Self.isUnknownValue(value) {
            markUnknown(entity, at: moment)
        } else if let known = states[entity], known.value != value {
            guard unknownSince.removeValue(forKey: entity) != nil else { return }
            unreportedPrevious[entity] = unreportedPrevious[entity] ?? known
            states[entity] = (value, max(moment, clock))
            pendingTriggers.removeAll { $0.entityID == entity }
        } else {
            markKnown(entity, at: max(moment, clock))
        }
    }

    public mutating func seed(person: String, isHome: Bool) {
        if presence[person] == nil, residents?.contains(person) != false { presence[person] = isHome }
    }

    public mutating func seed(device: String, isUnreachable: Bool) {
        if seededDevices.insert(device).inserted, isUnreachable { unreachable.insert(device) }
    }

    // MARK: What happens

    /// Takes in what happened. They come in the order in which they happened, as far as that is known.
    public mutating func receive(_ happening: HouseEvent) -> [Activation] {
        var firings = advance(to: happening.at)
        let (at, row) = (max(happening.at, clock), chain(of: happening))
        switch happening.fact {
        case .state(let value):
            if isReplay, !Self.isUnknownValue(value), let device = happening.deviceID {
                // A device that reports is there, unless it says itself that it is not.
                let others = unreachable.contains(device) ? [] : entities[device] ?? []
                for other in others where other != happening.entityID { markKnown(other, at: happening.at) }
            }
            if let entity = happening.entityID {
                firings += applyState(entity, value, at: happening.at, happening: happening.id, row: row, report: happening.report)
            }
        case .presence(let isHome):
            if let person = happening.actor { firings += applyPresence(person, isHome, at: at, happening: happening, row: row) }
        case .deviceStatus(let status):
            guard let device = happening.deviceID else { break }
            applyDeviceStatus(device, status, at: happening.at)
            guard status == .offline else {
                // Where nobody knows, it is as unreachable as it was.
                if status != .unknown { unreachable.remove(device) }
                break
            }
            guard unreachable.insert(device).inserted else { break }
            firings += fire(happening, row, at: at) { $0 == .offline(deviceID: device) }
        case .sighting(let type, _):
            firings += fire(happening, row, at: at) { trigger in
                guard case .seen(type, let camera) = trigger else { return false }
                return camera == nil || camera == happening.entityID
            }
        case .command(_, _, let refusal):
            guard refusal != nil else { break }
            firings += fire(happening, row, at: at) { trigger in
                guard case .refused(let device) = trigger else { return false }
                return device == nil || device == happening.deviceID
            }
        }
        return firings
    }

    /// Takes in what an entity is seen to say now: what sensors say is not told one by one.
    public mutating func observe(_ entity: String, says value: String, at moment: Date) -> [Activation] {
        advance(to: moment) + applyState(entity, value, at: max(moment, clock), happening: nil, row: [])
    }

    /// Lets the clock go on: times of day come, and what had to stay so has stayed so.
    public mutating func advance(to moment: Date) -> [Activation] {
        guard moment > clock else { return [] }
        let times = scheduledTimes(after: clock, to: moment)
        var dues = times.map { DueTrigger.time($0.at, $0.automationID, $0.trigger) }
        dues += pendingTriggers.compactMap { one in one.due.flatMap { $0 <= moment ? DueTrigger.held($0, one) : nil } }
        pendingTriggers.removeAll { $0.due.map { $0 <= moment } ?? false }
        var firings: [Activation] = []
        for due in dues.sorted(by: { ($0.at, $0.automationID, $0.trigger) < ($1.at, $1.automationID, $1.trigger) }) {
            clock = max(clock, due.at)
            switch due {
            case .time(let at, let automation, let trigger):
                firings += fire(automation, trigger, at: at, was: at, happening: nil, row: [])
            case .held(let at, let one):
                firings += fire(one.automationID, one.trigger, at: at, was: one.originalDue, happening: one.eventID, row: one.chain)
            }
        }
        clock = moment
        return firings
    }

    /// When something is to be done next by the clock alone; nil where nothing is, for as far as it looks.
    public func nextDeadline(before end: Date) -> Date? {
        (pendingTriggers.compactMap(\.due).filter { $0 <= end } + scheduledTimes(after: clock, to: end).map(\.at)).min()
    }

    // MARK: Edges

    private mutating func applyState(
        _ entity: String, _ value: String, at moment: Date, happening: String?, row: [String], report: ReportKind? = nil
    ) -> [Activation] {
        if Self.isUnknownValue(value) {
            markUnknown(entity, at: moment)
            return []
        }
        restoreReported(entity, for: value, at: moment)
        let known = states[entity]
        // What is told late changes nothing. A press counts each time.
        guard known.map({ $0.since <= moment }) ?? true else { return [] }
        guard known?.value != value || report == .press else {
            markKnown(entity, at: moment)
            return []
        }
        states[entity] = (value, moment)
        unknownSince[entity] = nil
        pendingTriggers.removeAll { $0.entityID == entity }
        var firings: [Activation] = []
        for rule in rules {
            for (place, trigger) in rule.triggers.enumerated() {
                guard case .state(entity, value, let seconds) = trigger, isAfterActivation(rule, moment) else { continue }
                if seconds == 0 {
                    // Found so after the broker was away, it was nobody's press now.
                    guard report != .kept else { continue }
                    firings += fire(rule.id, place, at: max(moment, clock), was: moment, happening: happening, row: row)
                } else {
                    let due = moment.addingTimeInterval(Double(seconds))
                    pendingTriggers.append(
                        PendingTrigger(
                            automationID: rule.id, trigger: place, entityID: entity, seconds: Double(seconds), due: max(due, clock),
                            originalDue: due, eventID: happening, chain: row))
                }
            }
        }
        if let number = Self.number(value) {
            firings += applyNumber(entity, number, happening: happening, row: row, at: max(moment, clock), was: moment)
        }
        return firings
    }

    /// What was seen before it was told is told now, or what came before it is: it changes from what was told last.
    private mutating func restoreReported(_ entity: String, for value: String, at moment: Date) {
        guard let before = unreportedPrevious.removeValue(forKey: entity), let seen = states[entity] else { return }
        if value == seen.value || moment <= seen.since { states[entity] = before }
    }

    /// With a device goes what was known of its entities. What they say when it is back, the house sees or is told.
    private mutating func applyDeviceStatus(_ device: String, _ status: DeviceStatus, at moment: Date) {
        let isLost = status == .offline || status == .unknown
        for entity in entities[device] ?? [] {
            if isLost { markUnknown(entity, at: moment) } else if isReplay { markKnown(entity, at: moment) }
        }
    }

    /// Nobody knows how it stands: whatever had to stay so for a time is not known to.
    private mutating func markUnknown(_ entity: String, at moment: Date) {
        guard unknownSince[entity] == nil, states[entity].map({ $0.since <= moment }) ?? true else { return }
        unknownSince[entity] = moment
        for place in pendingTriggers.indices where pendingTriggers[place].entityID == entity { pendingTriggers[place].due = nil }
    }

    /// It says again what it said before. That is no event, and what has to stay so for a time counts from now.
    private mutating func markKnown(_ entity: String, at moment: Date) {
        guard let since = unknownSince[entity], since <= moment else { return }
        unknownSince[entity] = nil
        for place in pendingTriggers.indices where pendingTriggers[place].entityID == entity && pendingTriggers[place].due == nil {
            let due = moment.addingTimeInterval(pendingTriggers[place].seconds)
            (pendingTriggers[place].due, pendingTriggers[place].originalDue) = (max(due, clock), due)
        }
    }

    private mutating func applyNumber(
        _ entity: String, _ value: Double, happening: String?, row: [String], at moment: Date, was: Date
    ) -> [Activation] {
        let before = numbers.updateValue(value, forKey: entity)
        // What it says for the first time has come from nowhere.
        guard let before else { return [] }
        var firings: [Activation] = []
        for rule in rules where isAfterActivation(rule, moment) {
            for (place, trigger) in rule.triggers.enumerated() {
                guard case .number(entity, let crossing) = trigger, crossing.holds(value), !crossing.holds(before) else { continue }
                firings += fire(rule.id, place, at: moment, was: was, happening: happening, row: row)
            }
        }
        return firings
    }

    private mutating func applyPresence(_ person: String, _ isHome: Bool, at moment: Date, happening: HouseEvent, row: [String])
        -> [Activation]
    {
        guard residents?.contains(person) != false, presence.updateValue(isHome, forKey: person) != isHome else { return [] }
        let isAlone = !presence.contains { $0.key != person && $0.value }
        return fire(happening, row, at: moment) { trigger in
            switch trigger {
            case .presence(.lastLeaves): !isHome && isAlone
            case .presence(.firstArrives): isHome && isAlone
            case .presence(.leaves(let who)): !isHome && "person:\(who)" == person
            case .presence(.arrives(let who)): isHome && "person:\(who)" == person
            default: false
            }
        }
    }

    /// Moments of the day that come within a time.
    private func scheduledTimes(after start: Date, to end: Date) -> [(at: Date, automationID: String, trigger: Int)] {
        let wall = LocalCalendar(zone)
        let timed = rules.flatMap { rule in
            rule.triggers.enumerated().compactMap { place, trigger -> (rule: Automation, place: Int, minutes: Int, days: Set<Weekday>)? in
                guard case .time(let at, let days) = trigger else { return nil }
                return (rule, place, at.minutes, days)
            }
        }
        guard !timed.isEmpty else { return [] }
        // A hub that slept for a year need not be told of each day of it.
        let (first, last) = (wall.day(of: max(start, end.addingTimeInterval(-40 * 86_400))), wall.day(of: end))
        var found: [(Date, String, Int)] = []
        var day = first.later(by: -1)
        while day <= last {
            for one in timed where one.days.contains(Weekday.allCases[day.weekday]) {
                let moment = wall.moment(day, one.minutes)
                if moment > start, moment <= end, isAfterActivation(one.rule, moment) { found.append((moment, one.rule.id, one.place)) }
            }
            day = day.later(by: 1)
        }
        return found
    }

    private func isAfterActivation(_ rule: Automation, _ moment: Date) -> Bool {
        ruleStates[rule.id].map { moment > $0.since } ?? false
    }

    // MARK: Firing

    private mutating func fire(
        _ happening: HouseEvent, _ row: [String], at moment: Date, _ fits: (AutomationTrigger) -> Bool
    ) -> [Activation] {
        var firings: [Activation] = []
        for rule in rules where isAfterActivation(rule, happening.at) {
            guard let place = rule.triggers.firstIndex(where: fits) else { continue }
            firings += fire(rule.id, place, at: moment, was: happening.at, happening: happening.id, row: row)
        }
        return firings
    }

    private mutating func fire(
        _ id: String, _ trigger: Int, at moment: Date, was: Date, happening: String?, row: [String]
    ) -> [Activation] {
        guard let rule = rules.first(where: { $0.id == id }), var track = ruleStates[id] else { return [] }
        let judge = ConditionEvaluator(
            states: states, unknownSince: unknownSince, presence: presence, integrations: integrations, zone: zone)
        let wanted = AutomationCondition.all(rule.conditions)
        let holds = judge.holds(wanted, at: moment)
        guard holds != false else { return [] }
        if let rest = track.restsUntil, moment < rest { return [] }
        if let last = track.runs.last, moment.timeIntervalSince(last) < Self.minimumInterval { return [] }
        defer { ruleStates[id] = track }
        func firing(_ verdict: Activation.Verdict, unknown: [String] = []) -> [Activation] {
            [
                Activation(
                    automationID: id, version: rule.version, at: moment, occurredAt: was, trigger: trigger, eventID: happening,
                    verdict: verdict, unknown: unknown)
            ]
        }
        guard holds != nil else {
            track.undecidedAt.removeAll { moment.timeIntervalSince($0) >= Self.hour }
            guard track.undecidedAt.count < Self.maximumRunsPerHour,
                track.undecidedAt.last.map({ moment.timeIntervalSince($0) >= Self.minimumInterval }) ?? true
            else {
                return []
            }
            track.undecidedAt.append(moment)
            return firing(.notKnown, unknown: judge.undecidedEntities(wanted, at: moment).sorted())
        }
        track.runs = track.runs.filter { moment.timeIntervalSince($0) < Self.hour } + [moment]
        if track.runs.count > Self.maximumRunsPerHour {
            (track.runs, track.restsUntil) = ([], moment.addingTimeInterval(Self.hour))
            return firing(.tooOften)
        }
        if row.contains(id) || row.count >= Self.maximumChainLength { return firing(.loop) }
        track.chain = row + [id]
        return firing(.run)
    }

    /// The automations that led to this.
    private func chain(of happening: HouseEvent) -> [String] {
        guard let actor = happening.actor, let id = Automation.id(ofActor: actor) else { return [] }
        guard let track = ruleStates[id], let last = track.runs.last, happening.at.timeIntervalSince(last) < Self.causationWindow else {
            return [id]
        }
        return track.chain
    }

    /// Words by which a thing says that it says nothing.
    private static func isUnknownValue(_ value: String) -> Bool { value == "unknown" || value == "unavailable" || value.isEmpty }

    private static func number(_ value: String) -> Double? { Double(value).flatMap { $0.isFinite ? $0 : nil } }
}
