import Foundation

/// A rule that the hub runs by itself: when a trigger occurs and all conditions hold, it takes actions that its owner could take.
public struct Automation: Hashable, Sendable, Identifiable {
    public let id: String
    public var name: String
    /// The id of the person who is responsible for it: it may do what they may at the moment it runs.
    public var owner: String
    public var isOn: Bool
    /// Any one of them is enough. Empty if all of them waited for people who left the house.
    public var triggers: [AutomationTrigger]
    /// All of them must hold for the automation to act.
    public var conditions: [AutomationCondition]
    /// Done in this order.
    public var actions: [AutomationAction]
    /// The reason why the house itself has disabled it, or would have if a person had not; nil if it is enabled.
    public var offBecause: OffReason?
    /// Rises with every change.
    public var version: Int
    public let createdAt: Date
    public var changedAt: Date

    public enum OffReason: String, Codable, Hashable, Sendable, CaseIterable {
        /// Its owner no longer lives here, or has no rights any more.
        case ownerLeft = "owner_left"
        /// The person it waited for no longer lives here, and it has no other trigger; or an exception in it named a person who was erased.
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

    /// The entities whose reports it depends on.
    public var entities: Set<String> {
        conditions.reduce(into: Set(triggers.compactMap(\.entityID))) { $0.formUnion($1.entities) }
    }

    /// The limits per house, and of each kind in one automation. Conditions count at any depth.
    public static let limit = 100
    public static let triggerLimit = 8
    public static let conditionLimit = 16
    public static let actionLimit = 16
    /// Conditions within conditions: `all` of `any` of `not` of one.
    public static let depthLimit = 4
}
