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

    /// The id of the automation that acts as `actor`, which is `automation:{id}:{person}`; nil for any other actor.
    public static func id(ofActor actor: String) -> String? {
        let parts = actor.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "automation" ? String(parts[1]) : nil
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
