import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Two devices claim the same entity.
public struct EntityIDConflictError: Error, CustomStringConvertible {
    public let entityID: String
    public let deviceID: String

    public init(entityID: String, deviceID: String) {
        self.entityID = entityID
        self.deviceID = deviceID
    }

    public var description: String { "The entity \(entityID) already belongs to the device \(deviceID)." }
}
