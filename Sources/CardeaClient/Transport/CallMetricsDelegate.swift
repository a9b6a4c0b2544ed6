import Foundation

/// Told of every exchange, those that were asked again each by itself. It is called where the answer is waited for, so it must return at once.
public protocol CallMetricsDelegate: Sendable {
    func didComplete(_ metrics: CallMetrics)
}
