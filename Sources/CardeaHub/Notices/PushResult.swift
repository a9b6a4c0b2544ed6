import CardeaSecurity
import Foundation

/// The result of sending a push message.
public enum PushResult: Hashable, Sendable {
    /// The service has it. Whether the browser will is not known.
    case accepted
    /// There is no such subscription any more; nothing else will ever come through.
    case gone
    /// The service will not have it, however often it is asked; its status, or 0 if it was never asked.
    case rejected(status: Int)
    /// Not now: after so many seconds, if the service says.
    case retry(after: Int?)
}
