import CardeaModel
import Foundation

/// Describes habits in sentences.
struct HabitText {
    let lexicon: Lexicon

    func closing(_ name: String, _ sort: RestStateKind, by minute: Int) -> ParameterizedSentence {
        lexicon.stateSentence(
            .usuallyBy, [.condition: lexicon.stateText(sort.resting), .time: LocalHour.clock(minute)], names: [.thing: name])
    }

    /// - Parameters:
    ///   - sort: the kind of the entity; nil for a person who is at home.
    ///   - when: the share of an hour of the week in which it is so.
    func hours(_ name: String, _ sort: RestStateKind?, when: (Int) -> Double) -> ParameterizedSentence {
        let working = ranges { hour in (0...4).map { when($0 * 24 + hour) }.reduce(0, +) / 5 }
        let weekend = ranges { hour in (5...6).map { when($0 * 24 + hour) }.reduce(0, +) / 2 }
        let condition = lexicon.stateText(sort?.active ?? .atHome)
        // "Seldom not locked" is said as "nearly always locked".
        let seldom =
            sort == .lock
            ? lexicon.stateText(.nearlyAlways, [.condition: lexicon.stateText(RestStateKind.lock.resting)])
            : lexicon.stateText(.seldom, [.condition: condition])
        func said(_ stateSentence: StateSentence, _ times: [Placeholder: String] = [:]) -> ParameterizedSentence {
            let values = times.merging([.condition: condition, .words: seldom]) { time, _ in time }
            return lexicon.stateSentence(stateSentence, values, names: [.thing: name])
        }
        if working.isEmpty, weekend.isEmpty { return said(.usuallyNot) }
        if working == weekend { return said(.usuallyAt, [.time: working]) }
        if working.isEmpty { return said(.usuallyAtWeekends, [.time: weekend]) }
        if weekend.isEmpty { return said(.usuallyOnWorkingDays, [.time: working]) }
        return said(.usuallyOnBoth, [.from: working, .to: weekend])
    }

    func level(_ name: String, _ low: Double, _ high: Double, unit: String?) -> ParameterizedSentence {
        measurement(.usuallyShows, name, [.from: low, .to: high], unit: unit)
    }

    /// A sentence about a sensor's values. Temperatures are shown in the reader's unit, everything else in the sensor's own unit, if it
    /// has one.
    func measurement(_ stateSentence: StateSentence, _ name: String, _ numbers: [Placeholder: Double], unit: String?)
        -> ParameterizedSentence
    {
        if unit == TemperatureUnit.celsius.symbol { return lexicon.stateSentence(stateSentence, names: [.thing: name], warmths: numbers) }
        var names: [Placeholder: String] = [.thing: name]
        names[.unit] = unit
        return lexicon.stateSentence(stateSentence, numbers.mapValues(Self.number), names: names)
    }

    func forgotten(_ key: HabitKey, _ inventory: EntityIndex) -> ParameterizedSentence? {
        guard let name = inventory[key.subject]?.name ?? inventory.people[key.subject]?.name else { return nil }
        let stateSentence: StateSentence =
            switch key.aspect {
            case .closing: .forgotClosing
            case .hours: .forgotHours
            case .level: .forgotLevel
            case .home: .forgotHome
            }
        return lexicon.stateSentence(stateSentence, names: [.thing: name, .who: name])
    }

    static func number(_ value: Double) -> String {
        let tenths = (min(max(value, -1e12), 1e12) * 10).rounded() / 10
        return abs(tenths) >= 100 || tenths == tenths.rounded() ? "\(Int(tenths.rounded()))" : "\(tenths)"
    }

    /// The hours of a day in which it is so more often than not: "06:00–08:00 and 17:00–24:00".
    private func ranges(_ share: (Int) -> Double) -> String {
        var ranges: [(from: Int, to: Int)] = []
        for hour in 0..<24 where share(hour) >= 0.5 {
            if let last = ranges.last, last.to == hour {
                ranges[ranges.count - 1].to = hour + 1
            } else {
                ranges.append((hour, hour + 1))
            }
        }
        if let all = ranges.first, all == (0, 24) { return lexicon.stateText(.allHours) }
        return lexicon.list(ranges.map { "\(LocalHour.clock($0.from * 60))–\($0.to == 24 ? "24:00" : LocalHour.clock($0.to * 60))" })
    }
}
