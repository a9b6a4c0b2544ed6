import CardeaModel
import Foundation

/// An accepted command to an entity, with its value, such as brightness or temperature, which an event does not contain.
public struct RecordedCommand: Hashable, Sendable {
    public let deviceID: String
    public let entityID: String
    public let verb: Verb
    /// Nil for a verb without a value.
    public let value: JSONValue?
    public let status: CommandStatus
    /// The actor: `person:{id}`.
    public let actor: String
    public let at: Date

    public init(
        deviceID: String, entityID: String, verb: Verb, value: JSONValue? = nil, status: CommandStatus, actor: String, at: Date
    ) {
        self.deviceID = deviceID
        self.entityID = entityID
        self.verb = verb
        self.value = value
        self.status = status
        self.actor = actor
        self.at = at
    }

    /// The command as an event, to judge by which requesters may see it.
    var event: HouseEvent {
        HouseEvent(id: "", at: at, deviceID: deviceID, entityID: entityID, actor: actor, fact: .command(verb, status, refusal: nil))
    }
}
