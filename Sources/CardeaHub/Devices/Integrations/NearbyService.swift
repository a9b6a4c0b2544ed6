/// Something that announces itself on the network nearby.
///
/// All of it is what a stranger says. Whoever makes one has cleaned and bounded each text; nothing of it is a reason to trust.
public struct NearbyService: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// As the integration is called that it could be.
        case homeAssistant = "home-assistant"
        case homeKit = "homekit"
        case matter
    }

    public let kind: Kind
    public let name: String
    /// A name such as `lamp.local`.
    public let host: String
    public let port: Int
    /// An IPv4 address of that host, where it was asked for.
    public var address: String?
    public var model: String?
    /// What it is, in words.
    public var category: String?
    /// Of the program that announces it.
    public var version: String?
    /// Whether somebody has paired it already.
    public var isPaired: Bool?
    /// Where it says that it is reached, best first.
    public var urls: [NearbyAddress] = []

    public init(kind: Kind, name: String, host: String, port: Int) {
        self.kind = kind
        self.name = name
        self.host = host
        self.port = port
    }

    /// Whether what is connected at `other` is this.
    func isReached(at other: NearbyAddress) -> Bool {
        if urls.contains(where: { $0.host == other.host && $0.port == other.port }) { return true }
        return port == other.port && [host.lowercased(), address].contains(other.host)
    }
}

/// What can be done with something nearby.
public enum NearbyServiceAdvice: String, CaseIterable, Sendable {
    /// The house can be connected to it.
    case connect
    /// It is what the house is set up with.
    case connected
    /// The house does not speak to it; Home Assistant does, and the house to Home Assistant.
    case throughHomeAssistant = "through_home_assistant"

    /// - Parameter settings: where the house is connected to, for the kind that it can be connected to.
    init(_ thing: NearbyService, connectedTo settings: NearbyAddress?) {
        self =
            switch thing.kind {
            case .homeKit, .matter: .throughHomeAssistant
            case .homeAssistant: settings.map(thing.isReached(at:)) == true ? .connected : .connect
            }
    }
}
