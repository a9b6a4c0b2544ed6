import CardeaModel
import Foundation

/// `POST /api/v1/maintenance`
public struct MaintenanceBody: WireFormat.Body, Encodable, Sendable {
    public var title: String
    /// `other` if omitted.
    public var category: MaintenanceTask.Category?
    /// `normal` if omitted.
    public var priority: MaintenanceTask.Priority?
    /// By the house's clock; nil for a task without a due date.
    public var dueOn: CalendarDay?
    /// Once if omitted.
    public var recurrence: Recurrence?
    public var deviceID: String?
    public var roomID: String?
    public var notes: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case title, category, priority, recurrence, notes
        case dueOn = "due_on"
        case deviceID = "device_id"
        case roomID = "room_id"
    }

    public init(title: String, dueOn: CalendarDay? = nil, recurrence: Recurrence? = nil) {
        self.title = title
        self.dueOn = dueOn
        self.recurrence = recurrence
    }
}

/// `PATCH /api/v1/maintenance/{id}`. Omitted fields stay as they are; `null` removes the due date, the recurrence, the device or the notes.
public struct ChangeMaintenanceBody: WireFormat.Body, Encodable, Sendable {
    public var title: String?
    public var category: MaintenanceTask.Category?
    public var priority: MaintenanceTask.Priority?
    public var dueOn: Nullable<CalendarDay>?
    public var recurrence: Nullable<Recurrence>?
    public var deviceID: Nullable<String>?
    public var roomID: Nullable<String>?
    public var notes: Nullable<String>?

    public typealias CodingKeys = MaintenanceBody.CodingKeys

    public init(title: String? = nil, dueOn: CalendarDay? = nil) {
        self.title = title
        self.dueOn = dueOn.map { Nullable(wrappedValue: $0) }
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func nullable<Value: Codable & Sendable>(_ key: CodingKeys, _: Value.Type) throws -> Nullable<Value>? {
            guard container.contains(key) else { return nil }
            return Nullable(wrappedValue: try container.decodeIfPresent(Value.self, forKey: key))
        }
        title = try container.decodeIfPresent(String.self, forKey: .title)
        category = try container.decodeIfPresent(MaintenanceTask.Category.self, forKey: .category)
        priority = try container.decodeIfPresent(MaintenanceTask.Priority.self, forKey: .priority)
        dueOn = try nullable(.dueOn, CalendarDay.self)
        recurrence = try nullable(.recurrence, Recurrence.self)
        deviceID = try nullable(.deviceID, String.self)
        roomID = try nullable(.roomID, String.self)
        notes = try nullable(.notes, String.self)
    }
}

/// Something that is to be done in the house.
public struct MaintenanceAnswer: Codable, Sendable {
    public let taskID: String
    public let title: String
    /// A value of `MaintenanceTask.Category`; a newer house may have others.
    public let category: String
    public let priority: String
    @Nullable public private(set) var dueOn: CalendarDay?
    @Nullable public private(set) var recurrence: String?
    @Nullable public private(set) var deviceID: String?
    @Nullable public private(set) var roomID: String?
    @Nullable public private(set) var notes: String?
    /// True if the house itself found that the task is needed.
    public let isPredictive: Bool
    /// The date of completion, if it is a one-time task.
    @Nullable public private(set) var doneAt: Date?
    public let version: Int
    public let createdAt: Date
    public let changedAt: Date

    enum CodingKeys: String, CodingKey {
        case title, category, priority, recurrence, notes, version
        case taskID = "task_id"
        case dueOn = "due_on"
        case deviceID = "device_id"
        case roomID = "room_id"
        case isPredictive = "is_predictive"
        case doneAt = "done_at"
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    public init(_ task: MaintenanceTask) {
        taskID = task.id
        title = task.title
        category = task.category.rawValue
        priority = task.priority.rawValue
        isPredictive = task.isPredictive
        version = task.version
        createdAt = task.createdAt
        changedAt = task.changedAt
        dueOn = task.due?.on
        recurrence = task.due?.recurrence?.rawValue
        deviceID = task.deviceID
        roomID = task.roomID
        notes = task.notes
        doneAt = task.doneAt
    }
}

/// `GET /api/v1/maintenance`
public struct MaintenanceListAnswer: Codable, Sendable {
    /// Sorted by due date; tasks without one come last.
    public let tasks: [MaintenanceAnswer]
    public let total: Int
    /// Today's date in the house. A task is due on its day, and overdue after it.
    public let today: CalendarDay

