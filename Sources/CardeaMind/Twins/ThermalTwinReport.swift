import CardeaModel
import Foundation

/// A room's thermal twin for display: the measurements, the twin's simulation of the same hours, and a forecast for the next day with the
/// same heating and outside temperatures as the last.
public struct ThermalTwinReport: Hashable, Sendable {
    public let roomID: String
    public let twin: ThermalTwin
    /// The measurements of the last two days, the oldest first.
    public let measured: [MeasuredPoint]
    /// The twin's simulation of those hours from their start alone; after a gap it starts again from a reading.
    public let fitted: [FittedPoint]
    /// The next day.
    public let forecast: [ForecastPoint]

    public struct MeasuredPoint: Hashable, Sendable {
        public let at: Date
        /// °C at that moment.
        public let inside: Double
        /// °C, the mean of the hour before; nil if not measured.
        public let outside: Double?
    }

    public struct FittedPoint: Hashable, Sendable {
        public let at: Date
        /// °C.
        public let value: Double
    }

    public struct ForecastPoint: Hashable, Sendable {
        public let at: Date
        /// °C.
        public let value: Estimate
    }

    /// The number of hours that are shown, and that are predicted.
    static let (measuredHours, forecastHours) = (48, 24)

    init(_ room: WhatIfInputs.RoomHistory, heating: [Date: Double], twin: ThermalTwin, at now: Date) {
        roomID = room.roomID
        self.twin = twin
        let since = now.addingTimeInterval(-Double(Self.measuredHours) * 3600)
        let inside = room.inside.hours.filter { since <= $0.hour && abs($0.last) < 100 }.sorted { $0.hour < $1.hour }
        let outside = Dictionary(
            room.outside.hours.map { (HourBuckets.hour(of: $0.hour), $0.mean) }, uniquingKeysWith: { first, _ in first })
        measured = inside.map {
            let hour = HourBuckets.hour(of: $0.hour)
            return MeasuredPoint(at: hour.addingTimeInterval(3600), inside: $0.last, outside: outside[hour])
        }
        fitted = Self.fittedPoints(measured, outside: outside, heating: heating, twin: twin)
        forecast = Self.forecastPoints(measured.last, outside: outside, heating: heating, twin: twin)
    }

    private static func fittedPoints(
        _ measured: [MeasuredPoint], outside: [Date: Double], heating: [Date: Double], twin: ThermalTwin
    ) -> [FittedPoint] {
        var fitted: [FittedPoint] = []
        var inside = measured.first?.inside
        for (before, after) in zip(measured, measured.dropFirst()) {
            let length = after.at.timeIntervalSince(before.at)
            guard let start = inside, length > 0, length <= ThermalSeries.longestStep,
                let air = outside[HourBuckets.hour(of: before.at)], let given = heating[HourBuckets.hour(of: before.at)]
            else {
                inside = after.inside
                continue
            }
            let step = ThermalTwin.PlanSegment(hours: length / 3600, outside: air, heating: .share(given))
            inside = ThermalTwin.simulate(twin.constants, from: start, under: [step], capacity: .infinity).last?.inside
            if let inside { fitted.append(FittedPoint(at: after.at, value: inside)) }
        }
        return fitted
    }

    private static func forecastPoints(_ last: MeasuredPoint?, outside: [Date: Double], heating: [Date: Double], twin: ThermalTwin)
        -> [ForecastPoint]
    {
        guard let last else { return [] }
        var plan: [ThermalTwin.PlanSegment] = []
        for number in 0..<forecastHours {
            let hour = HourBuckets.hour(of: last.at).addingTimeInterval(Double(number - 24) * 3600)
            guard let air = outside[hour], let given = heating[hour] else { break }
            plan.append(ThermalTwin.PlanSegment(hours: 1, outside: air, heating: .share(given)))
        }
        return twin.predict(from: last.inside, under: plan, capacity: .infinity).map {
            ForecastPoint(at: last.at.addingTimeInterval($0.hours * 3600), value: $0.inside)
        }
    }
}
