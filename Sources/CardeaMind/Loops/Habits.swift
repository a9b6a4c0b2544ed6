import CardeaModel
import Foundation

/// The learned habits of the house: closing times, hours of use, usual sensor readings, and hours of presence.
///
/// It learns event by event, forgets slowly, and stays small. A person's corrections override everything learned.
public struct Habits: Codable, Sendable {
    public let zone: TimeZone
    private(set) var states: [String: StateHabit] = [:]
    private(set) var levels: [String: SensorHabit] = [:]
    var homes: [String: ActivityTracker] = [:]
    public internal(set) var corrections: [HabitKey: AttributedHabitCorrection] = [:]
    /// The time since which a habit is certain enough to be mentioned.
    private(set) var learned: [HabitKey: Date] = [:]
    /// The deviations that were raised.
    var raised: [HabitKey: Deviation] = [:]

    /// The number of days needed before anything counts as usual.
    public static let minimumDays = 10
    /// The certainty that a habit needs, 0 to 1.
    public static let minimumConfidence = 0.85
    /// The most entities, sensors, people and corrections that are kept.
    static let (stateLimit, levelLimit, homeLimit, correctionLimit) = (512, 256, 64, 1000)

    /// - Parameters:
    ///   - zone: the time zone of the hours.
    ///   - corrections: earlier corrections by people. They stay valid whatever is learned anew.
    public init(zone: TimeZone, corrections: [HabitKey: AttributedHabitCorrection] = [:]) {
        self.zone = zone
        self.corrections = corrections
    }

    // MARK: Learning

    /// Learns from an event. Events must be passed in their order.
    public mutating func learn(_ event: HouseEvent) {
        switch event.fact {
        case .state(let word):
            guard let id = event.entityID else { return }
            let restState = RestState(word)
            // A moving or jammed entity keeps its previous state.
            guard restState != nil || ["unknown", "unavailable"].contains(word) else { return }
            setState(id, to: restState, by: event)
        case .deviceStatus(let status) where status != .online:
            for (id, habit) in states where habit.deviceID == event.deviceID && event.deviceID != nil {
                setState(id, to: nil, by: event)
            }
        case .presence(let isHome):
            guard let person = event.actor, person.hasPrefix("person:"), !isForgotten(HabitKey(person, .home)) else { return }
            guard homes[person] != nil || homes.count < Self.homeLimit else { return }
            homes[person, default: ActivityTracker()].advance(to: event.at, in: zone)
            homes[person]?.setActive(isHome, at: event.at, by: EvidenceReference(event))
        case .deviceStatus, .command, .sighting: return
        }
    }

    /// Returns true if the sensor's readings have a meaningful usual level.
    static func hasLevel(_ entity: Entity) -> Bool {
        entity.kind == .sensor && entity.deviceClass.map(SensorHabit.deviceClasses.contains) == true
    }

    /// Learns the readings of a completed hour. An hour that was already learned changes nothing.
    public mutating func learn(_ hour: HourlyReading, of entity: Entity, on device: Device) {
        let key = HabitKey(entity.id, .level)
        guard Self.hasLevel(entity), let deviceClass = entity.deviceClass, !isForgotten(key),
            levels[entity.id] != nil || levels.count < Self.levelLimit
        else { return }
        var pinned: ClosedRange<Double>?
        if case .between(let low, let high)? = corrections[key]?.correction, low <= high { pinned = low...high }
        var level = levels[entity.id] ?? SensorHabit(deviceID: device.id, deviceClass: deviceClass)
        level.learn(hour, in: zone, pinned: pinned)
        levels[entity.id] = level
    }

