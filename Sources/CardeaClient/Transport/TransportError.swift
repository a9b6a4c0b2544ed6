import Foundation

/// Why no answer came.
public enum TransportError: Error, Hashable, Sendable {
    /// No connection came about, so nothing was sent.
    case noConnection
    /// The other side could not prove who it is, so nothing was sent.
    case untrusted
    /// Sent, perhaps, and the connection ended before the answer did.
    case interrupted
    /// Sent, perhaps, and no answer in time.
    case timeout
    /// The answer is larger than this side takes.
    case tooLarge
    /// Whoever asked no longer wants to know.
    case cancelled

    /// Whether the hub may have heard the request all the same.
    public var mayHaveArrived: Bool {
        switch self {
        case .noConnection, .untrusted: false
        case .interrupted, .timeout, .tooLarge, .cancelled: true
        }
    }
}
