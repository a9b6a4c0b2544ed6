import CardeaModel
import Foundation

/// A deviation from usual behaviour: "Garage door is usually shut by 22:20; it has been open since 17:30."
public struct Deviation: Codable, Hashable, Sendable, Identifiable {
    public let key: HabitKey
    public let deviceID: String
    public let words: ParameterizedSentence
    /// The time since which it has been so.
    public let since: Date
    /// The certainty that this is unusual, 0 to 1.
    public let sureness: Double
    /// True if the expectation is a person's correction rather than learned.
    public let isWanted: Bool
    let grounds: [EvidenceReference]
    let isEnergy: Bool

    public var id: String { "\(key.aspect.rawValue):\(key.subject)" }
    /// The ids of the events that are its evidence.
    public var events: [String] { grounds.map(\.id) }
}

extension RequesterVisibility {
    /// Returns whether the requester may see the deviation.
    public func sees(_ deviation: Deviation) -> Bool { seesDevice(deviation.deviceID) && (seesEnergy || !deviation.isEnergy) }
}

extension Habits {
    /// Finds deviations from usual behaviour. Each is returned twice: when it begins, and when it is over.
    ///
    /// - Parameter lexicon: the words of the texts.
    public mutating func detectDeviations(
        _ snapshot: HouseSnapshot, at now: Date, _ lexicon: Lexicon = .standard
    ) -> (begun: [Deviation], ended: [Deviation]) {
        let standing = deviations(in: snapshot, at: now, lexicon)
        let before = raised
        // A deviation keeps the text it was raised with.
        raised = Dictionary(standing.map { ($0.key, before[$0.key] ?? $0) }) { one, _ in one }
        let begun = standing.filter { before[$0.key] == nil }
        let ended = before.values.filter { raised[$0.key] == nil }.sorted { $0.key < $1.key }
        return (begun, ended)
    }

    /// Deviations that were raised and are not over, ordered by key.
    public var activeDeviations: [Deviation] { raised.values.sorted { $0.key < $1.key } }

    /// Finds the deviations from usual behaviour that exist now.
    func deviations(in snapshot: HouseSnapshot, at now: Date, _ lexicon: Lexicon = .standard) -> [Deviation] {
        let inventory = EntityIndex(snapshot)
        return inventory.all.compactMap { place in
            unusualLevel(place, at: now, lexicon) ?? lateClosing(place, at: now, lexicon) ?? unusualState(place, at: now, lexicon)
        }
    }

    /// The habit of an entity that is open or on, in the house and in the learned state alike.
    private func activeHabit(_ place: EntityIndex.Entry) -> (habit: StateHabit, sort: RestStateKind, since: Date)? {
        guard let sort = RestStateKind(place.entity), let habit = states[place.entity.id], habit.track.isActive == true,
            !place.entity.state.hasNoState, RestState(place.entity.state.value) != .resting, place.device.status != .offline,
            let since = habit.track.since
        else { return nil }
        return (habit, sort, since)
    }

    /// Seconds for which something must be open before it is reported, since people may just be coming in.
    private static let minimumDuration: TimeInterval = 600

    /// The entity is still open after the usual closing time for the night.
    private func lateClosing(_ place: EntityIndex.Entry, at now: Date, _ lexicon: Lexicon) -> Deviation? {
        let key = HabitKey(place.entity.id, .closing)
        guard !isForgotten(key), let (habit, sort, since) = activeHabit(place) else { return nil }
        // If it was already reported as open at an unusual hour, it is not reported twice.
        guard raised[HabitKey(place.entity.id, .hours)] == nil || raised[key] != nil else { return nil }
        let usual = activityShare(habit, place.entity.id, at: now)
        let night = ClosingTimes.position(now, in: zone)
        let by: Int
        let isWanted: Bool
        if case .shutBy(let time)? = corrections[key]?.correction {
            let minute = (time.minutes + 1440 - 240) % 1440
            guard raised[key] != nil || (night.minute >= minute && now.timeIntervalSince(since) >= Self.minimumDuration) else { return nil }
            (by, isWanted) = (time.minutes, true)
        } else {
            guard isSure(key), let deadline = habit.closings.deadline(on: night.weekday),
                let (mean, deviation) = habit.closings.usual(on: night.weekday)
            else { return nil }
            if raised[key] == nil {
                guard Double(night.minute) >= deadline, now.timeIntervalSince(since) >= Self.minimumDuration, usual.count >= 5,
                    usual.share < 0.25
                else { return nil }
            }
            (by, isWanted) = (Int(((mean + deviation) / 5).rounded(.up)) * 5 + 240, false)
        }
        // If it was left open all night, it is over when it would usually be open anyway.
        if raised[key] != nil, !isWanted, usual.count >= 5, usual.share >= 0.5 { return nil }
        let words = lexicon.stateSentence(
            isWanted ? .lateAsWanted : .lateAsUsual,
            [
                .condition: lexicon.stateText(sort.resting), .time: LocalHour.clock(by), .words: lexicon.stateText(sort.active),
                .when: LocalHour.since(since, at: now, in: zone, lexicon),
            ], names: [.thing: place.name])
        return Deviation(
            key: key, deviceID: place.device.id, words: words, since: since, sureness: isWanted ? 1 : evidence(for: key).sureness,
            isWanted: isWanted, grounds: [habit.track.ground].compactMap { $0 }, isEnergy: false)
    }

