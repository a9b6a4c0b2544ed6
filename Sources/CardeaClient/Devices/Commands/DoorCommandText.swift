import CardeaAPI
import CardeaModel

/// The text for each outcome of a door command. A command that was accepted is not yet done, so each outcome has its own sentence.
public struct DoorCommandText: Sendable {
    /// The requested movement.
    public enum Direction: Hashable, Sendable { case open, lock }

    private let direction: Direction
    private let kind: EntityKind

    public init(_ wish: Direction, _ kind: EntityKind) {
        self.direction = wish
        self.kind = kind
    }

    /// The name of the mechanism that answers.
    private var mechanism: String {
        switch kind {
        case .lock: "lock"
        case .cover: "drive"
        default: "door"
        }
    }

    public var waiting: String { "Waiting for the \(mechanism)…" }

    public var confirmed: String {
        switch (direction, kind) {
        case (.open, .lock): "It is open. Pull the door."
        case (.open, _): "It is open."
        case (.lock, .lock): "It is locked."
        case (.lock, _): "It is shut."
        }
    }

    public var unknown: String {
        switch direction {
        case .open: "We are not sure it opened. The \(mechanism) has not answered. Try the handle first."
        case .lock: "We are not sure it is shut. The \(mechanism) has not answered. Try the handle first."
        }
    }

    /// The connection was lost with the command on its way.
    public var connectionLost: String {
        "We are not sure it \(direction == .open ? "opened" : "is shut"). The connection to the house was lost. Try the handle first; nothing is sent later."
    }

    public var noConnection: String { "No connection to the house. Doors open only when it answers; nothing is sent later." }

    /// - Parameter useReturned: true if the use was not counted; nil if uses are not counted, as for a resident.
    public func failed(reason: String?, useReturned: Bool?) -> String {
        let why: String
        switch reason {
        case "jammed", "jam": why = "The \(mechanism) is jammed."
        case "unreachable", "device_unreachable", "offline": why = "The \(mechanism) cannot be reached."
        case let reason? where reason.contains(" "): why = reason.hasSuffix(".") ? reason : reason + "."
        default: why = "The \(mechanism) could not do it."
        }
        let what = direction == .open ? "Not opened" : "Not locked"
        let cost = useReturned.map { $0 ? ", and this did not count" : "; this counted" } ?? ""
        let next = direction == .open ? " Push the door while trying again." : " Pull the door shut and try again."
        return "\(why) \(what)\(cost).\(next)"
    }

    public var expired: String {
        "Not \(direction == .open ? "opened" : "locked"): the command expired before it was sent. Try again."
    }
}
