import CardeaModel
import Foundation

/// `POST /api/v1/automations`, `PUT /api/v1/automations/{id}`
public struct AutomationBody: WireFormat.Body, Encodable, Sendable {
    public var name: String
    /// True if omitted.
    public var isOn: Bool?
    public var triggers: [AutomationTrigger]
    public var conditions: [AutomationCondition]?
    public var actions: [AutomationAction]

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case name, triggers, conditions, actions
        case isOn = "is_on"
    }

    public init(
        name: String, isOn: Bool? = nil, triggers: [AutomationTrigger], conditions: [AutomationCondition]? = nil,
        actions: [AutomationAction]
    ) {
        self.name = name
        self.isOn = isOn
        self.triggers = triggers
        self.conditions = conditions
        self.actions = actions
    }

    public var draft: AutomationDraft {
        AutomationDraft(name: name, isOn: isOn ?? true, triggers: triggers, conditions: conditions ?? [], actions: actions)
    }
}

/// An automation as the wire shows it.
public struct AutomationAnswer: Codable, Sendable {
    public let automationID: String
    public let name: String
    /// The person, by their id, who answers for it.
    public let owner: String
    public let isOn: Bool
    /// The reason why the house itself disabled it: a value of `Automation.OffReason`; a newer house may have others.
    @Nullable public private(set) var offBecause: String?
    public let triggers: [AutomationTrigger]
    public let conditions: [AutomationCondition]
    public let actions: [AutomationAction]
    public let version: Int
    public let createdAt: Date
    public let changedAt: Date

    enum CodingKeys: String, CodingKey {
        case name, owner, triggers, conditions, actions, version
        case automationID = "automation_id"
        case isOn = "is_on"
        case offBecause = "off_because"
        case createdAt = "created_at"
        case changedAt = "changed_at"
    }

    public init(_ automation: Automation) {
        automationID = automation.id
        name = automation.name
        owner = automation.owner
        isOn = automation.isOn
        triggers = automation.triggers
        conditions = automation.conditions
        actions = automation.actions
        version = automation.version
        createdAt = automation.createdAt
        changedAt = automation.changedAt
        offBecause = automation.offBecause?.rawValue
    }

    /// The body with which a person would write it.
    public var body: AutomationBody {
        AutomationBody(name: name, isOn: isOn, triggers: triggers, conditions: conditions, actions: actions)
    }
}

/// `GET /api/v1/automations`
public struct AutomationsAnswer: Codable, Sendable {
    public let automations: [AutomationAnswer]
    public let total: Int

    public init(automations: [AutomationAnswer]) {
        self.automations = automations
        total = automations.count
    }
}

/// A run: carried out, stopped, attempted, or of a dry run.
public struct AutomationRunAnswer: Codable, Sendable {
    public let runID: String
    public let at: Date
    /// A value of `AutomationRun.Result`; a newer house may have others.
    public let result: String
    /// The index of the trigger, counted from 0; null for a try.
    @Nullable public private(set) var trigger: Int?
    /// The event that started it; null if the clock or a number did.
    @Nullable public private(set) var event: String?
    public let isDry: Bool
    public let outcomes: [Outcome]
    /// The entities whose state its conditions needed, if `result` is `not_known`; nil from an older house.
    public let unknownEntities: [String]?

    /// The result of one of its actions.
    public struct Outcome: Codable, Sendable {
        /// `control`, `scene` or `notify`.
        public let type: String
        @Nullable public private(set) var deviceID: String?
        @Nullable public private(set) var entityID: String?
        @Nullable public private(set) var action: String?
        /// A command's status, such as `confirmed`; `refused`, `told`, `failed`; `would` if nothing was done.
        public let status: String
        @Nullable public private(set) var reason: String?
        @Nullable public private(set) var commandID: String?

        enum CodingKeys: String, CodingKey {
            case type, action, status, reason
            case deviceID = "device_id"
            case entityID = "entity_id"
            case commandID = "command_id"
        }

        init(_ outcome: AutomationRun.Outcome) {
            type = outcome.action.rawValue
            status = outcome.status
            deviceID = outcome.deviceID
            entityID = outcome.entityID
            action = outcome.verb?.rawValue
            reason = outcome.reason
            commandID = outcome.commandID
        }
    }

    enum CodingKeys: String, CodingKey {
        case at, result, trigger, event, outcomes
        case runID = "run_id"
        case isDry = "is_dry"
        case unknownEntities = "unknown_entities"
    }

    public init(_ run: AutomationRun) {
        runID = run.id
        at = run.at
        result = run.result.rawValue
        isDry = run.isDry
        outcomes = run.outcomes.map(Outcome.init)
        unknownEntities = run.unknown
        trigger = run.trigger
        event = run.event
    }
}

/// `GET /api/v1/automations/{id}/history`
public struct AutomationHistoryAnswer: Codable, Sendable {
    public let automationID: String
    /// Newest first.
    public let runs: [AutomationRunAnswer]
    public let hasMore: Bool

    enum CodingKeys: String, CodingKey {
        case runs
        case automationID = "automation_id"
        case hasMore = "has_more"
    }

    public init(automationID: String, runs: [AutomationRunAnswer], hasMore: Bool) {
        self.automationID = automationID
        self.runs = runs
        self.hasMore = hasMore
    }
}

/// `POST /api/v1/automations/{id}/dry-run`
public struct AutomationTrialBody: WireFormat.Body, Encodable, Sendable {
    /// 1 to 30; 7 if omitted.
    public var days: Int?

    public enum CodingKeys: String, CodingKey, CaseIterable { case days }

    public init(days: Int? = nil) {
        self.days = days
    }
}

/// The result of a trial: the runs that the automation would have had.
public struct AutomationTrialAnswer: Codable, Sendable {
    public let automationID: String
    public let from: Date
    public let to: Date
    /// The number of events and readings used.
    public let happenings: Int
    /// The number of times that it would have run.
    public let total: Int
    /// The last 500, oldest first.
    public let runs: [AutomationRunAnswer]

    public static let maxRuns = 500

    enum CodingKeys: String, CodingKey {
        case from, to, happenings, total, runs
        case automationID = "automation_id"
    }

    public init(automationID: String, from: Date, to: Date, happenings: Int, runs: [AutomationRun]) {
        self.automationID = automationID
        self.from = from
        self.to = to
        self.happenings = happenings
        total = runs.count
        self.runs = runs.suffix(Self.maxRuns).map(AutomationRunAnswer.init)
    }
}