    /// Updates to the present devices and people: new devices are tracked from now on, devices gone for a month are forgotten, and people
    /// who no longer live here are forgotten at once.
    public mutating func update(_ snapshot: HouseSnapshot, at now: Date) {
        let inventory = EntityIndex(snapshot)
        for place in inventory.all {
            levels[place.entity.id]?.deviceID = place.device.id
            guard let sort = RestStateKind(place.entity), track(place.entity.id, deviceID: place.device.id, sort: sort) else { continue }
            let isKnown = states[place.entity.id]?.track.isActive != nil
            guard !isKnown, place.device.status == .online, let restState = RestState(place.entity.state.value) else { continue }
            let learns = learnableAspects(place.entity.id)
            states[place.entity.id]?.setState(restState, at: now, by: nil, in: zone, learns: learns)
        }
        let old = now.addingTimeInterval(-30 * 86400)
        states = states.filter { inventory[$0.key] != nil || ($0.value.seenAt ?? now) > old }
        levels = levels.filter { inventory[$0.key] != nil || ($0.value.last ?? now) > old }
        guard !snapshot.people.isEmpty else { return }
        homes = homes.filter { inventory.people[$0.key] != nil }
        for person in snapshot.people where homes[person.key]?.isActive == nil {
            guard let isHome = person.isHome, !isForgotten(HabitKey(person.key, .home)), homes.count < Self.homeLimit else { continue }
            homes[person.key, default: ActivityTracker()].setActive(isHome, at: now, by: nil)
        }
    }

    /// Counts the time up to `now`, without further events; once an hour is often enough. `now` must be right: later times come from a
    /// wrong clock.
    public mutating func advance(to now: Date) {
        for id in states.keys {
            let learns = learnableAspects(id)
            states[id]?.clampToPresent(at: now, in: zone)
            states[id]?.advance(to: now, in: zone, learns: learns)
        }
        for person in homes.keys {
            homes[person]?.clampToPresent(at: now)
            homes[person]?.advance(to: now, in: zone)
        }
        for id in levels.keys { levels[id]?.clampToPresent(at: now) }
        let sure = Set(allKeys.filter(isSure))
        learned = learned.filter { sure.contains($0.key) }
        for key in sure where learned[key] == nil { learned[key] = now }
    }

    private mutating func setState(_ id: String, to restState: RestState?, by event: HouseEvent) {
        if states[id] == nil {
            guard let sort = RestStateKind(id: id), track(id, deviceID: event.deviceID, sort: sort) else { return }
        }
        let learns = learnableAspects(id)
        states[id]?.setState(restState, at: event.at, by: EvidenceReference(event), in: zone, learns: learns)
    }

    /// Returns false if the house has too many entities to track them all. Those known first are kept.
    private mutating func track(_ id: String, deviceID: String?, sort: RestStateKind) -> Bool {
        if states[id] != nil {
            states[id]?.deviceID = deviceID
            states[id]?.sort = sort
        } else if states.count < Self.stateLimit {
            states[id] = StateHabit(deviceID: deviceID, sort: sort)
        }
        return states[id] != nil
    }

    private func learnableAspects(_ id: String) -> (hours: Bool, closings: Bool) {
        (!isForgotten(HabitKey(id, .hours)), !isForgotten(HabitKey(id, .closing)))
    }

    // MARK: Corrections

    func isForgotten(_ key: HabitKey) -> Bool { corrections[key]?.correction == .forgotten }

    /// Stores a person's correction of a habit. It overrides everything learned.
    ///
    /// - Parameters:
    ///   - correction: for a sensor, in the unit in which the house stores it.
    ///   - deviceClass: the class of that sensor.
    public mutating func correct(
        _ key: HabitKey, _ correction: HabitCorrection, of deviceClass: String? = nil, by person: String, at now: Date
    ) throws(HabitCorrection.CorrectionError) {
        try correction.check(for: key.aspect, of: deviceClass)
        guard corrections[key] != nil || corrections.count < Self.correctionLimit else { throw .tooMany }
        corrections[key] = AttributedHabitCorrection(correction: correction, by: person, at: now)
        raised[key] = nil
        guard correction == .forgotten else { return }
        erase(key)
    }

    /// Withdraws a correction. From now on the habit is the learned one. A habit that was deleted is learned anew.
    public mutating func removeCorrection(_ key: HabitKey) { corrections[key] = nil }

    private mutating func erase(_ key: HabitKey) {
        learned[key] = nil
        switch key.aspect {
        case .closing: states[key.subject]?.forgetClosings()
        case .hours: states[key.subject]?.forgetHours()
        case .level: levels[key.subject] = nil
        case .home: homes[key.subject] = nil
        }
    }
}
