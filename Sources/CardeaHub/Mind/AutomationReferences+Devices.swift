import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Devices that automations name.
extension AutomationReferences {
    /// Renames a device or some of its entities in all automations.
    ///
    /// - Returns: how many were changed.
    static func rename(_ renaming: ReferenceMapping, at now: Date, in db: Database) throws -> Int {
        let rules = try changes(db) { rule in
            rule.triggers = rule.triggers.map { $0.replacingIDs(devices: renaming.device, entities: renaming.entity) }
            rule.conditions = rule.conditions.map { $0.replacingIDs(entities: renaming.entity) }
            rule.actions = rule.actions.map { action -> AutomationAction in
                guard case .control(let control) = action else { return action }
                return .control(renaming.action(control))
            }
        }
        for (before, after) in rules { try write(after, instead: before, at: now, in: db) }
        return rules.count
    }

    /// The actions that automations ask of an entity.
    static func verbs(of entityID: String, in db: Database) throws -> Set<Verb> {
        var verbs: Set<Verb> = []
        _ = try changes(db) { rule in
            for case .control(let control) in rule.actions where control.entityID == entityID { verbs.insert(control.verb) }
        }
        return verbs
    }

    /// True if one names an entity of `parts`, or asks something of a part of the device other than `entityID`.
    static func isReferenced(_ parts: Set<String>, on deviceID: String, besides entityID: String, in db: Database) throws -> Bool {
        var isNamed = false
        _ = try changes(db) { rule in
            let entityIDs = rule.conditions.reduce(into: Set(rule.triggers.compactMap(\.entityID))) { $0.formUnion($1.entities) }
            if !entityIDs.isDisjoint(with: parts) { isNamed = true }
            for case .control(let control) in rule.actions where control.deviceID == deviceID {
                if let part = control.entityID, part != entityID { isNamed = true }
            }
        }
        return isNamed
    }
}
