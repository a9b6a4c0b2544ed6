import CardeaClient
import CardeaModel

/// Where a wish stands, and how that is said.
public enum WishStanding: Hashable, Sendable {
    case asking(String)
    /// The device itself said so.
    case done(String)
    /// The house has it; it waits there for its turn, or for somebody's yes.
    case waiting(String)
    /// It waits here for the house.
    case queued(String)
    /// It may have been done.
    case unsure(String)
    case notDone(Problem)

    public var text: String {
        switch self {
        case .asking(let text), .done(let text), .waiting(let text), .queued(let text), .unsure(let text): text
        case .notDone(let problem): problem.text
        }
    }
}

/// What becomes of a wish, in words: a door's own where it moves one.
struct WishWords: Sendable {
    private let door: DoorWords?

    /// - Parameter door: the kind of door that is moved; nil where none is.
    init(_ verb: Verb?, door: EntityKind?) {
        let wish: DoorWords.Wish? =
            switch verb {
            case .unlock, .open, .press: .open
            case .lock, .close: .lock
            default: nil
            }
        self.door = if let wish, let door { DoorWords(wish, door) } else { nil }
    }

    var asking: String { door?.waiting ?? "Waiting for the device…" }

    var waiting: String { "It has not happened yet: it waits for its turn, or for somebody's yes." }

    func done(_ state: String?) -> String { door?.confirmed ?? "Done" + (state.map { ": it says \($0)." } ?? ".") }

    var unknown: String {
        door?.unknown ?? "We are not sure it was done. The device has not answered. Look at it before you ask again."
    }

    /// The connection was lost with the wish on its way.
    var lost: String {
        door?.lost ?? "We are not sure it was done. The connection to the house was lost. Look how things stand before you ask again."
    }

    var expired: String { door?.expired ?? "Not done: its turn did not come in time. Nothing was sent. Ask again." }

    var noConnection: String { door?.noConnection ?? "No connection to the house. Nothing was sent, and nothing is sent later." }

    func failed(_ reason: String?, useReturned: Bool? = nil) -> String {
        door?.failed(reason: reason, useReturned: useReturned) ?? "Not done: \(reason ?? "the device could not do it")."
    }
}