    public init(tasks: [MaintenanceAnswer], today: CalendarDay) {
        self.tasks = tasks
        total = tasks.count
        self.today = today
    }
}

/// `POST /api/v1/maintenance/{id}/complete`
public struct CompleteMaintenanceBody: WireFormat.Body, Encodable, Sendable {
    /// Now if omitted.
    public var completedAt: Date?
    public var cost: MoneyBody?
    public var notes: String?
    public var serviceProvider: String?

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case cost, notes
        case completedAt = "completed_at"
        case serviceProvider = "service_provider"
    }

    public init(completedAt: Date? = nil, cost: MoneyBody? = nil, notes: String? = nil, serviceProvider: String? = nil) {
        self.completedAt = completedAt
        self.cost = cost
        self.notes = notes
        self.serviceProvider = serviceProvider
    }
}

/// An amount in the smallest unit of its currency: 1299 EUR are 12.99 euros.
public struct MoneyBody: Codable, Hashable, Sendable {
    public let minor: Int64
    /// By ISO 4217.
    public let currency: String

    enum CodingKeys: String, CodingKey, CaseIterable { case minor, currency }

    public init(_ money: Money) {
        minor = money.minor
        currency = money.currency
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.closedContainer(keyedBy: CodingKeys.self)
        minor = try container.decode(Int64.self, forKey: .minor)
        currency = try container.decode(String.self, forKey: .currency)
        guard money != nil else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "must have minor, a whole number from 0 to \(Money.maximum), and currency, three capital letters of ISO 4217 such as EUR"
                ))
        }
    }

    public var money: Money? { Money(minor: minor, currency: currency) }
}

/// A completion of a task.
public struct MaintenanceCompletionAnswer: Codable, Sendable {
    public let completionID: String
    /// The day for which it was done.
    @Nullable public private(set) var dueOn: CalendarDay?
    public let completedAt: Date
    /// A person's id; null if they were erased, or the house did it.
    @Nullable public private(set) var completedBy: String?
    @Nullable public private(set) var completedByName: String?
    @Nullable public private(set) var cost: MoneyBody?
    @Nullable public private(set) var notes: String?
    @Nullable public private(set) var serviceProvider: String?

    enum CodingKeys: String, CodingKey {
        case cost, notes
        case completionID = "completion_id"
        case dueOn = "due_on"
        case completedAt = "completed_at"
        case completedBy = "completed_by"
        case completedByName = "completed_by_name"
        case serviceProvider = "service_provider"
    }

    public init(_ completion: MaintenanceCompletion) {
        completionID = "\(completion.number)"
        completedAt = completion.completedAt
        dueOn = completion.dueOn
        completedBy = completion.completedBy
        completedByName = completion.completedByName
        cost = completion.cost.map(MoneyBody.init)
        notes = completion.notes
        serviceProvider = completion.serviceProvider
    }
}

/// The task after a completion, and the record of that completion.
public struct MaintenanceDoneAnswer: Codable, Sendable {
    public let task: MaintenanceAnswer
    public let completion: MaintenanceCompletionAnswer

    public init(task: MaintenanceAnswer, completion: MaintenanceCompletionAnswer) {
        self.task = task
        self.completion = completion
    }
}

/// `GET /api/v1/maintenance/{id}/history`
public struct MaintenanceHistoryAnswer: Codable, Sendable {
    public let taskID: String
    /// The latest first.
    public let completions: [MaintenanceCompletionAnswer]
    public let hasMore: Bool

    enum CodingKeys: String, CodingKey {
        case completions
        case taskID = "task_id"
        case hasMore = "has_more"
    }

    public init(taskID: String, completions: [MaintenanceCompletionAnswer], hasMore: Bool) {
        self.taskID = taskID
        self.completions = completions
        self.hasMore = hasMore
    }
}
