import CardeaModel
import Foundation

/// Hours by their beginnings.
enum HourBuckets {
    static func hour(of moment: Date) -> Date {
        Date(timeIntervalSinceReferenceDate: (moment.timeIntervalSinceReferenceDate / 3600).rounded(.down) * 3600)
    }

    /// Whether a meter may have said so: a number, and not one that no house uses.
    private static func isPlausible(_ hour: HourlyReading) -> Bool {
        [hour.mean, hour.used, hour.first, hour.last].allSatisfy { abs($0) < 1e12 }
            && Date.distantPast <= hour.hour && hour.hour < .distantFuture
    }

    /// What a meter counted in each hour, in its kind's unit.
    ///
    /// A counter is silent while nothing flows. What it counted between two hours with a word, up to a day apart, is spread over the hours in
    /// between; the hours at their ends keep what they say themselves.
    static func amounts(_ meter: WhatIfHistory.MeterHistory) -> [Date: Double] {
        let hours = meter.hours.filter(isPlausible).sorted { $0.hour < $1.hour }
        var amounts: [Date: Double] = [:]
        switch meter.metering.quantity {
        case .power:
            for hour in hours { amounts[Self.hour(of: hour.hour)] = max(hour.mean, 0) * meter.metering.factor / 1000 }
        case .total:
            var last: HourlyReading?
            for reading in hours {
                let hour = Self.hour(of: reading.hour)
                amounts[hour] = reading.used * meter.metering.factor
                if let last {
                    let step = CardeaModel.Meter.consumption(from: last.last, to: reading.first) * meter.metering.factor
                    let gap = hour.timeIntervalSince(Self.hour(of: last.hour)) / 3600
                    if gap == 1 {
                        // On the border between the two hours.
                        amounts[hour, default: 0] += step / 2
                        amounts[hour.addingTimeInterval(-3600), default: 0] += step / 2
                    } else if gap > 1, gap <= 24 {
                        for hole in 1..<Int(gap) { amounts[hour.addingTimeInterval(-3600 * Double(hole))] = step / (gap - 1) }
                    }
                }
                last = reading
            }
        }
        return amounts
    }
}
