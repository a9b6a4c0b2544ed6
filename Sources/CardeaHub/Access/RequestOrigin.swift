import CardeaModel
import Foundation

/// The origin of a request: its address, its ID and its user agent.
public struct RequestOrigin: Hashable, Sendable {
    /// The caller's address; nil if unknown.
    public let remote: String?
    /// True if the address belongs to the house's own network.
    public let isLocal: Bool
    public let requestID: String?
    /// The user agent that the caller's program reports.
    public let agent: String?
    /// The thumbprint of the key that signed the request (RFC 9449), of a browser that wants its session bound to it.
    public var keyThumbprint: Data?

    public init(remote: String?, isLocal: Bool, requestID: String?, agent: String? = nil) {
        self.remote = remote
        self.isLocal = isLocal
        self.requestID = requestID
        self.agent = agent
    }

    /// The network by which attempts are counted; nil if no address is known.
    public var network: String? { remote.map { IPAddress($0)?.network ?? $0 } }

    /// The house itself.
    public static let house = RequestOrigin(remote: nil, isLocal: true, requestID: nil)
}
