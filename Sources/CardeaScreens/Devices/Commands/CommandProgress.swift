/// Where a wish stands, and how that is said.
public enum CommandProgress: Hashable, Sendable {
    case sending(String)
    /// The device itself said so.
    case confirmed(String)
    /// The house has it; it waits there for its turn, or for somebody's yes.
    case waiting(String)
    /// It waits here for the house.
    case queued(String)
    /// It may have been done.
    case unknown(String)
    case failed(UserFacingError)

    public var text: String {
        switch self {
        case .sending(let text), .confirmed(let text), .waiting(let text), .queued(let text), .unknown(let text): text
        case .failed(let problem): problem.text
        }
    }
}
