/// A service that announces itself on the local network.
///
/// All of it is untrusted input. The code that creates a service has cleaned and limited each text; none of it is a reason to trust it.
public struct NearbyService: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The raw value is the name of the matching integration.
        case homeAssistant = "home-assistant"
        case homeKit = "homekit"
        case matter
    }

    public let kind: Kind
    public let name: String
    /// A name such as `lamp.local`.
    public let host: String
    public let port: Int
    /// The resolved IPv4 address of that host; nil if it was not looked up.
    public var address: String?
    public var model: String?
    /// Its category in words.
    public var category: String?
    /// The version of the program that announces it.
    public var version: String?
    /// True if it is already paired; nil if unknown.
    public var isPaired: Bool?
    /// The addresses that it announces, best first.
    public var urls: [NearbyAddress] = []

    public init(kind: Kind, name: String, host: String, port: Int) {
        self.kind = kind
        self.name = name
        self.host = host
        self.port = port
    }

    /// Returns whether this service is the one connected at `other`.
    func isReached(at other: NearbyAddress) -> Bool {
        if urls.contains(where: { $0.host == other.host && $0.port == other.port }) { return true }
        return port == other.port && [host.lowercased(), address].contains(other.host)
    }
}

/// The way to use a service on the local network.
public enum NearbyServiceAdvice: String, CaseIterable, Sendable {
    /// The house can be connected to it.
    case connect
    /// The house is already connected to it.
    case connected
    /// The house cannot connect to it directly, only through Home Assistant.
    case throughHomeAssistant = "through_home_assistant"

    /// - Parameter settings: the address of the existing connection, for the kind that the house can connect to.
    init(_ service: NearbyService, connectedTo settings: NearbyAddress?) {
        self =
            switch service.kind {
            case .homeKit, .matter: .throughHomeAssistant
            case .homeAssistant: settings.map(service.isReached(at:)) == true ? .connected : .connect
            }
    }
}
