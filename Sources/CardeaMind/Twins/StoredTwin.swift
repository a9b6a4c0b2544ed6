import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The stored settings of a twin.
struct StoredTwin: Hashable, Sendable {
    let deviceID: String
    let fidelity: TwinFidelity
    let name: String
    let kind: EntityKind

    var id: String { Twin.idPrefix + deviceID }

    /// The twin of a device that does not exist yet or any more.
    var planned: Twin {
        let id = "\(kind.rawValue).\(deviceID.lowercased().replacing("-", with: "_"))"
        return Twin(
            planned: deviceID, name: name, entities: [Entity(id: id, kind: kind, name: name, verbs: kind.verbs)], fidelity: fidelity)
    }
}
