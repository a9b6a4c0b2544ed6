import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The ids that devices and entities had before they were merged or replaced, by which they are still found.
public struct FormerIDs: Hashable, Sendable {
    /// Ids that stay, by the former ones.
    let devices: [String: String]
    let entities: [String: String]

    init() { (devices, entities) = ([:], [:]) }

    init(_ db: Database) throws {
        devices = try AliasRecords.all(.device, db)
        entities = try AliasRecords.all(.entity, db)
    }

    /// The device's id of today.
    public func device(_ id: String) -> String { devices[id] ?? id }
    /// The entity's id of today.
    public func entity(_ id: String) -> String { entities[id] ?? id }

    /// All former ids. None is given to another device or entity.
    public var all: Set<String> { Set(devices.keys).union(entities.keys) }

    /// A draft of an automation, by the ids of today.
    public func current(_ draft: AutomationDraft) -> AutomationDraft { draft.replacingIDs(devices: device, entities: entity) }
}
