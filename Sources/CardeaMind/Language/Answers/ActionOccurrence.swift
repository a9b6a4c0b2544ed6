import CardeaModel
import Foundation

/// One action on a device.
public struct ActionOccurrence: Hashable, Sendable {
    public let action: ActionKind
    public let deviceID: String
    public let entityID: String
    public let at: Date
    /// Nil if the actor is unknown, if the record of it was erased, or if the requester may not know it.
    public let actor: String?
    /// The ids of the events that show it.
    public let events: [String]
    /// The time at which it was undone, within the period asked about.
    public var undoneAt: Date?
    /// The earliest possible time, if it was done while its device was out of reach and is known since `at`; otherwise nil.
    public var notBefore: Date?
    /// True if it was commanded, and the record no longer has the actor.
    public var isErased = false
}
