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
        case opened
        /// The house says that it is good.
        case known
        case tapped
        /// Whoever tapped did not confirm it, or took it back.
        case withdrawn
        case done
        case failed(String)
        /// The house says that it is over.
        case ended
        /// What was said has been read.
        case read
    }

    /// The state after `event`; nil where it means nothing now.
    public func after(_ event: Event) -> PassState? {
        switch (self, event) {
        // What is under way is not disturbed by looking.
        case (.executing, .opened): nil
        case (_, .opened): .loading
        case (.loading, .known): .ready
        case (.loading, .failed(let text)), (.executing, .failed(let text)): .error(text)
        case (.loading, .ended), (.executing, .ended): .expired
        case (.ready, .tapped), (.success, .tapped), (.error, .tapped): .executing
        case (.executing, .withdrawn): .ready
        case (.executing, .done): .success
        case (.success, .read), (.error, .read): .ready
        default: nil
        }
    }
}
