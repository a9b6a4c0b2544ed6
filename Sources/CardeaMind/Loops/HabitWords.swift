import Foundation

/// Habits in plain English.
enum HabitWords {
    static func closing(_ name: String, _ sort: Sort, by minute: Int) -> Saying {
        Saying("{} is usually \(sort.resting) by \(HouseHour.clock(minute)).", name)
    }

    /// - Parameter when: the share of an hour of the week in which it is so.
    static func hours(_ name: String, _ what: String, when: (Int) -> Double) -> Saying {
        let working = ranges { hour in (0...4).map { when($0 * 24 + hour) }.reduce(0, +) / 5 }
        let weekend = ranges { hour in (5...6).map { when($0 * 24 + hour) }.reduce(0, +) / 2 }
        // "Seldom not locked" is nearly always locked.
        let seldom = what.hasPrefix("not ") ? "nearly always \(what.dropFirst(4))" : "seldom \(what)"
        if working.isEmpty, weekend.isEmpty { return Saying("{} is \(seldom).", name) }
        if working == weekend { return Saying("{} is usually \(what) \(working).", name) }
        if working.isEmpty { return Saying("{} is \(seldom) on working days, and usually \(what) at weekends \(weekend).", name) }
        if weekend.isEmpty { return Saying("{} is usually \(what) on working days \(working), and \(seldom) at weekends.", name) }
        return Saying("{} is usually \(what) on working days \(working), at weekends \(weekend).", name)
    }

    static func level(_ name: String, _ low: Double, _ high: Double, unit: String?) -> Saying {
        Saying("{} usually shows \(number(low)) to \(number(high))\(unit == nil ? "" : " {}").", names: [name] + [unit].compactMap { $0 })
    }

    static func forgotten(_ key: HabitKey, _ inventory: Inventory) -> Saying? {
        guard let name = inventory[key.subject]?.name ?? inventory.people[key.subject]?.name else { return nil }
        let what =
            switch key.aspect {
            case .closing: "when {} is usually shut or off"
            case .hours: "how {} usually stands"
            case .level: "what {} usually shows"
            case .home: "when {} is usually at home"
            }
        return Saying("I no longer learn \(what).", name)
    }

    static func number(_ value: Double) -> String {
        let tenths = (min(max(value, -1e12), 1e12) * 10).rounded() / 10
        return abs(tenths) >= 100 || tenths == tenths.rounded() ? "\(Int(tenths.rounded()))" : "\(tenths)"
    }

    /// "06:00–08:00 and 17:00–24:00": the hours of a day in which it is so more often than not.
    private static func ranges(_ share: (Int) -> Double) -> String {
        var ranges: [(from: Int, to: Int)] = []
        for hour in 0..<24 where share(hour) >= 0.5 {
            if let last = ranges.last, last.to == hour {
                ranges[ranges.count - 1].to = hour + 1
            } else {
                ranges.append((hour, hour + 1))
            }
        }
        if let all = ranges.first, all == (0, 24) { return "at all hours" }
        return Saying.list(ranges.map { "\(HouseHour.clock($0.from * 60))–\($0.to == 24 ? "24:00" : HouseHour.clock($0.to * 60))" })
    }
}
