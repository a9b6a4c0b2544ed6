import Foundation

/// The states of one command and their transitions. It can refuse an event, and never goes back.
public struct CommandStateMachine: Hashable, Sendable {
    public private(set) var status: CommandStatus
    /// True if the use that was reserved before dispatch was returned.
    public private(set) var useReturned = false
    /// After this the command may no longer be sent.
    public let notAfter: Date

    public init(status: CommandStatus = .accepted, useReturned: Bool = false, notAfter: Date) {
        self.status = status
        self.useReturned = useReturned
        self.notAfter = notAfter
    }

    public enum Event: Hashable, Sendable {
        /// Its turn has come.
        case dispatched
        case confirmed
        /// `executed: false` is a definite "not done"; true means it started and did not end well.
        case failed(executed: Bool)
        /// The deadline passed without an answer, or a crash lies between sending and answering.
        case deadlinePassed
        /// A person rejected it, or no person answered in time.
        case refused
    }

    /// Applies `event`. Returns false, unchanged, when the event does not apply to this status.
    @discardableResult
    public mutating func apply(_ event: Event, at now: Date) -> Bool {
        switch (status, event) {
        case (.accepted, .dispatched) where now < notAfter:
            status = .dispatching
        case (.accepted, .dispatched), (.accepted, .deadlinePassed), (.accepted, .refused):
            status = .expired
            useReturned = true
        case (.dispatching, .confirmed):
            status = .confirmed
        case (.dispatching, .failed(let executed)):
            status = .failed
            // The use is counted before the bolt moves: a use lost to a jammed lock can be returned, a door opened without a record cannot.
            useReturned = !executed
        case (.dispatching, .deadlinePassed):
            status = .unknown
        default:
            return false
        }
        return true
    }

    /// The action that recovers a command after a crash.
    public enum Recovery: Hashable, Sendable {
        case dispatch, expire, markUnknown, none
    }

    /// An `accepted` one that is still fresh was never sent; a `dispatching` one may have been, and is not sent again.
    public func recovery(at now: Date) -> Recovery {
        switch status {
        case .accepted: now < notAfter ? .dispatch : .expire
        case .dispatching: .markUnknown
        case .confirmed, .failed, .unknown, .expired: .none
        }
    }
}
