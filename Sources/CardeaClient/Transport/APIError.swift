import CardeaModel
import CardeaSecurity
import Foundation

/// The house's own words for why not.
public struct APIError: Error, Hashable, Sendable {
    public let status: Int
    /// One of the codes of `docs/protocol.md`; `http_502` and the like where the answer has none.
    public let code: String
    public let message: String
    public let details: [String: JSONValue]
    /// By which the hub's log can be searched.
    public let requestID: String?
    /// How long the house wants to be left alone.
    public let retryAfter: Duration?
    /// Whether the house said so itself. What stands in between, a proxy perhaps, may answer in its place, and does not know what it did.
    public let isFromHub: Bool

    public init(
        status: Int, code: String, message: String, details: [String: JSONValue] = [:], requestID: String? = nil,
        retryAfter: Duration? = nil, isFromTheHouse: Bool = true
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.requestID = requestID
        self.retryAfter = retryAfter
        self.isFromHub = isFromTheHouse
    }

    /// Whether waiting helps. A command whose outcome is unknown, the house's own 504, is never simply asked again.
    public var isRetryable: Bool { [408, 429, 502, 503].contains(status) || code == "in_flight" || isGatewayFailure }

    /// A proxy before the house did not reach it, or did not wait for its answer (RFC 9110, sections 15.6.3 to 15.6.5).
    public var isGatewayFailure: Bool { !isFromHub && [502, 503, 504].contains(status) }
}
