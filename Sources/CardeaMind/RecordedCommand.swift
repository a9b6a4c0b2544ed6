import CardeaModel
import Foundation

/// Something that was asked of an entity and taken on, with what a happening does not tell: how bright, how warm.
public struct RecordedCommand: Hashable, Sendable {
    public let deviceID: String
    public let entityID: String
    public let verb: Verb
    /// Nil for a verb that needs none.
    public let value: JSONValue?
    public let status: CommandStatus
    /// By whom: `person:{id}`.
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

    /// It, as far as somebody may be told what others asked for.
    var event: HouseEvent {
        HouseEvent(id: "", at: at, deviceID: deviceID, entityID: entityID, actor: actor, fact: .command(verb, status, refusal: nil))
    }
}
