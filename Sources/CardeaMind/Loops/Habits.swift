import CardeaModel
import Foundation

/// What the house has learned of how it usually is: by when what is shut, which hours what is on, what sensors show, who is at home.
///
/// It learns from one happening after another, forgets slowly, and stays small. What a person corrects stays as they said.
public struct Habits: Codable, Sendable {
    public let zone: TimeZone
    private(set) var states: [String: StateHabit] = [:]
    private(set) var levels: [String: LevelHabit] = [:]
    var homes: [String: ActivityTracker] = [:]
    public internal(set) var corrections: [HabitKey: CorrectedHabit] = [:]
    /// Since when a habit is sure enough to speak of.
    private(set) var learned: [HabitKey: Date] = [:]
    /// What is out of the ordinary and was raised.
    var raised: [HabitKey: Deviation] = [:]

    /// Days without which nothing counts as usual.
    public static let minimumDays = 10
    /// How sure a habit must be, 0 to 1.
    public static let minimumConfidence = 0.85
    /// Things, sensors, people and corrections that are kept.
    static let (stateLimit, levelLimit, homeLimit, correctionLimit) = (512, 256, 64, 1000)

    /// - Parameters:
    ///   - zone: by whose clock hours are hours.
    ///   - corrections: what people said before; that holds whatever is learned anew.
    public init(zone: TimeZone, corrections: [HabitKey: CorrectedHabit] = [:]) {
        self.zone = zone
        self.corrections = corrections
    }

    // MARK: Learning

    /// Learns from what happened. Happenings come in their order.
    public mutating func learn(_ happening: HouseEvent) {
        switch happening.fact {
        case .state(let word):
            guard let id = happening.entityID else { return }
            let posture = RestState(word)
            // What is under way, or jammed, is where it was.
            guard posture != nil || ["unknown", "unavailable"].contains(word) else { return }
            setState(id, to: posture, by: happening)
        case .deviceStatus(let status) where status != .online:
            for (id, habit) in states where habit.deviceID == happening.deviceID && happening.deviceID != nil {
                setState(id, to: nil, by: happening)
            }
        case .presence(let isHome):
            guard let person = happening.actor, person.hasPrefix("person:"), !isForgotten(HabitKey(person, .home)) else { return }
            guard homes[person] != nil || homes.count < Self.homeLimit else { return }
            homes[person, default: ActivityTracker()].advance(to: happening.at, in: zone)
            homes[person]?.setActive(isHome, at: happening.at, by: EvidenceReference(happening))
        case .deviceStatus, .command, .sighting: return
        }
    }

    /// Whether what it shows has a usual level that means something.
    static func hasLevel(_ entity: Entity) -> Bool {
        entity.kind == .sensor && entity.deviceClass.map(LevelHabit.deviceClasses.contains) == true
    }

    /// Learns what a sensor showed within an hour that is over. An hour that was taken in before changes nothing.
    public mutating func learn(_ hour: HourlyReading, of entity: Entity, on device: Device) {
        let key = HabitKey(entity.id, .level)
        guard Self.hasLevel(entity), let deviceClass = entity.deviceClass, !isForgotten(key),
            levels[entity.id] != nil || levels.count < Self.levelLimit
        else { return }
        var pinned: ClosedRange<Double>?
        if case .between(let low, let high)? = corrections[key]?.correction, low <= high { pinned = low...high }
        var level = levels[entity.id] ?? LevelHabit(deviceID: device.id, deviceClass: deviceClass)
        level.learn(hour, in: zone, pinned: pinned)
        levels[entity.id] = level
    }

    /// Takes in what the house is made of now: new things are watched from now on, what has been gone for a month is forgotten, and so is at
    /// once whoever lives here no more.
    public mutating func update(_ picture: HouseSnapshot, at now: Date) {
        let inventory = EntityIndex(picture)
        for place in inventory.all {
            levels[place.entity.id]?.deviceID = place.device.id
            guard let sort = RestStateKind(place.entity), track(place.entity.id, deviceID: place.device.id, sort: sort) else { continue }
            let isKnown = states[place.entity.id]?.track.isActive != nil
            guard !isKnown, place.device.status == .online, let posture = RestState(place.entity.state.value) else { continue }
            let learns = learnableAspects(place.entity.id)
            states[place.entity.id]?.setState(posture, at: now, by: nil, in: zone, learns: learns)
        }
        let old = now.addingTimeInterval(-30 * 86400)
        states = states.filter { inventory[$0.key] != nil || ($0.value.seenAt ?? now) > old }
        levels = levels.filter { inventory[$0.key] != nil || ($0.value.last ?? now) > old }
        guard !picture.people.isEmpty else { return }
        homes = homes.filter { inventory.people[$0.key] != nil }
        for person in picture.people where homes[person.key]?.isActive == nil {
            guard let isHome = person.isHome, !isForgotten(HabitKey(person.key, .home)), homes.count < Self.homeLimit else { continue }
            homes[person.key, default: ActivityTracker()].setActive(isHome, at: now, by: nil)
        }
    }

    /// Counts the time up to `now`, in which nothing more happened; once an hour is often enough. `now` is right: what is said to lie after
    /// it was said by a wrong clock.
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

    private mutating func setState(_ id: String, to posture: RestState?, by happening: HouseEvent) {
        if states[id] == nil {
            guard let sort = RestStateKind(id: id), track(id, deviceID: happening.deviceID, sort: sort) else { return }
        }
        let learns = learnableAspects(id)
        states[id]?.setState(posture, at: happening.at, by: EvidenceReference(happening), in: zone, learns: learns)
    }

    /// False where the house has too many things to watch them all: those known first stay.
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

    // MARK: Correcting

    func isForgotten(_ key: HabitKey) -> Bool { corrections[key]?.correction == .forgotten }

    /// Keeps what a person says of a habit, whatever is learned.
    ///
    /// - Parameters:
    ///   - correction: of a sensor, in the unit in which the house keeps it.
    ///   - deviceClass: of that sensor.
    public mutating func correct(
        _ key: HabitKey, _ correction: HabitCorrection, of deviceClass: String? = nil, by person: String, at now: Date
    ) throws(HabitCorrection.CorrectionError) {
        try correction.check(for: key.aspect, of: deviceClass)
        guard corrections[key] != nil || corrections.count < Self.correctionLimit else { throw .tooMany }
        corrections[key] = CorrectedHabit(correction: correction, by: person, at: now)
        raised[key] = nil
        guard correction == .forgotten else { return }
        erase(key)
    }

    /// Takes a correction back: from now on the habit is what is learned. What was forgotten is learned anew.
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
