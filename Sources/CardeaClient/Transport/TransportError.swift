import Foundation

/// The reason why no answer came.
public enum TransportError: Error, Hashable, Sendable {
    /// No connection was made, so nothing was sent.
    case noConnection
    /// The other side could not prove its identity, so nothing was sent.
    case untrusted
    /// The connection ended before the answer; the request may have arrived.
    case interrupted
    /// No answer in time; the request may have arrived.
    case timeout
    /// The answer exceeds the size limit.
    case tooLarge
    /// The caller cancelled the request.
    case cancelled

    /// True if the hub may have received the request all the same.
    public var mayHaveArrived: Bool {
        switch self {
        case .noConnection, .untrusted: false
        case .interrupted, .timeout, .tooLarge, .cancelled: true
        }
    }
}
