import Foundation

/// The imagined hours, and the same hours of the past by local time.
struct WhatIfWindows {
    /// The hours of the imagined time, with the part of each that belongs to it.
    let slots: [Slot]
    let from: Date
    let to: Date
    let calendar: Calendar

    struct Slot: Hashable {
        let hour: Date
        /// The part of the hour that belongs to the time, 0 to 1.
        let weight: Double
    }

    init(from: Date, duration: TimeInterval, zone: TimeZone) {
        self.from = from
        to = from.addingTimeInterval(duration)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
        var slots: [Slot] = []
        var hour = HourBuckets.hour(of: from)
        while hour < to {
            let next = hour.addingTimeInterval(3600)
            slots.append(Slot(hour: hour, weight: min(next, to).timeIntervalSince(max(hour, from)) / 3600))
            hour = next
        }
        self.slots = slots
    }

    /// A past period: its hours in the order of the slots.
    struct Window {
        let hours: [Date]
        let interval: DateInterval
    }

    /// The same hours in the past, without overlaps and without reaching past `now`; the latest first.
    ///
    /// - Parameter step: the fewest days between two; seven for the same days of the week.
    func past(step: Int, atMost limit: Int, within days: Int, before now: Date) -> [Window] {
        let length = max(Int((to.timeIntervalSince(from) / 86_400).rounded(.up)), 1)
        let stride = max((length + step - 1) / step, 1) * step
        var windows: [Window] = []
        var back = stride
        // The imagined time may lie ahead of now, so the first steps back may not be past yet.
        while back <= days + 62, windows.count < limit {
            defer { back += stride }
            guard let start = calendar.date(byAdding: .day, value: -back, to: from) else { break }
            // Whole hours, even where clocks change by half an hour.
            let shift = (from.timeIntervalSince(start) / 3600).rounded() * 3600
            let interval = DateInterval(start: from.addingTimeInterval(-shift), duration: to.timeIntervalSince(from))
            guard interval.end <= now else { continue }
            guard now.timeIntervalSince(interval.start) <= Double(days) * 86_400 else { break }
            windows.append(Window(hours: slots.map { $0.hour.addingTimeInterval(-shift) }, interval: interval))
        }
        return windows
    }
}
