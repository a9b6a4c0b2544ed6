import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// Two integrations claim the same device.
public struct DeviceIDConflictError: Error, CustomStringConvertible {
    public let deviceID: String
    public let integration: String

    public init(deviceID: String, integration: String) {
        self.deviceID = deviceID
        self.integration = integration
    }

    public var description: String { "The device \(deviceID) already comes from \(integration)." }
}
