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
