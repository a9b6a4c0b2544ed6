import CardeaModel
import Foundation

/// Decides which automations run: events and the clock go in, activations come out. It knows no store and no device, and has no effects.
///
/// A trigger fires once when its condition becomes true. Events from before the engine began, or before an automation was last changed,
/// trigger nothing. The same events in the same order give the same activations.
public struct AutomationEvaluator: Sendable {
    /// Seconds between two runs of one automation, seconds of an hour, and the most runs within an hour.
    public static let (minimumInterval, hour, maximumRunsPerHour): (TimeInterval, TimeInterval, Int) = (5, 3600, 60)
    /// The most automations that may trigger each other in a row.
    public static let maximumChainLength = 4
    /// Seconds after a run in which changes made by the automation count as its effects.
    private static let causationWindow: TimeInterval = 120

    /// The engine's state of one automation.
    private struct RuleState {
        var version: Int
        /// Only events after this moment trigger it.
        var since: Date
        var runs: [Date] = []
        /// Times at which it did not run because its conditions could not be decided.
        var undecidedAt: [Date] = []
        var restsUntil: Date?
        /// The automations that led to its last run, itself last.
        var chain: [String] = []
    }

    private var rules: [Automation] = []
    private var ruleStates: [String: RuleState] = [:]
    private var pendingTriggers: [PendingTrigger] = []
    private var states: [String: (value: String, since: Date)] = [:]
    /// The times since which the states of these entities are not known.
    private var unknownSince: [String: Date] = [:]
    /// The states of entities before a state that was observed and whose report has not been processed yet.
    private var unreportedPrevious: [String: (value: String, since: Date)] = [:]
    private var numbers: [String: Double] = [:]
    private var presence: [String: Bool] = [:]
    private var unreachable: Set<String> = []
    /// Devices whose status is known. From then on only events change it.
    private var seededDevices: Set<String> = []
    /// The people who live here; nil if the household has not set them.
    private var residents: Set<String>?
    /// The integrations of entities, by their ids.
    private var integrations: [String: String] = [:]
    /// The entities of devices, by their ids.
    private var entities: [String: [String]] = [:]
    /// True for a run over past events: a device that comes back has the states it had before.
    private let isReplay: Bool
    private var zone: TimeZone
    /// The time up to which everything has been processed.
    public private(set) var clock: Date

    /// - Parameters:
    ///   - moment: events up to then are past.
    ///   - isReplay: true for a run over past events, in which nothing is observed.
    public init(zone: TimeZone, at moment: Date, isReplay: Bool = false) {
        self.zone = zone
        self.isReplay = isReplay
        clock = moment
    }

    /// The ids of the people who own active automations.
    public var owners: Set<String> { Set(rules.map(\.owner)) }

    // MARK: Configuration

    /// Sets the automations. A changed or newly enabled one starts again.
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

    /// Records a run from before the engine began.
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

    /// Sets the first known state of an entity. It triggers nothing.
    public mutating func seed(entity: String, value: String, since moment: Date) {
        guard states[entity] == nil, !Self.isUnknownValue(value) else { return }
        states[entity] = (value, min(moment, clock))
        if numbers[entity] == nil { numbers[entity] = Self.number(value) }
    }

