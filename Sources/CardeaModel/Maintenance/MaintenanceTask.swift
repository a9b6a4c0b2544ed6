import Foundation

/// Something to be done in the house, once or again and again: a filter, a battery, the boiler.
public struct MaintenanceTask: Hashable, Sendable {
    public let id: String
    public var title: String
    public var category: Category
    public var priority: Priority
    public var due: Due?
    /// The device that the task is about; nil if there is none.
    public var deviceID: String?
    public var roomID: String?
    public var notes: String?
    /// True if the hub created the task itself.
    public let isPredictive: Bool
    /// The day for which the household was last notified.
    public var notifiedOn: CalendarDay?
    /// When it was done, if it was to be done once.
    public var doneAt: Date?
    /// Rises with every change.
    public var version: Int
    public let createdAt: Date
    public var changedAt: Date

    public enum Category: String, Codable, Hashable, Sendable, CaseIterable {
        case appliance, battery, cleaning, electrical, exterior, heating, plumbing, safety, other
    }

    public enum Priority: String, Codable, Hashable, Sendable, CaseIterable {
        case low, normal, high, urgent
    }

    /// On which day it is to be done, and how often after that.
    public struct Due: Hashable, Sendable {
        public var on: CalendarDay
        public let recurrence: Recurrence?
        /// The day from which the series is counted.
        public let from: CalendarDay

        public init(on: CalendarDay, recurrence: Recurrence? = nil, from: CalendarDay? = nil) {
            self.on = on
            self.recurrence = recurrence
            self.from = from ?? on
        }

        /// Returns the next due date after a completion on `day`: the next day of the series after both. Nil for a task that does not
        /// repeat.
        ///
        /// A task done early counts for the day that was to come. A completion that is only recorded late moves nothing, if it is from
        /// before the last due day, or before the day that would have been due before there was the task, or before the last completion.
        ///
        /// - Parameters:
        ///   - last: the day of the last completion.
        ///   - made: the day on which the task was created.
        public func next(doneOn day: CalendarDay, last: CalendarDay?, made: CalendarDay) -> Due? {
            guard let recurrence else { return nil }
            if on > from || day < made, day <= recurrence.last(before: on, from: from) { return self }
            if let last, day <= last { return self }
            return Due(on: recurrence.next(after: max(day, on), from: from), recurrence: recurrence, from: from)
        }

        /// The moment at which the household is notified of the due date: nine in the morning by the house's clock, or the end of its quiet
        /// hours.
        public func notificationTime(in zone: TimeZone, quiet: QuietHours?) -> Date {
            let moment = on.moment(at: Self.morning, in: zone)
            guard let quiet, quiet.contains(moment, in: zone) else { return moment }
            return (quiet.to > Self.morning ? on : on.adding(days: 1)).moment(at: quiet.to, in: zone)
        }

        private static let morning = TimeOfDay(hour: 9)
    }

    public init(
        id: String, title: String, category: Category = .other, priority: Priority = .normal, due: Due? = nil, deviceID: String? = nil,
        roomID: String? = nil, notes: String? = nil, isPredictive: Bool = false, toldOn: CalendarDay? = nil, doneAt: Date? = nil,
        version: Int = 1, createdAt: Date, changedAt: Date
    ) {
        self.id = id
        self.title = title
        self.category = category
        self.priority = priority
        self.due = due
        self.deviceID = deviceID
        self.roomID = roomID
        self.notes = notes
        self.isPredictive = isPredictive
        self.notifiedOn = toldOn
        self.doneAt = doneAt
        self.version = version
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    public func isOverdue(on today: CalendarDay) -> Bool { due.map { $0.on < today } ?? false }
}
