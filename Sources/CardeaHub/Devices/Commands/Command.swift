import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// One command, as the store keeps it.
public struct Command: Hashable, Sendable {
    public let id: String
    public let principal: String
    public let guestID: String?
    public let grantID: String
    /// The integration to which the device belongs.
    public let integration: String
    public let deviceID: String
    public let entityID: String
    public let verb: Verb
    /// The dotted action name that a guest's request used.
    public let requestedActionName: String?
    public let value: JSONValue?
    public let transition: Double?
    public let isWayIn: Bool
    /// The button or the tag that submitted it.
    let trigger: CommandTrigger?
    public internal(set) var life: CommandStateMachine
    /// True if a person of the house must approve it first.
    public let requiresApproval: Bool
    public let acceptedAt: Date
    /// The deadline of the device's report; nil before the command is dispatched.
    var reportDeadline: Date?
    public internal(set) var finishedAt: Date?
    public internal(set) var reason: String?
    public internal(set) var newState: EntityState?
    public let useNumber: Int?
    public let useLimit: Int?
    /// The origin of the request; nil if it was not read. It is sealed, and only the audit log uses it.
    var origin: RequestOrigin?

    public var status: CommandStatus { life.status }

    /// True while it waits for approval.
    public var isAwaitingApproval: Bool { requiresApproval && status == .accepted }

    /// Returns whether it waits for approval and may still be approved.
    func canBeApproved(at now: Date) -> Bool { isAwaitingApproval && now < life.notAfter }

    /// From acceptance to outcome, in milliseconds.
    public var executionTime: Int? {
        finishedAt.map { Int($0.milliseconds - acceptedAt.milliseconds) }
    }

    /// Uses of the pass counting this one, or without it if it was returned.
    public var usedCount: Int? {
        useNumber.map { life.useReturned ? $0 - 1 : $0 }
    }

    /// The order sent to the device. A light that comes on at its room's brightness is sent that brightness.
    func backendCommand() -> BackendCommand {
        BackendCommand(
            commandID: id, integration: integration, deviceID: deviceID, entityID: entityID,
            verb: verb == .on && value != nil ? .setBrightness : verb, requestedVerb: verb, value: value, transition: transition,
            acceptedAt: acceptedAt, notAfter: life.notAfter)
    }
}
