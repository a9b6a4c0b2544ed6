/// The progress of a command, with the text to show for it.
public enum CommandProgress: Hashable, Sendable {
    case sending(String)
    /// Confirmed by the device itself.
    case confirmed(String)
    /// The house has it; it waits there for its turn, or for an approval.
    case waiting(String)
    /// Queued on this device for the house.
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
