import Foundation

/// For each hour of the week, the share of it in which something was active. An hour of last week counts nine tenths of one of this week.
struct WeeklyHourTable: Hashable, Sendable {
    private(set) var active = [Float](repeating: 0, count: 168)
    private(set) var total = [Float](repeating: 0, count: 168)

    /// The factor by which each week reduces the weight of the weeks before. The weight of an hour therefore never exceeds ten.
    static let decay: Float = 0.9

    /// Adds a period. Of a very long one only the latest two weeks count.
    mutating func add(from: Date, to: Date, isActive: Bool, in zone: TimeZone) {
        var at = max(from, to.addingTimeInterval(-14 * 86400))
        while at < to {
            let hour = LocalHour(at, in: zone)
            let end = min(at.addingTimeInterval(hour.secondsToNextHour), to)
            let share = Float(end.timeIntervalSince(at) / 3600)
            let place = hour.hourOfWeek
            if total.indices.contains(place) {
                let kept = 1 - (1 - Self.decay) * share
                active[place] = active[place] * kept + (isActive ? share : 0)
                total[place] = total[place] * kept + share
            }
            at = end
        }
    }

    /// The share of this hour of the week in which it was active, and the weight of the hours it is based on.
    func usual(at hourOfWeek: Int) -> (share: Double, count: Double) {
        guard total.indices.contains(hourOfWeek), total[hourOfWeek] > 0 else { return (0, 0) }
        return (Double(active[hourOfWeek] / total[hourOfWeek]), Double(total[hourOfWeek]))
    }

    /// The same over all working days, or over both days of the weekend: a month knows each hour of the week only four times.
    func pooled(at hourOfWeek: Int) -> (share: Double, count: Double) {
        hourOfWeek / 24 < 5 ? sum(of: 0...4, hour: hourOfWeek % 24) : sum(of: 5...6, hour: hourOfWeek % 24)
    }

    /// The same over all days.
    func overall(at hour: Int) -> (share: Double, count: Double) { sum(of: 0...6, hour: hour) }

    private func sum(of days: ClosedRange<Int>, hour: Int) -> (share: Double, count: Double) {
        var (active, total) = (0.0, 0.0)
        for day in days {
            let place = day * 24 + hour
            guard self.total.indices.contains(place) else { continue }
            active += Double(self.active[place])
            total += Double(self.total[place])
        }
        return total > 0 ? (active / total, total) : (0, 0)
    }
}

/// Encoded as 672 bytes, exact to a thousandth of an hour, since a house has hundreds of these.
extension WeeklyHourTable: Codable {
    init(from decoder: any Decoder) throws {
        let bytes = [UInt8](try decoder.singleValueContainer().decode(Data.self))
        guard bytes.count == 168 * 4 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "a table of hours has 672 bytes"))
        }
        let numbers = stride(from: 0, to: bytes.count, by: 2).map { Float(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])) / 1000 }
        total = numbers.suffix(168).map { min($0, 10) }
        active = zip(numbers, total).map { min($0, $1) }
    }

    func encode(to encoder: any Encoder) throws {
        let numbers = (active + total).map { UInt16(min(max(($0 * 1000).rounded(), 0), 10_000)) }
        var container = encoder.singleValueContainer()
        try container.encode(Data(numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))
    }
}
