import CardeaModel
import Foundation

/// Publishes the messages of buttons over a connection to a broker.
public protocol MessagePublisher: Sendable {
    /// Publishes at quality 1, never retained, with the remaining time as its expiry. Returns when the broker has taken it, or when
    /// it is sure that it will not.
    ///
    /// Nothing may keep it and publish it later: what cannot go out now is refused.
    func publish(_ message: BrokerMessage) async -> PublishResult
}
