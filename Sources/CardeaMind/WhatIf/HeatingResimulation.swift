import CardeaModel
import Foundation

/// A simulation of a room's past hours with different heating.
///
/// Only the difference is computed: the room is as warm as it was, plus the effect that more or less heating has by its thermal twin. So
/// the sun, the open windows and the cold of that day stay included, measured or not.
struct HeatingResimulation {
    let twin: ThermalTwin
    /// °C at the beginning of the hour.
    let inside: [Date: Double]
    /// °C, the mean of the hour.
    let means: [Date: Double]
    /// The heating of each hour, as the twin was fitted: a share, or an amount per hour.
    let heating: [Date: Double]
    /// The highest heating that was seen in an hour.
    let capacity: Double
    /// The set point of the thermostat in each hour, as far as it shows in the readings.
    private let setPoints: [Date: SetPoint]
    /// °C, a standard deviation: the position in its swing at which a thermostat is when an hour ends.
    let swing: Double

    /// A temperature that a thermostat was set to.
    private struct SetPoint {
        /// °C.
        let celsius: Double
        /// True if the thermostat was seen to hold it. If false, the room was never cold enough, or warm enough, to show it.
        let isObserved: Bool
    }

    init(twin: ThermalTwin, inside: [Date: Double], means: [Date: Double], heating: [Date: Double], capacity: Double) {
        (self.twin, self.inside, self.means, self.heating, self.capacity) = (twin, inside, means, heating, capacity)
        setPoints = Self.setPoints(inside, heating, capacity)
        swing = Self.swing(inside, heating, capacity)
    }

    /// The set points that the readings show. An hour that was heated in part ended at its set point. An hour without heating ended above
    /// it, and an hour of full heating below it: there the set point of the next hour is used if it agrees with that, and otherwise the
    /// temperature at the end of the hour.
    private static func setPoints(_ inside: [Date: Double], _ heating: [Date: Double], _ capacity: Double) -> [Date: SetPoint] {
        var points: [Date: SetPoint] = [:]
        var next: (hour: Date, point: SetPoint)?
        for (hour, given) in heating.sorted(by: { $0.key > $1.key }) {
            let after = hour.addingTimeInterval(3600)
            guard let end = inside[after] else {
                next = nil
                continue
            }
            let following = next.flatMap { $0.hour == after ? $0.point : nil }
            var point = SetPoint(celsius: end, isObserved: true)
            if given <= 0.02 * capacity {
                point = following.flatMap { $0.celsius <= end ? $0 : nil } ?? SetPoint(celsius: end, isObserved: false)
            } else if given >= 0.95 * capacity {
                point = following.flatMap { $0.celsius >= end ? $0 : nil } ?? SetPoint(celsius: end, isObserved: false)
            }
            points[hour] = point
            next = (hour, point)
        }
        return points
    }

    /// The swing of the thermostat: how much the ends of successive hours differ (the median) while it holds its set point.
    private static func swing(_ inside: [Date: Double], _ heating: [Date: Double], _ capacity: Double) -> Double {
        func isHeld(_ hour: Date) -> Bool { heating[hour].map { $0 >= 0.05 * capacity && $0 <= 0.95 * capacity } ?? false }
        let steps = heating.keys.compactMap { hour -> Double? in
            guard isHeld(hour), isHeld(hour.addingTimeInterval(-3600)), let start = inside[hour] else { return nil }
            return inside[hour.addingTimeInterval(3600)].map { abs($0 - start) }
        }.sorted()
        // Half of all differences of two normal draws are within 0.954 standard deviations.
        return steps.isEmpty ? 0 : steps[steps.count / 2] / 0.954
    }

    /// A stretch with the heating as it was, and as it would have been.
    struct Outcome {
        var heatingBefore: [Double] = []
        var heatingAfter: [Double] = []
        /// °C, the mean of each hour.
        var insideBefore: [Double] = []
        var insideAfter: [Double] = []
    }

