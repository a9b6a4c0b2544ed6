import Foundation

/// Receives the metrics of every exchange; each retry counts as its own. It is called while the caller waits for the answer, so it must
/// return at once.
public protocol CallMetricsDelegate: Sendable {
    func didComplete(_ metrics: CallMetrics)
}
