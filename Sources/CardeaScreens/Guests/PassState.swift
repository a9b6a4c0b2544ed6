/// The state of a guest's pass on their phone (Seed 000).
public enum PassState: Hashable, Sendable {
    /// The state of the pass is being read from the house.
    case loading
    /// The pass can be used.
    case ready
    /// It is being used; a second tap is ignored.
    case executing
    case success
    case error(String)
    /// The pass was deleted here: pair again.
    case expired

    /// An event in the life of a pass.
    public enum Event: Hashable, Sendable {
        /// The pass is shown.
        case viewed
        /// The hub answered that it is valid.
        case validated
        case tapped
        /// The person did not confirm the tap, or cancelled it.
        case cancelled
        case succeeded
        case failed(String)
        /// The hub answered that it has ended.
        case invalidated
        /// The message was read.
        case dismissed
    }

    /// The state after `event`; nil if the event has no effect in this state.
    public func next(_ event: Event) -> PassState? {
        switch (self, event) {
        // Showing the pass does not interrupt an action.
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
