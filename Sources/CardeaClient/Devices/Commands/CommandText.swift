import CardeaModel

/// What becomes of a wish, in words: a door's own where it moves one.
public struct CommandText: Sendable {
    private let door: DoorCommandText?

    /// - Parameter door: the kind of door that is moved; nil where none is.
    public init(_ verb: Verb?, door: EntityKind?) {
        let wish: DoorCommandText.Direction? =
            switch verb {
            case .unlock, .open, .press: .open
            case .lock, .close: .lock
            default: nil
            }
        self.init(wish.flatMap { wish in door.map { DoorCommandText(wish, $0) } })
    }

    /// - Parameter door: the words of the door that is moved; nil where none is.
    public init(_ door: DoorCommandText?) {
        self.door = door
    }

    /// Of a thing that is no door.
    public static let plain = CommandText(nil)

    public var sending: String { door?.waiting ?? "Waiting for the device…" }

    public var waiting: String { "It has not happened yet: it waits for its turn, or for somebody's yes." }

    public func confirmed(_ state: String?) -> String { door?.confirmed ?? "Done" + (state.map { ": it says \($0)." } ?? ".") }

    public var unknown: String {
        door?.unknown ?? "We are not sure it was done. The device has not answered. Look at it before you ask again."
    }

    /// The connection was lost with the wish on its way.
    public var connectionLost: String {
        door?.connectionLost
            ?? "We are not sure it was done. The connection to the house was lost. Look how things stand before you ask again."
    }

    public var expired: String { door?.expired ?? "Not done: its turn did not come in time. Nothing was sent. Ask again." }

    public var noConnection: String { door?.noConnection ?? "No connection to the house. Nothing was sent, and nothing is sent later." }

    public func failed(_ reason: String?, useReturned: Bool? = nil) -> String {
        door?.failed(reason: reason, useReturned: useReturned) ?? "Not done: \(reason ?? "the device could not do it")."
    }
}
