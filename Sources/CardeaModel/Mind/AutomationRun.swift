import Foundation

/// One run of an automation, real or tried, with its result.
public struct AutomationRun: Hashable, Sendable, Identifiable {
    public let id: String
    public let automationID: String
    public let at: Date
    /// The index of the trigger, counted from 0; nil for a try.
    public let trigger: Int?
    /// The id of the event in the mind's memory that triggered it; nil if the clock or a number did.
    public let event: String?
    public let result: Result
    /// True for a try: nothing was done, and nothing could have been.
    public let isDry: Bool
    /// One for each action, in their order; a scene has one for each device.
    public var outcomes: [Outcome]
    /// The ids of the entities whose state its conditions needed and that was unknown; only if `result` is `notKnown`.
    public let unknown: [String]

    public enum Result: String, Codable, Hashable, Sendable, CaseIterable {
        /// Its actions were carried out, as far as permitted.
        case ran
        /// It was triggered by its own actions, or by a long chain of others, and did nothing.
        case loop
        /// It has run so often within an hour that it rests for one.
        case tooOften = "too_often"
        /// The house came to it too late for it still to be meant.
        case late
        /// It was not known whether its conditions held, and it did nothing.
        case notKnown = "not_known"
        /// A person tried it out on past events.
        case tried
    }

    /// The result of one action.
    public struct Outcome: Codable, Hashable, Sendable {
        public let action: AutomationAction.Kind
        public var deviceID: String?
        public var entityID: String?
        public var verb: Verb?
        /// A command's own status, such as `confirmed`; `refused` if the gate or the device refused; `told`; `would` in a dry run.
        public var status: String
        /// The reason why it was not done, or why its result is unknown.
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

        /// True if the action is known to be done.
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
