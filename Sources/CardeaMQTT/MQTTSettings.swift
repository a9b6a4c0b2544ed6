/// The address and the credentials of the household's broker, and the topics of announcements.
public struct MQTTSettings: Codable, Hashable, Sendable {
    public var host: String
    public var port: Int
    public var tls: Bool
    /// The authorities to trust; nil for the system's.
    public var caPEM: String?
    /// Our own certificate and its key, for a broker that asks for one.
    public var certPEM: String?
    public var keyPEM: String?
    public var username: String?
    public var password: String?
    /// The client id; nil for one that is made at start.
    public var clientID: String?
    /// Home Assistant's discovery prefix, without slashes around it.
    public var discoveryPrefix: String
    /// True to announce the house's locks, the passes in use and the person who last used one to Home Assistant.
    public var announces: Bool
    public var announcesLastVisitor: Bool
    /// The prefix of a Frigate's topics, usually `frigate`; nil if Frigate is not used.
    public var frigatePrefix: String?
    /// The codes of locks and alarm panels by the ids of their entities. They go to the broker with each command that wants one.
    public var codes: [String: String]

    /// - Parameters:
    ///   - port: 1883, or 8883 with TLS, when left out.
    ///   - tls: on when left out and a certificate or port 8883 is given.
    ///   - discoveryPrefix: slashes and spaces around it are removed.
    ///   - frigatePrefix: slashes at its end are removed. One at its start is Frigate's own.
    public init(
        host: String, port: Int? = nil, tls: Bool? = nil, caPEM: String? = nil, certPEM: String? = nil, keyPEM: String? = nil,
        username: String? = nil, password: String? = nil, clientID: String? = nil, discoveryPrefix: String = "homeassistant",
        announces: Bool = false, announcesLastVisitor: Bool = false, frigatePrefix: String? = nil, codes: [String: String] = [:]
    ) {
        let tls = tls ?? (caPEM != nil || certPEM != nil || port == 8883)
        self.host = host
        self.port = port ?? (tls ? 8883 : 1883)
        self.tls = tls
        self.caPEM = caPEM
        self.certPEM = certPEM
        self.keyPEM = keyPEM
        self.username = username
        self.password = password
        self.clientID = clientID
        self.discoveryPrefix = String(TopicRules.normalized(discoveryPrefix).drop { $0 == "/" })
        self.announces = announces
        self.announcesLastVisitor = announcesLastVisitor
        self.frigatePrefix = frigatePrefix.map(TopicRules.normalized)
        self.codes = codes
    }

    /// The maximum number of stored codes.
    static let codeLimit = 200

    /// The problem with these settings, in words for the person who entered them; nil if they can be tried.
    public var problem: String? {
        let texts = [host, username, password, clientID, discoveryPrefix, frigatePrefix].compactMap(\.self)
        if texts.contains(where: { $0.utf8.contains(0) }) { return "the settings must not have null characters" }
        if let clientID, clientID.isEmpty || clientID.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "the client id must be plain text. Leave it out to have one made at start"
        }
        if host.isEmpty || host.utf8.count > 253 { return "the host must have 1 to 253 characters" }
        if !(1...65_535).contains(port) { return "the port must be between 1 and 65535" }
        if (certPEM == nil) != (keyPEM == nil) { return "a certificate needs its key, and a key its certificate. Send both" }
        if !tls, caPEM != nil || certPEM != nil { return "a certificate needs TLS. Switch TLS on" }
        if password != nil, username == nil { return "a password needs a user name" }
        if !TopicRules.isPlain(discoveryPrefix) { return "the discovery prefix must be a topic without + and #" }
        if let frigatePrefix, frigatePrefix.isEmpty || !TopicRules.isForCommands(frigatePrefix + "/") || frigatePrefix == discoveryPrefix {
            return "Frigate's topic prefix must be a topic without + and #, and not the discovery prefix"
        }
        return problemOfCodes
    }

    private var problemOfCodes: String? {
        if codes.count > Self.codeLimit { return "at most \(Self.codeLimit) codes are accepted" }
        for (entityID, code) in codes {
            guard (1...64).contains(code.count), code.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                return "the code of \(PayloadText.quoted(entityID)) must have 1 to 64 characters of plain text"
            }
        }
        return nil
    }

    /// Returns whether both use the same broker and prefix, so that the other one looks after the retained messages.
    func sharesBroker(with other: MQTTSettings) -> Bool {
        host == other.host && port == other.port && discoveryPrefix == other.discoveryPrefix
    }

    /// The password would cross the network readable.
    var showsItsPassword: Bool { password != nil && !tls && !["localhost", "127.0.0.1", "::1"].contains(host) }
}

extension MQTTSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The broker's address, without password, key or user name.
    public var description: String { "\(tls ? "mqtts" : "mqtt")://\(host):\(port)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["broker": description]) }
}
