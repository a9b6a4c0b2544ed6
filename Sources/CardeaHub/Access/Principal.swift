import CardeaModel

/// Whoever asks.
public enum Principal: Hashable, Sendable {
    case person(id: String, sessionID: String)
    case guest(id: String)

    /// The one name under which keys are kept and commands are filed.
    public var key: String {
        switch self {
        case .person(let id, _): "person:\(id)"
        case .guest(let id): "guest:\(id)"
        }
    }
}

/// Where a request came from.
public struct Origin: Hashable, Sendable {
    /// The address of the asker, nil where there is none to know.
    public let remote: String?
    /// Whether that address belongs to the house's own network.
    public let isLocal: Bool
    public let requestID: String?

    public init(remote: String?, isLocal: Bool, requestID: String?) {
        self.remote = remote
        self.isLocal = isLocal
        self.requestID = requestID
    }

    /// The house itself.
    public static let house = Origin(remote: nil, isLocal: true, requestID: nil)
}
