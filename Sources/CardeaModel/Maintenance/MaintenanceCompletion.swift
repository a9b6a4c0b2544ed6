import Foundation

/// A completion of a task.
public struct MaintenanceCompletion: Hashable, Sendable {
    /// Rises with every recorded completion.
    public let number: Int64
    public let taskID: String
    /// The day for which it was done.
    public let dueOn: CalendarDay?
    public let completedAt: Date
    /// The id of the person who did it; nil if they have left the house, or the hub did it.
    public let completedBy: String?
    public let completedByName: String?
    public let cost: Money?
    public let notes: String?
    public let serviceProvider: String?

    public init(
        number: Int64, taskID: String, dueOn: CalendarDay?, completedAt: Date, completedBy: String?, completedByName: String?,
        cost: Money?, notes: String?, serviceProvider: String?
    ) {
        self.number = number
        self.taskID = taskID
        self.dueOn = dueOn
        self.completedAt = completedAt
        self.completedBy = completedBy
        self.completedByName = completedByName
        self.cost = cost
        self.notes = notes
        self.serviceProvider = serviceProvider
    }
}
