import CardeaModel
import Foundation

/// A room's past hours, heated otherwise.
///
/// Not the whole day is calculated anew, only what differs: the room is as warm as it was, plus what more or less heating makes of it by its
/// thermal twin. So the sun, the open window and the cold of that day stay in it as they were, measured or not.
struct HeatingResimulation {
    let twin: ThermalTwin
    /// °C at the beginning of the hour.
    let inside: [Date: Double]
    /// °C, the mean of the hour.
    let means: [Date: Double]
    /// In each hour, as the twin was fitted: a share, or an amount per hour.
    let heating: [Date: Double]
    /// The most it ever gave.
    let capacity: Double
    /// What its thermostat was set to in each hour, as far as what it did tells.
    private let setPoints: [Date: SetPoint]
    /// °C, as a standard deviation: where in its swing a thermostat is when an hour ends.
    let swing: Double

    /// Something that a thermostat was set to.
    private struct SetPoint {
        /// °C.
        let celsius: Double
        /// Whether it was seen to hold it. If not, the room was never so cold, or so warm, that it would have been.
        let isObserved: Bool
    }

    init(twin: ThermalTwin, inside: [Date: Double], means: [Date: Double], heating: [Date: Double], capacity: Double) {
        (self.twin, self.inside, self.means, self.heating, self.capacity) = (twin, inside, means, heating, capacity)
        setPoints = Self.setPoints(inside, heating, capacity)
        swing = Self.swing(inside, heating, capacity)
    }

    /// An hour that was heated in part ended at what was set. One that was not heated at all lies above it, and one that was heated as much as
    /// can be below it: there it is what was held next, or the end of the hour where that says less.
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

    /// From one hour's end to the next, while a thermostat holds what it is set to: the median of how far they are apart.
    private static func swing(_ inside: [Date: Double], _ heating: [Date: Double], _ capacity: Double) -> Double {
        func isHeld(_ hour: Date) -> Bool { heating[hour].map { $0 >= 0.05 * capacity && $0 <= 0.95 * capacity } ?? false }
        let steps = heating.keys.compactMap { hour -> Double? in
            guard isHeld(hour), isHeld(hour.addingTimeInterval(-3600)), let start = inside[hour] else { return nil }
            return inside[hour.addingTimeInterval(3600)].map { abs($0 - start) }
        }.sorted()
        // Of the difference of two draws from a bell curve half are within 0.954 of its standard deviation.
        return steps.isEmpty ? 0 : steps[steps.count / 2] / 0.954
    }

    /// A stretch as it was and as it would have been.
    struct Outcome {
        var heatingBefore: [Double] = []
        var heatingAfter: [Double] = []
        /// °C, the mean of each hour.
        var insideBefore: [Double] = []
        var insideAfter: [Double] = []
    }

    /// - Parameters:
    ///   - goals: °C to hold in each hour; nil where its thermostat is set as it was.
    ///   - part: of the first hour, 0 to 1, what belongs to it: only in so much of it anything can be heated otherwise.
    ///   - heatsUnseen: whether a room that is colder than it was is heated to what its thermostat was never seen to hold; if not, it is left
    ///     to what it was heated. What was set lies between the two.
    /// - Returns: nil where not every hour was measured.
    func resimulate(
        _ hours: [Date], goals: [Double?], constants: ThermalTwin.Constants, part: Double = 1, heatsUnseen: Bool = true
    ) -> Outcome? {
        var stretch = Outcome()
        // °C that the room is warmer than it was.
        var more = 0.0
        let keep = exp(-1 / constants.tau)
        let lift = (1 - keep) * constants.tau * constants.rate
        for (hour, goal) in zip(hours, goals) {
            guard inside[hour] != nil, let end = inside[hour.addingTimeInterval(3600)], let given = heating[hour], let mean = means[hour],
                lift > 0
            else { return nil }
            // What it would be with the heating as it was.
            let drift = end + keep * more
            let point = setPoints[hour] ?? SetPoint(celsius: end, isObserved: false)
            let part = hour == hours.first ? part : 1
            let (least, most) = (given * (1 - part), given * (1 - part) + max(capacity, given) * part)
            let need = min(max(given + ((goal ?? point.celsius) - drift) / lift, least), most)
            var instead = given
            if goal != nil {
                instead = need
            } else if point.isObserved || heatsUnseen {
                // As warm as it was it is heated as it was; warmer never more than that, and colder never less.
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
    /// A room made ready for imagining, or why it cannot be.
    ///
    /// - Returns: the room, what one of its heating is in the kind's unit, nil where nobody knows, and of which kind.
    static func prepare(
        _ room: WhatIfHistory.RoomHistory, meters: [WhatIfHistory.MeterHistory]
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

extension WhatIfHistory.RoomHistory {
    /// How it was heated, hour by hour, and what one of it takes in the kind's unit; nil where nobody knows.
    struct HeatingAmounts {
        let hours: [Date: Double]
        let perHeating: Double?
        let kind: EnergyKind
        let meterID: String?
    }

    func heatingAmounts(by meters: [WhatIfHistory.MeterHistory]) throws(WhatIfError) -> HeatingAmounts {
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
    static func fit(_ room: WhatIfHistory.RoomHistory, heating: [Date: Double]) -> Result<ThermalTwin, ThermalTwinError> {
        let inside = room.inside.hours
        // Where a sensor speaks seldom, its last word of an hour is not how the hour ended. By which minute it speaks nobody wrote down: of
        // the earliest, the middle and the latest that it can be, the one by which the room is foreseen best.
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