    /// - Parameters:
    ///   - goals: °C to hold in each hour; nil if the thermostat keeps its former setting.
    ///   - part: the share of the first hour that counts, 0 to 1: only in it can the heating differ.
    ///   - heatsUnseen: true to heat a room that is colder than it was to a temperature that its thermostat was never seen to hold; false
    ///     to leave it the heating it had. The real set point lies between the two.
    /// - Returns: nil if not every hour was measured.
    func resimulate(
        _ hours: [Date], goals: [Double?], constants: ThermalTwin.Constants, part: Double = 1, heatsUnseen: Bool = true
    ) -> Outcome? {
        var stretch = Outcome()
        // °C by which the room is warmer than it was.
        var more = 0.0
        let keep = exp(-1 / constants.tau)
        let lift = (1 - keep) * constants.tau * constants.rate
        for (hour, goal) in zip(hours, goals) {
            guard inside[hour] != nil, let end = inside[hour.addingTimeInterval(3600)], let given = heating[hour], let mean = means[hour],
                lift > 0
            else { return nil }
            // The temperature with the former heating.
            let drift = end + keep * more
            let point = setPoints[hour] ?? SetPoint(celsius: end, isObserved: false)
            let part = hour == hours.first ? part : 1
            let (least, most) = (given * (1 - part), given * (1 - part) + max(capacity, given) * part)
            let need = min(max(given + ((goal ?? point.celsius) - drift) / lift, least), most)
            var instead = given
            if goal != nil {
                instead = need
            } else if point.isObserved || heatsUnseen {
                // An equally warm room gets the same heating; a warmer one never more, a colder one never less.
                instead = more > 0 ? min(given, need) : more < 0 ? max(given, need) : given
            }
            let moreBefore = more
            more = drift + lift * (instead - given) - end
            stretch.heatingBefore.append(given)
            stretch.heatingAfter.append(instead)
            stretch.insideBefore.append(mean)
            stretch.insideAfter.append(mean + (moreBefore + more) / 2)
        }
        return stretch
    }
}

extension HeatingResimulation {
    /// Prepares a room for simulation.
    ///
    /// - Returns: the room; the consumption of one unit of its heating, in the kind's unit, nil if unknown; and the kind of energy.
    static func prepare(
        _ room: WhatIfInputs.RoomHistory, meters: [WhatIfInputs.MeterHistory]
    ) throws(WhatIfError) -> (again: HeatingResimulation, perHeating: Double?, kind: EnergyKind, meterID: String?) {
        let heated = try room.heatingAmounts(by: meters)
        guard !heated.hours.isEmpty, !room.inside.hours.isEmpty, !room.outside.hours.isEmpty else { throw .noReadings(roomID: room.roomID) }
        let twin: ThermalTwin
        switch room.model ?? ThermalTwin.fit(room, heating: heated.hours) {
        case .success(let fitted): twin = fitted
        case .failure(let problem): throw .noTwin(roomID: room.roomID, problem)
        }
        var (inside, means): ([Date: Double], [Date: Double]) = ([:], [:])
        for reading in room.inside.hours where abs(reading.last) < 100 && abs(reading.mean) < 100 {
            let hour = HourBuckets.hour(of: reading.hour)
            inside[hour.addingTimeInterval(3600)] = reading.last
            means[hour] = reading.mean
        }
        let capacity = if case .share = room.heating { 1.0 } else { heated.hours.values.max() ?? 0 }
        let again = HeatingResimulation(twin: twin, inside: inside, means: means, heating: heated.hours, capacity: capacity)
        return (again, heated.perHeating, heated.kind, heated.meterID)
    }
}

extension WhatIfInputs.RoomHistory {
    /// The heating of each hour, and the consumption of one unit of it in the kind's unit; nil if unknown.
    struct HeatingAmounts {
        let hours: [Date: Double]
        let perHeating: Double?
        let kind: EnergyKind
        let meterID: String?
    }

    func heatingAmounts(by meters: [WhatIfInputs.MeterHistory]) throws(WhatIfError) -> HeatingAmounts {
        switch heating {
        case .metered(let entityID):
            guard let meter = meters.first(where: { $0.entityID == entityID }) else { throw .heatingNotMetered(roomID: roomID) }
            return HeatingAmounts(hours: HourBuckets.amounts(meter), perHeating: 1, kind: meter.metering.energy, meterID: entityID)
        case .share(let shares, let perHour, let kind):
            return HeatingAmounts(hours: shares.filter { (0...1).contains($0.value) }, perHeating: perHour, kind: kind, meterID: nil)
        }
    }
}

extension ThermalTwin {
    static func fit(_ room: WhatIfInputs.RoomHistory, heating: [Date: Double]) -> Result<ThermalTwin, ThermalTwinError> {
        let inside = room.inside.hours
        // A sensor that reports seldom does not tell how an hour ended, and the minute of its last report is not recorded: of the earliest,
        // the middle and the latest possible one, take the one that predicts the room best.
        let words = inside.map(\.count).sorted()
        let isSeldom = !words.isEmpty && words[words.count / 2] < ThermalSeries.frequentReportCount && words[words.count / 2] > 1
        let fits = (isSeldom ? [0, 0.5, 1] : [0]).map { lag in
            Result { () throws(ThermalTwinError) in
                try ThermalTwin(ThermalSeries(inside: inside, outside: room.outside.hours, heating: heating, lag: lag))
            }
        }
        let made = fits.compactMap { try? $0.get() }
        return made.min { $0.oneStepError < $1.oneStepError }.map { .success($0) } ?? fits.first ?? .failure(.constant)
    }
}
