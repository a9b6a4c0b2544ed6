import CardeaModel
import CardeaSecurity
import Foundation

/// The house's own words for why not.
public struct APIError: Error, Hashable, Sendable {
    public let status: Int
    /// One of the codes of `docs/protocol.md`; `http_502` and the like if the answer has none.
    public let code: String
    public let message: String
    public let details: [String: JSONValue]
    /// The id by which the request is found in the hub's log.
    public let requestID: String?
    /// The wait that the hub requests.
    public let retryAfter: Duration?
    /// True if the hub itself sent the error. A proxy may answer in its place without knowing what the hub did.
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

    /// True if the call may be retried after a wait. A command whose outcome is unknown, the hub's own 504, is never simply retried.
    public var isRetryable: Bool { [408, 429, 502, 503].contains(status) || code == "in_flight" || isGatewayFailure }

    /// A proxy before the house did not reach it, or did not wait for its answer (RFC 9110, sections 15.6.3 to 15.6.5).
    public var isGatewayFailure: Bool { !isFromHub && [502, 503, 504].contains(status) }
}
