import CardeaModel
import Foundation

extension Habits {
    /// All habits that are known well enough to be called usual, or were corrected, as far as the requester may see their devices and people.
    ///
    /// - Parameter lexicon: the words of the texts.
    public func all(in snapshot: HouseSnapshot, seenBy visibility: RequesterVisibility, _ lexicon: Lexicon = .standard) -> [Habit] {
        let inventory = EntityIndex(snapshot)
        return Set(allKeys).union(corrections.keys).sorted().compactMap { key in
            guard isSure(key) || corrections[key] != nil else { return nil }
            return habit(key, in: inventory, seenBy: visibility, HabitText(lexicon: lexicon))
        }
    }

    /// The habits that became certain after `moment`.
    func learned(after moment: Date) -> [(key: HabitKey, at: Date)] {
        learned.filter { $0.value > moment }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The share of this hour of the week, 0 for Monday from midnight to one, in which the entity is open or on, and the weight of the
    /// hours it is based on: each week counts nine tenths of the next. Nil if nothing is known.
    public func usualState(of entityID: String, at hourOfWeek: Int) -> (share: Double, count: Double)? {
        if case .hours(let hours, let isActive)? = corrections[HabitKey(entityID, .hours)]?.correction, hours.contains(hourOfWeek) {
            return (isActive ? 1 : 0, 10)
        }
        return states[entityID]?.track.hours.usual(at: hourOfWeek)
    }

    /// The usual reading of a sensor at this hour of the day, 0 to 23, with its standard deviation.
    public func usualLevel(of entityID: String, at hour: Int) -> (mean: Double, deviation: Double, count: Double)? {
        if case .between(let low, let high)? = corrections[HabitKey(entityID, .level)]?.correction {
            return ((low + high) / 2, (high - low) / 2, 1)
        }
        guard let level = levels[entityID], level.hours.indices.contains(hour) else { return nil }
        return (level.hours[hour].mean, level.hours[hour].deviation, level.hours[hour].count)
    }

    /// The share of this hour of the week in which the person is at home, and the weight of the hours it is based on.
    public func usualPresence(_ person: String, at hourOfWeek: Int) -> (share: Double, count: Double)? {
        if case .hours(let hours, let isActive)? = corrections[HabitKey(person, .home)]?.correction, hours.contains(hourOfWeek) {
            return (isActive ? 1 : 0, 10)
        }
        return homes[person]?.hours.usual(at: hourOfWeek)
    }

    /// The usual closing time for the night, in minutes after midnight by local time, and its standard deviation in minutes.
    public func usualClosing(of entityID: String, on weekday: Int) -> (minute: Int, deviation: Double, nights: Int)? {
        if case .shutBy(let time)? = corrections[HabitKey(entityID, .closing)]?.correction { return (time.minutes, 0, 0) }
        guard let closings = states[entityID]?.closings, let (mean, deviation) = closings.usual(on: weekday) else { return nil }
        return ((Int(mean.rounded()) + 240) % 1440, deviation, closings.shut)
    }

    /// Minutes for which the entity is rarely open or on for longer; nil if too little is known, or the habit was deleted.
    public func longestActiveTime(of entityID: String) -> Double? {
        guard isSure(HabitKey(entityID, .hours)) else { return nil }
        return states[entityID]?.longActiveTime
    }

    /// The time since which the entity has been open or on, with the event that began it; nil if it is not so or not known.
    func activeState(_ entityID: String) -> (since: Date, evidence: EvidenceReference?)? {
        guard let track = states[entityID]?.track, track.isActive == true, let since = track.since else { return nil }
        return (since, track.ground)
    }

    var allKeys: [HabitKey] {
        states.keys.flatMap { [HabitKey($0, .closing), HabitKey($0, .hours)] } + levels.keys.map { HabitKey($0, .level) }
            + homes.keys.map { HabitKey($0, .home) }
    }

    /// The evidence of a habit: the number of days or nights, and the certainty.
    func evidence(for key: HabitKey) -> (days: Int, sureness: Double) {
        switch key.aspect {
        case .closing:
            guard let closings = states[key.subject]?.closings else { return (0, 0) }
            return (closings.shut, closings.confidence)
        case .hours: return Self.successionConfidence(days: states[key.subject]?.track.days ?? 0)
        case .level: return Self.successionConfidence(days: levels[key.subject]?.days ?? 0)
        case .home: return Self.successionConfidence(days: homes[key.subject]?.days ?? 0)
        }
    }

    /// The probability that tomorrow is like the days before, if all of them were alike (the rule of succession).
    private static func successionConfidence(days: Int) -> (Int, Double) { (days, Double(days + 1) / Double(days + 2)) }

    func isSure(_ key: HabitKey) -> Bool {
        let (days, sureness) = evidence(for: key)
        return days >= Self.minimumDays && sureness >= Self.minimumConfidence && !isForgotten(key)
    }

    private func habit(_ key: HabitKey, in inventory: EntityIndex, seenBy visibility: RequesterVisibility, _ habitText: HabitText) -> Habit?
    {
        let correction = corrections[key]
        let words: ParameterizedSentence?
        var deviceID: String?
        if key.aspect == .home {
            guard visibility.seesPerson(key.subject), let person = inventory.people[key.subject] else { return nil }
            words = habitText.hours(person.name, nil, when: { usualPresence(key.subject, at: $0)?.share ?? 0 })
        } else {
            guard let place = inventory[key.subject], visibility.seesDevice(place.device.id) else { return nil }
            guard visibility.seesEnergy || !EnergyMetering.isEnergy(place.entity.deviceClass) else { return nil }
            deviceID = place.device.id
            words = self.text(of: key, place, habitText)
        }
        let (days, sureness) = evidence(for: key)
        let said = correction?.correction == .forgotten ? habitText.forgotten(key, inventory) : words
        guard let said else { return nil }
        return Habit(
            key: key, words: said, deviceID: deviceID, days: days, sureness: correction == nil ? sureness : 1, correction: correction)
    }

    private func text(of key: HabitKey, _ place: EntityIndex.Entry, _ habitText: HabitText) -> ParameterizedSentence? {
        switch key.aspect {
        case .closing:
            guard let sort = RestStateKind(place.entity), let (minute, deviation, _) = usualClosing(of: key.subject, on: 0) else {
                return nil
            }
            return habitText.closing(place.name, sort, by: minute + Int((deviation / 5).rounded(.up)) * 5)
        case .hours:
            guard let sort = RestStateKind(place.entity) else { return nil }
            return habitText.hours(place.name, sort, when: { usualState(of: key.subject, at: $0)?.share ?? 0 })
        case .level:
            let means = (0..<24).compactMap { usualLevel(of: key.subject, at: $0) }.filter { $0.count > 0 }
            guard let low = means.map({ $0.mean - $0.deviation }).min(), let high = means.map({ $0.mean + $0.deviation }).max() else {
                return nil
            }
            return habitText.level(place.name, low, high, unit: place.entity.unit)
        case .home: return nil
        }
    }
}
