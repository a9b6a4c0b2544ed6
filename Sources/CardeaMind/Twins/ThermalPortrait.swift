import CardeaModel
import Foundation

/// A room's thermal twin as it is shown: what was measured, what the twin makes of the same hours, and what comes if the next day is heated
/// and is as cold outside as the last.
public struct ThermalPortrait: Hashable, Sendable {
    public let roomID: String
    public let twin: ThermalTwin
    /// Of the last two days, the oldest first.
    public let measured: [Measured]
    /// What the twin makes of those hours when it is told only how they began; after a gap it is told again.
    public let fitted: [Fitted]
    /// The next day.
    public let forecast: [Forecast]

    public struct Measured: Hashable, Sendable {
        public let at: Date
        /// °C at that moment.
        public let inside: Double
        /// °C, the mean of the hour before; nil where nobody measured.
        public let outside: Double?
    }

    public struct Fitted: Hashable, Sendable {
        public let at: Date
        /// °C.
        public let value: Double
    }

    public struct Forecast: Hashable, Sendable {
        public let at: Date
        /// °C.
        public let value: Estimate
    }

    /// Hours that are shown, and that are foreseen.
    static let (shown, foreseen) = (48, 24)

    init(_ room: WhatIfHistory.RoomHistory, heating: [Date: Double], twin: ThermalTwin, at now: Date) {
        roomID = room.roomID
        self.twin = twin
        let since = now.addingTimeInterval(-Double(Self.shown) * 3600)
        let inside = room.inside.hours.filter { since <= $0.hour && abs($0.last) < 100 }.sorted { $0.hour < $1.hour }
        let outside = Dictionary(room.outside.hours.map { (HourShelf.hour(of: $0.hour), $0.mean) }, uniquingKeysWith: { first, _ in first })
        measured = inside.map {
            let hour = HourShelf.hour(of: $0.hour)
            return Measured(at: hour.addingTimeInterval(3600), inside: $0.last, outside: outside[hour])
        }
        fitted = Self.again(measured, outside: outside, heating: heating, twin: twin)
        forecast = Self.ahead(measured.last, outside: outside, heating: heating, twin: twin)
    }

    private static func again(
        _ measured: [Measured], outside: [Date: Double], heating: [Date: Double], twin: ThermalTwin
    ) -> [Fitted] {
        var fitted: [Fitted] = []
        var inside = measured.first?.inside
        for (before, after) in zip(measured, measured.dropFirst()) {
            let length = after.at.timeIntervalSince(before.at)
            guard let start = inside, length > 0, length <= ThermalSeries.longestStep,
                let air = outside[HourShelf.hour(of: before.at)], let given = heating[HourShelf.hour(of: before.at)]
            else {
                inside = after.inside
                continue
            }
            let step = ThermalTwin.Stretch(hours: length / 3600, outside: air, heating: .share(given))
            inside = ThermalTwin.run(twin.constants, from: start, under: [step], capacity: .infinity).last?.inside
            if let inside { fitted.append(Fitted(at: after.at, value: inside)) }
        }
        return fitted
    }

    private static func ahead(_ last: Measured?, outside: [Date: Double], heating: [Date: Double], twin: ThermalTwin) -> [Forecast] {
        guard let last else { return [] }
        var plan: [ThermalTwin.Stretch] = []
        for number in 0..<foreseen {
            let hour = HourShelf.hour(of: last.at).addingTimeInterval(Double(number - 24) * 3600)
            guard let air = outside[hour], let given = heating[hour] else { break }
            plan.append(ThermalTwin.Stretch(hours: 1, outside: air, heating: .share(given)))
        }
        return twin.course(from: last.inside, under: plan, capacity: .infinity).map {
            Forecast(at: last.at.addingTimeInterval($0.hours * 3600), value: $0.inside)
        }
    }
}