    /// The entity is open or on at an hour at which it never is, and for longer than it ever is.
    private func unusualState(_ place: EntityIndex.Entry, at now: Date, _ lexicon: Lexicon) -> Deviation? {
        let key = HabitKey(place.entity.id, .hours)
        guard !isForgotten(key), let (habit, sort, since) = activeHabit(place) else { return nil }
        let minutes = now.timeIntervalSince(since) / 60
        let usual = activityShare(habit, place.entity.id, at: now)
        var isWanted = false
        if case .hours(let hours, let isActive)? = corrections[key]?.correction, hours.contains(LocalHour(now, in: zone).hourOfWeek) {
            guard !isActive, minutes * 60 >= Self.minimumDuration || raised[key] != nil else { return nil }
            isWanted = true
        } else if raised[key] != nil {
            guard usual.share < 0.5 else { return nil }
        } else {
            guard isSure(key), usual.count >= 5, usual.share < 0.05 else { return nil }
            // Without any past openings there is no usual duration; a lamp may be on for once.
            guard minutes > habit.longActiveTime ?? (sort.isWayIn && habit.stays.count == 0 ? 30 : .infinity) else { return nil }
        }
        let words = lexicon.stateSentence(
            isWanted ? .oddAsWanted : .oddAsUsual,
            [
                .condition: lexicon.stateText(sort.resting), .words: lexicon.stateText(sort.active),
                .when: LocalHour.since(since, at: now, in: zone, lexicon),
            ], names: [.thing: place.name])
        return Deviation(
            key: key, deviceID: place.device.id, words: words, since: since, sureness: isWanted ? 1 : evidence(for: key).sureness,
            isWanted: isWanted, grounds: [habit.track.ground].compactMap { $0 }, isEnergy: false)
    }

    /// A sensor has shown an unusual value for this hour, for two hours or more.
    private func unusualLevel(_ place: EntityIndex.Entry, at now: Date, _ lexicon: Lexicon) -> Deviation? {
        let key = HabitKey(place.entity.id, .level)
        guard !isForgotten(key), let level = levels[place.entity.id], level.strayed >= 2 || (raised[key] != nil && level.strayed > 0),
            let since = level.strayedSince, let last = level.last, now.timeIntervalSince(last) < 3 * 3600
        else { return nil }
        let (usual, isWanted): (ClosedRange<Double>, Bool)
        if case .between(let low, let high)? = corrections[key]?.correction, low <= high {
            (usual, isWanted) = (low...high, true)
        } else if let (mean, deviation) = level.usual(at: LocalHour(last, in: zone).hour) {
            (usual, isWanted) = (mean - deviation...mean + deviation, false)
        } else {
            return nil
        }
        let words = HabitText(lexicon: lexicon).measurement(
            isWanted ? .straysAsWanted : .straysAsUsual, place.name,
            [.value: level.lastValue, .from: usual.lowerBound, .to: usual.upperBound], unit: place.entity.unit)
        return Deviation(
            key: key, deviceID: place.device.id, words: words, since: since, sureness: isWanted ? 1 : evidence(for: key).sureness,
            isWanted: isWanted, grounds: [], isEnergy: EnergyMetering.isEnergy(level.deviceClass))
    }

    /// The usual share of this hour in which the entity is open or on: over the same sort of day, or over all days while those are few.
    private func activityShare(_ habit: StateHabit, _ id: String, at now: Date) -> (share: Double, count: Double) {
        let hour = LocalHour(now, in: zone).hourOfWeek
        if case .hours(let hours, let isActive)? = corrections[HabitKey(id, .hours)]?.correction, hours.contains(hour) {
            return (isActive ? 1 : 0, 10)
        }
        let pooled = habit.track.hours.pooled(at: hour)
        return pooled.count >= 5 ? pooled : habit.track.hours.overall(at: hour % 24)
    }
}
