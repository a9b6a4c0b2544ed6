import Foundation

/// A person's request to create or change an automation.
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

    /// Returns the draft in its stored form.
    ///
    /// - Throws: an error for the first invalid field, with what it should be.
    public func checked() throws(AutomationError) -> AutomationDraft {
        var draft = self
        do { draft.name = try Name.check(name) } catch {
            throw AutomationError("name", "must have 1 to \(Name.limit) visible characters")
        }
        guard (1...Automation.triggerLimit).contains(triggers.count) else {
            throw AutomationError("triggers", "must have 1 to \(Automation.triggerLimit) entries")
        }
        for (place, trigger) in triggers.enumerated() { try trigger.check("triggers.\(place)") }
        guard conditions.reduce(0, { $0 + $1.count }) <= Automation.conditionLimit else {
            throw AutomationError("conditions", "must have at most \(Automation.conditionLimit) entries, nested ones included")
        }
        for (place, condition) in conditions.enumerated() { try condition.check("conditions.\(place)") }
        guard (1...Automation.actionLimit).contains(actions.count) else {
            throw AutomationError("actions", "must have 1 to \(Automation.actionLimit) entries")
        }
        draft.actions = []
        for (place, action) in actions.enumerated() { draft.actions.append(try action.checked("actions.\(place)")) }
        return draft
    }
}