    /// Sets the observed state of an entity, or that it is not known. It triggers nothing: a change is triggered by its own report. Until
    /// then the observed state counts, if none was known.
    public mutating func reconcile(_ entity: String, value: String, at moment: Date) {
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

    // MARK: Events

    /// Processes an event. Events come in the order in which they happened, as far as that is known.
    public mutating func receive(_ event: HouseEvent) -> [Activation] {
        var firings = advance(to: event.at)
        let (at, row) = (max(event.at, clock), chain(of: event))
        switch event.fact {
        case .state(let value):
            if isReplay, !Self.isUnknownValue(value), let device = event.deviceID {
                // A device that reports is online, unless it has reported itself offline.
                let others = unreachable.contains(device) ? [] : entities[device] ?? []
                for other in others where other != event.entityID { markKnown(other, at: event.at) }
            }
            if let entity = event.entityID {
                firings += applyState(entity, value, at: event.at, event: event.id, row: row, report: event.report)
            }
        case .presence(let isHome):
            if let person = event.actor { firings += applyPresence(person, isHome, at: at, event: event, row: row) }
        case .deviceStatus(let status):
            guard let device = event.deviceID else { break }
            applyDeviceStatus(device, status, at: event.at)
            guard status == .offline else {
                // An unknown status changes nothing: the device stays as reachable as before.
                if status != .unknown { unreachable.remove(device) }
                break
            }
            guard unreachable.insert(device).inserted else { break }
            firings += fire(event, row, at: at) { $0 == .offline(deviceID: device) }
        case .sighting(let type, _):
            firings += fire(event, row, at: at) { trigger in
                guard case .seen(type, let camera) = trigger else { return false }
                return camera == nil || camera == event.entityID
            }
        case .command(_, _, let refusal):
            guard refusal != nil else { break }
            firings += fire(event, row, at: at) { trigger in
                guard case .refused(let device) = trigger else { return false }
                return device == nil || device == event.deviceID
            }
        }
        return firings
    }

    /// Processes an observed sensor value, since those are not reported one by one.
    public mutating func observe(_ entity: String, value: String, at moment: Date) -> [Activation] {
        advance(to: moment) + applyState(entity, value, at: max(moment, clock), event: nil, row: [])
    }

    /// Advances the clock: fires the times of day and the states kept long enough.
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
                firings += fire(automation, trigger, at: at, was: at, event: nil, row: [])
            case .held(let at, let one):
                firings += fire(one.automationID, one.trigger, at: at, was: one.originalDue, event: one.eventID, row: one.chain)
            }
        }
        clock = moment
        return firings
    }

    /// The next time at which the clock alone triggers an automation; nil if there is none before `end`.
    public func nextDeadline(before end: Date) -> Date? {
        (pendingTriggers.compactMap(\.due).filter { $0 <= end } + scheduledTimes(after: clock, to: end).map(\.at)).min()
    }

    // MARK: Edges

    private mutating func applyState(
        _ entity: String, _ value: String, at moment: Date, event: String?, row: [String], report: StateReportKind? = nil
    ) -> [Activation] {
        if Self.isUnknownValue(value) {
            markUnknown(entity, at: moment)
            return []
        }
        restoreReported(entity, for: value, at: moment)
        let known = states[entity]
        // Late reports change nothing. A press counts each time.
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
                    // A retained report, found after the broker was away, is not a press.
                    guard report != .kept else { continue }
                    firings += fire(rule.id, place, at: max(moment, clock), was: moment, event: event, row: row)
                } else {
                    let due = moment.addingTimeInterval(Double(seconds))
                    pendingTriggers.append(
                        PendingTrigger(
                            automationID: rule.id, trigger: place, entityID: entity, seconds: Double(seconds), due: max(due, clock),
                            originalDue: due, eventID: event, chain: row))
                }
            }
        }
        if let number = Self.number(value) {
            firings += applyNumber(entity, number, event: event, row: row, at: max(moment, clock), was: moment)
        }
        return firings
    }

    /// Restores the last reported state when the report of an observed state, or of one before it, arrives: the change is measured from
    /// there.
    private mutating func restoreReported(_ entity: String, for value: String, at moment: Date) {
        guard let before = unreportedPrevious.removeValue(forKey: entity), let seen = states[entity] else { return }
        if value == seen.value || moment <= seen.since { states[entity] = before }
    }

    /// Applies a change of a device's status. Offline, its entities' states are unknown. Their states after its return are observed or
    /// reported.
    private mutating func applyDeviceStatus(_ device: String, _ status: DeviceStatus, at moment: Date) {
        let isLost = status == .offline || status == .unknown
        for entity in entities[device] ?? [] {
            if isLost { markUnknown(entity, at: moment) } else if isReplay { markKnown(entity, at: moment) }
        }
    }

    /// Marks an entity's state as unknown. Pending triggers for it are suspended.
    private mutating func markUnknown(_ entity: String, at moment: Date) {
        guard unknownSince[entity] == nil, states[entity].map({ $0.since <= moment }) ?? true else { return }
        unknownSince[entity] = moment
        for place in pendingTriggers.indices where pendingTriggers[place].entityID == entity { pendingTriggers[place].due = nil }
    }

    /// Marks an entity's state as known again and unchanged. It is no event, and times for which a state must last count from now.
    private mutating func markKnown(_ entity: String, at moment: Date) {
        guard let since = unknownSince[entity], since <= moment else { return }
        unknownSince[entity] = nil
        for place in pendingTriggers.indices where pendingTriggers[place].entityID == entity && pendingTriggers[place].due == nil {
            let due = moment.addingTimeInterval(pendingTriggers[place].seconds)
            (pendingTriggers[place].due, pendingTriggers[place].originalDue) = (max(due, clock), due)
        }
    }

    private mutating func applyNumber(
        _ entity: String, _ value: Double, event: String?, row: [String], at moment: Date, was: Date
    ) -> [Activation] {
        let before = numbers.updateValue(value, forKey: entity)
        // The first report of an entity is not a change.
        guard let before else { return [] }
        var firings: [Activation] = []
        for rule in rules where isAfterActivation(rule, moment) {
            for (place, trigger) in rule.triggers.enumerated() {
                guard case .number(entity, let crossing) = trigger, crossing.holds(value), !crossing.holds(before) else { continue }
                firings += fire(rule.id, place, at: moment, was: was, event: event, row: row)
            }
        }
        return firings
    }

    private mutating func applyPresence(_ person: String, _ isHome: Bool, at moment: Date, event: HouseEvent, row: [String])
        -> [Activation]
    {
        guard residents?.contains(person) != false, presence.updateValue(isHome, forKey: person) != isHome else { return [] }
        let isAlone = !presence.contains { $0.key != person && $0.value }
        return fire(event, row, at: moment) { trigger in
            switch trigger {
            case .presence(.lastLeaves): !isHome && isAlone
            case .presence(.firstArrives): isHome && isAlone
            case .presence(.leaves(let who)): !isHome && "person:\(who)" == person
            case .presence(.arrives(let who)): isHome && "person:\(who)" == person
            default: false
            }
        }
    }

    /// The scheduled times of day within a period.
    private func scheduledTimes(after start: Date, to end: Date) -> [(at: Date, automationID: String, trigger: Int)] {
        let wall = LocalCalendar(zone)
        let timed = rules.flatMap { rule in
            rule.triggers.enumerated().compactMap { place, trigger -> (rule: Automation, place: Int, minutes: Int, days: Set<Weekday>)? in
                guard case .time(let at, let days) = trigger else { return nil }
                return (rule, place, at.minutes, days)
            }
        }
        guard !timed.isEmpty else { return [] }
        // A hub that was off for a year does not go through each day of it.
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
        _ event: HouseEvent, _ row: [String], at moment: Date, _ fits: (AutomationTrigger) -> Bool
    ) -> [Activation] {
        var firings: [Activation] = []
        for rule in rules where isAfterActivation(rule, event.at) {
            guard let place = rule.triggers.firstIndex(where: fits) else { continue }
            firings += fire(rule.id, place, at: moment, was: event.at, event: event.id, row: row)
        }
        return firings
    }

    private mutating func fire(
        _ id: String, _ trigger: Int, at moment: Date, was: Date, event: String?, row: [String]
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
                    automationID: id, version: rule.version, at: moment, occurredAt: was, trigger: trigger, eventID: event,
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

    /// The automations that led to this event.
    private func chain(of event: HouseEvent) -> [String] {
        guard let actor = event.actor, let id = Automation.id(ofActor: actor) else { return [] }
        guard let track = ruleStates[id], let last = track.runs.last, event.at.timeIntervalSince(last) < Self.causationWindow else {
            return [id]
        }
        return track.chain
    }

    /// Returns true for the states that mean "not known".
    private static func isUnknownValue(_ value: String) -> Bool { value == "unknown" || value == "unavailable" || value.isEmpty }

    private static func number(_ value: String) -> Double? { Double(value).flatMap { $0.isFinite ? $0 : nil } }
}
