import CardeaSecurity

/// The address and the credentials of the household's Home Assistant.
public struct HomeAssistantSettings: Sendable {
    public var address: HomeAssistantAddress
    /// A long-lived access token, made on the user's page of Home Assistant.
    public var token: Secret
    /// The authorities to trust; nil for the system's.
    public var caPEM: String?

    public init(address: HomeAssistantAddress, token: Secret, caPEM: String? = nil) {
        self.address = address
        self.token = token
        self.caPEM = caPEM
    }

    /// The longest token that is taken; Home Assistant's have about 180 characters.
    static let tokenLimit = 4096

    /// The problem with the token, in words for the person who pasted it; nil if it can be tried.
    public var tokenProblem: String? {
        let bytes = token.reveal().utf8
        if bytes.isEmpty { return "is required" }
        if bytes.count > Self.tokenLimit { return "must have at most \(Self.tokenLimit) characters" }
        if !bytes.allSatisfy({ (0x21...0x7E).contains($0) }) { return "must be a long-lived access token: letters, digits, . - and _" }
        return nil
    }

    /// The token would cross the network readable.
    var showsItsToken: Bool { !address.isSecure && !address.isLoopback }
}
