import CardeaModel
import Foundation

/// Groups values by the beginning of their hour.
enum HourBuckets {
    static func hour(of moment: Date) -> Date {
        Date(timeIntervalSinceReferenceDate: (moment.timeIntervalSinceReferenceDate / 3600).rounded(.down) * 3600)
    }

    /// Returns whether a meter can have reported this: finite numbers below 1e12, and a date in range.
    private static func isPlausible(_ hour: HourlyReading) -> Bool {
        [hour.mean, hour.used, hour.first, hour.last].allSatisfy { abs($0) < 1e12 }
            && Date.distantPast <= hour.hour && hour.hour < .distantFuture
    }

    /// The amount that a meter counted in each hour, in its kind's unit.
    ///
    /// A counter is silent while nothing flows. The amount between two hours with a reading, up to a day apart, is spread over the hours in
    /// between; the hours at the two ends keep their own readings.
    static func amounts(_ meter: WhatIfInputs.MeterHistory) -> [Date: Double] {
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
                    let step = CardeaModel.CumulativeMeter.consumption(from: last.last, to: reading.first) * meter.metering.factor
                    let gap = hour.timeIntervalSince(Self.hour(of: last.hour)) / 3600
                    if gap == 1 {
                        // The step falls on the border between the two hours.
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
