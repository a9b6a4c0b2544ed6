import Foundation

/// What one exchange with the hub took (Seed 004, item 46). It names nobody and nothing: of an address there is the template.
public struct CallMetrics: Hashable, Sendable {
    /// `/api/v1/devices/{id}/control`
    public let endpoint: String
    public let method: TransportRequest.Method
    /// Nil where no answer came.
    public let status: Int?
    public let duration: Duration
    /// Bytes of the body.
    public let requestSize: Int
    /// Bytes of the body; nil where no answer came.
    public let responseSize: Int?
    /// Why no answer came.
    public let error: TransportError?
}
