import Foundation

/// That an automation ran, or was stopped, or was tried out, and what came of it.
public struct AutomationRun: Hashable, Sendable, Identifiable {
    public let id: String
    public let automationID: String
    public let at: Date
    /// Which of its triggers, counted from 0; nil for a try.
    public let trigger: Int?
    /// What set it going, as the mind remembers it; nil where the clock or a number did.
    public let event: String?
    public let result: Result
    /// Nothing was done, and nothing could have been.
    public let isDry: Bool
    /// One for each of its actions, in their order; what a scene asks of each device by itself.
    public var outcomes: [Outcome]
    /// The entities, by their ids, whose word its conditions waited for; where `result` is `notKnown`.
    public let unknown: [String]

    public enum Result: String, Codable, Hashable, Sendable, CaseIterable {
        /// It did what it says, as far as it may.
        case ran
        /// It was set going by what it did itself, or by a long row of others, and did nothing.
        case loop
        /// It has run so often within an hour that it rests for one.
        case tooOften = "too_often"
        /// The house came to it too late for it still to be meant.
        case late
        /// It was not known whether its conditions held, and it did nothing.
        case notKnown = "not_known"
        /// Somebody tried it out on what was.
        case tried
    }

    /// What came of one action.
    public struct Outcome: Codable, Hashable, Sendable {
        public let action: AutomationAction.Kind
        public var deviceID: String?
        public var entityID: String?
        public var verb: Verb?
        /// A command's own, such as `confirmed`; `refused` where the gate or the device said no; `told`; `would` in a try.
        public var status: String
        /// Why not, or why nobody knows.
        public var reason: String?
        public var commandID: String?

        enum CodingKeys: String, CodingKey {
            case action, verb, status, reason
            case deviceID = "device_id"
            case entityID = "entity_id"
            case commandID = "command_id"
        }

        public init(
            _ action: AutomationAction.Kind, deviceID: String? = nil, entityID: String? = nil, verb: Verb? = nil, status: String,
            reason: String? = nil, commandID: String? = nil
        ) {
            self.action = action
            self.deviceID = deviceID
            self.entityID = entityID
            self.verb = verb
            self.status = status
            self.reason = reason
            self.commandID = commandID
        }

        /// Whether it was done, as far as anybody knows.
        public var isDone: Bool { ["confirmed", "told"].contains(status) }
    }

    public init(
        id: String, automationID: String, at: Date, trigger: Int?, event: String?, result: Result, isDry: Bool = false,
        outcomes: [Outcome] = [], unknown: [String] = []
    ) {
        self.id = id
        self.automationID = automationID
        self.at = at
        self.trigger = trigger
        self.event = event
        self.result = result
        self.isDry = isDry
        self.outcomes = outcomes
        self.unknown = unknown
    }
}

extension AutomationAction.Kind: Codable {}
