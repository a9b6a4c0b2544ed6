import Foundation

/// Measurements of one exchange with the hub (Seed 004, item 46). They contain no ids: the endpoint is a path template.
public struct CallMetrics: Hashable, Sendable {
    /// `/api/v1/devices/{id}/control`
    public let endpoint: String
    public let method: TransportRequest.Method
    /// Nil if no answer came.
    public let status: Int?
    public let duration: Duration
    /// Bytes of the body.
    public let requestSize: Int
    /// Bytes of the body; nil if no answer came.
    public let responseSize: Int?
    /// The reason why no answer came.
    public let error: TransportError?
}
