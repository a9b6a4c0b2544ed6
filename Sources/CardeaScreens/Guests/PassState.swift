/// How a guest's pass stands on their phone (Seed 000).
public enum PassState: Hashable, Sendable {
    /// The house is asked how the pass stands.
    case loading
    /// The pass can be used.
    case ready
    /// It is being used; a second tap means nothing.
    case executing
    case success
    case error(String)
    /// There is no pass here any more: pair again.
    case expired

    /// What happens to a pass.
    public enum Event: Hashable, Sendable {
        /// Somebody looks at it.
        case viewed
        /// The house says that it is good.
        case validated
        case tapped
        /// Whoever tapped did not confirm it, or took it back.
        case cancelled
        case succeeded
        case failed(String)
        /// The house says that it is over.
        case invalidated
        /// What was said has been read.
        case dismissed
    }

    /// The state after `event`; nil where it means nothing now.
    public func next(_ event: Event) -> PassState? {
        switch (self, event) {
        // What is under way is not disturbed by looking.
        case (.executing, .viewed): nil
        case (_, .viewed): .loading
        case (.loading, .validated): .ready
        case (.loading, .failed(let text)), (.executing, .failed(let text)): .error(text)
        case (.loading, .invalidated), (.executing, .invalidated): .expired
        case (.ready, .tapped), (.success, .tapped), (.error, .tapped): .executing
        case (.executing, .cancelled): .ready
        case (.executing, .succeeded): .success
        case (.success, .dismissed), (.error, .dismissed): .ready
        default: nil
        }
    }
}
