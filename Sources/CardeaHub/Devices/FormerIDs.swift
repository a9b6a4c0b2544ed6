import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The IDs that devices and entities had before they were merged or replaced. They can still be found by them.
public struct FormerIDs: Hashable, Sendable {
    /// Current IDs by former ones.
    let devices: [String: String]
    let entities: [String: String]

    init() { (devices, entities) = ([:], [:]) }

    init(_ db: Database) throws {
        devices = try AliasRecords.all(.device, db)
        entities = try AliasRecords.all(.entity, db)
    }

    /// The device's current ID.
    public func device(_ id: String) -> String { devices[id] ?? id }
    /// The entity's current ID.
    public func entity(_ id: String) -> String { entities[id] ?? id }

    /// All former ids. None is given to another device or entity.
    public var all: Set<String> { Set(devices.keys).union(entities.keys) }

    /// A draft of an automation, with current IDs.
    public func current(_ draft: AutomationDraft) -> AutomationDraft { draft.replacingIDs(devices: device, entities: entity) }
}
