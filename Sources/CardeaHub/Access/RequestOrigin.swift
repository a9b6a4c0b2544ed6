import CardeaModel
import Foundation

/// Where a request came from.
public struct RequestOrigin: Hashable, Sendable {
    /// The address of the asker, nil where there is none to know.
    public let remote: String?
    /// Whether that address belongs to the house's own network.
    public let isLocal: Bool
    public let requestID: String?
    /// What the asker's program says of itself.
    public let agent: String?
    /// The thumbprint of the key that signed the request (RFC 9449), of a browser that wants its session bound to it.
    public var keyThumbprint: Data?

    public init(remote: String?, isLocal: Bool, requestID: String?, agent: String? = nil) {
        self.remote = remote
        self.isLocal = isLocal
        self.requestID = requestID
        self.agent = agent
    }

    /// By what tries from there are counted; nil where no address is known.
    public var network: String? { remote.map { IPAddress($0)?.network ?? $0 } }

    /// The house itself.
    public static let house = RequestOrigin(remote: nil, isLocal: true, requestID: nil)
}
