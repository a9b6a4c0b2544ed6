import CardeaModel
import CardeaStore
import Foundation

/// One command on its way to a device.
public struct BackendCommand: Hashable, Sendable {
    public let commandID: String
    /// The integration to which the device belongs, by the backend's own name.
    public let integration: String
    public let deviceID: String
    public let entityID: String
    public let verb: Verb
    /// The submitted verb, which a report must confirm. A light that is switched on may be sent a brightness.
    public let requestedVerb: Verb
    public let value: JSONValue?
    /// Seconds over which a light fades; nil for the device's own.
    public let transition: Double?
    /// When it was admitted.
    public let acceptedAt: Date
    /// After this the order is worthless and must not be delivered.
    public let notAfter: Date

    /// - Parameter requestedVerb: the submitted verb, if another one is sent.
    public init(
        commandID: String, integration: String = "", deviceID: String, entityID: String, verb: Verb, requestedVerb: Verb? = nil,
        value: JSONValue?,
        transition: Double?, acceptedAt: Date, notAfter: Date
    ) {
        self.commandID = commandID
        self.integration = integration
        self.deviceID = deviceID
        self.entityID = entityID
        self.verb = verb
        self.requestedVerb = requestedVerb ?? verb
        self.value = value
        self.transition = transition
        self.acceptedAt = acceptedAt
        self.notAfter = notAfter
    }
}
