import Foundation

/// What a house does by itself: when something happens, and where some things are so, it does what its owner could do.
public struct Automation: Hashable, Sendable, Identifiable {
    public let id: String
    public var name: String
    /// The person, by their id, who answers for it: it may do what they may, at the moment it is done.
    public var owner: String
    public var isOn: Bool
    /// Any one of them is enough. None where those were taken out that waited for somebody who left the house.
    public var triggers: [AutomationTrigger]
    /// All of them hold, or nothing is done.
    public var conditions: [AutomationCondition]
    /// Done in this order.
    public var actions: [AutomationAction]
    /// Why the house itself has switched it off, or would have if a person had not; nil where it is on.
    public var offBecause: OffReason?
    /// Rises with every change.
    public var version: Int
    public let createdAt: Date
    public var changedAt: Date

    public enum OffReason: String, Codable, Hashable, Sendable, CaseIterable {
        /// Whoever answered for it lives here no more, or may do nothing.
        case ownerLeft = "owner_left"
        /// Whoever it waited for lives here no more, and nothing else sets it going; or it was done unless somebody was named who is erased.
        case personLeft = "person_left"
    }

    public init(
        id: String, name: String, owner: String, isOn: Bool = true, triggers: [AutomationTrigger], conditions: [AutomationCondition] = [],
        actions: [AutomationAction], offBecause: OffReason? = nil, version: Int = 1, createdAt: Date, changedAt: Date
    ) {
        self.id = id
        self.name = name
        self.owner = owner
        self.isOn = isOn
        self.triggers = triggers
        self.conditions = conditions
        self.actions = actions
        self.offBecause = offBecause
        self.version = version
        self.createdAt = createdAt
        self.changedAt = changedAt
    }

    /// The entities whose word it depends on.
    public var entities: Set<String> {
        conditions.reduce(into: Set(triggers.compactMap(\.entityID))) { $0.formUnion($1.entities) }
    }

    /// How many there may be in a house, and how much of each kind in one of them. Conditions count however deep they lie.
    public static let limit = 100
    public static let triggerLimit = 8
    public static let conditionLimit = 16
    public static let actionLimit = 16
    /// Conditions within conditions: `all` of `any` of `not` of one.
    public static let depthLimit = 4
}

/// What somebody wants an automation to be.
public struct AutomationDraft: Hashable, Sendable {
    public var name: String
    public var isOn: Bool
    public var triggers: [AutomationTrigger]
    public var conditions: [AutomationCondition]
    public var actions: [AutomationAction]

    public init(
        name: String, isOn: Bool = true, triggers: [AutomationTrigger], conditions: [AutomationCondition] = [], actions: [AutomationAction]
    ) {
        self.name = name
        self.isOn = isOn
        self.triggers = triggers
        self.conditions = conditions
        self.actions = actions
    }

    /// The automation as it was last written.
    public init(_ automation: Automation) {
        self.init(
            name: automation.name, isOn: automation.isOn, triggers: automation.triggers, conditions: automation.conditions,
            actions: automation.actions)
    }

    /// The same as it is kept.
    ///
    /// - Throws: the first field that cannot be kept, and what it should be.
    public func checked() throws(AutomationError) -> AutomationDraft {
        var draft = self
        do { draft.name = try Name.check(name) } catch {
            throw AutomationError("name", "is 1 to \(Name.limit) characters that can be shown")
        }
        guard (1...Automation.triggerLimit).contains(triggers.count) else {
            throw AutomationError("triggers", "are 1 to \(Automation.triggerLimit)")
        }
        for (place, trigger) in triggers.enumerated() { try trigger.check("triggers.\(place)") }
        guard conditions.reduce(0, { $0 + $1.count }) <= Automation.conditionLimit else {
            throw AutomationError("conditions", "are at most \(Automation.conditionLimit), those within others counted")
        }
        for (place, condition) in conditions.enumerated() { try condition.check("conditions.\(place)") }
        guard (1...Automation.actionLimit).contains(actions.count) else {
            throw AutomationError("actions", "are 1 to \(Automation.actionLimit)")
        }
        draft.actions = []
        for (place, action) in actions.enumerated() { draft.actions.append(try action.checked("actions.\(place)")) }
        return draft
    }
}

/// What is wrong with a field of an automation, in words that follow its name.
public struct AutomationError: Error, Hashable, Sendable {
    public let field: String
    public let message: String

    public init(_ field: String, _ words: String) {
        self.field = field
        self.message = words
    }

    static func checkID(_ id: String, _ field: String) throws(AutomationError) {
        guard (1...128).contains(id.utf8.count) else { throw AutomationError(field, "is 1 to 128 bytes") }
    }

    static func check(_ number: Double, _ field: String) throws(AutomationError) {
        guard number.isFinite, abs(number) <= 1e12 else { throw AutomationError(field, "is a number that something may measure") }
    }

    static func check(_ days: Set<Weekday>, _ field: String) throws(AutomationError) {
        guard !days.isEmpty else { throw AutomationError(field, "names at least one day") }
    }
}
