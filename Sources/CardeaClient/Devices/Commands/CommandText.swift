import CardeaModel

/// The text for each outcome of a command; a command that moves a door has the door's own words.
public struct CommandText: Sendable {
    private let door: DoorCommandText?

    /// - Parameter door: the kind of door that the command moves; nil if it moves none.
    public init(_ verb: Verb?, door: EntityKind?) {
        let wish: DoorCommandText.Direction? =
            switch verb {
            case .unlock, .open, .press: .open
            case .lock, .close: .lock
            default: nil
            }
        self.init(wish.flatMap { wish in door.map { DoorCommandText(wish, $0) } })
    }

    /// - Parameter door: the text of the door that the command moves; nil if it moves none.
    public init(_ door: DoorCommandText?) {
        self.door = door
    }

    /// For devices that are no doors.
    public static let plain = CommandText(nil)

    public var sending: String { door?.waiting ?? "Waiting for the device…" }

    public var waiting: String { "Not done yet: the command is queued, or waits for approval." }

    public func confirmed(_ state: String?) -> String { door?.confirmed ?? "Done" + (state.map { ": now \($0)." } ?? ".") }

    public var unknown: String {
        door?.unknown ?? "We are not sure it was done. The device has not answered. Check it before you try again."
    }

    /// The connection was lost after the command was sent.
    public var connectionLost: String {
        door?.connectionLost
            ?? "We are not sure it was done. The connection to the house was lost. Check the state before you try again."
    }

    public var expired: String { door?.expired ?? "Not done: the command expired before it was sent. Try again." }

    public var noConnection: String { door?.noConnection ?? "No connection to the house. Nothing was sent, and nothing is sent later." }

    public func failed(_ reason: String?, useReturned: Bool? = nil) -> String {
        door?.failed(reason: reason, useReturned: useReturned) ?? "Not done: \(reason ?? "the device failed")."
    }
}
