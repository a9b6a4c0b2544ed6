import CardeaModel
import Foundation

/// What was asked of the house, and who may ask for what. All of it is values: whoever imagines by them can move nothing. Whoever puts the
/// house together fills it, as they fill `Senses`.
public protocol CommandHistoryReader: Sendable {
    /// What was asked of devices and taken on, oldest first; the latest thousand.
    ///
    /// - Parameter deviceID: nil for any device.
    func commands(of deviceID: String?, since: Date) async throws -> [RecordedCommand]

    /// What everybody holds and what was tried since a moment, as the records stand.
    func replay(since: Date) async throws -> AccessReplay
}

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
