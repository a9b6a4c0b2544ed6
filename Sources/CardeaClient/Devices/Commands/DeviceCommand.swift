import CardeaModel
import Foundation

/// One command for one device. Its key is made once, with the command: sent again after a lost answer, it is still the same command, and
/// the door does not move twice.
public struct DeviceCommand: Hashable, Sendable {
    public let deviceID: String
    public let entityID: String?
    public let action: String
    public let value: JSONValue?
    /// Milliseconds over which a light fades.
    public let transitionTime: Double?
    public let key: String

    public init(
        _ deviceID: String, _ action: String, entityID: String? = nil, value: JSONValue? = nil, transitionTime: Double? = nil,
        key: String = UUID().uuidString.lowercased()
    ) {
        self.deviceID = deviceID
        self.action = action
        self.entityID = entityID
        self.value = value
        self.transitionTime = transitionTime
        self.key = key
    }
}
