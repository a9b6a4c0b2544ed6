import CardeaSecurity

/// The settings of an app without a hub, kept in a secure storage (Seed 002, `Settings`).
public struct TriggerSettings: Codable, Sendable {
    public var homeTitle: String
    /// The broker's host name.
    public var endpoint: String
    public var port: Int
    public var clientID: String
    /// PEM.
    public var certificate: String
    public var privateKey: Secret
    /// The authority to trust; nil for the system's.
    public var rootCA: String?
    /// For `%T`: 32 hexadecimal digits.
    public var timestampKey: Secret?
    /// True if the app asks for a face or a fingerprint before it shows its buttons. The app enforces it; this module does not.
    public var isBiometricAuthEnabled: Bool
    public var isUnusedButtonHidden: Bool
    /// Off: no tag and no link fires anything.
    public var answersTags: Bool
    public var actions: [TriggerAction]

    private enum CodingKeys: String, CodingKey {
        case homeTitle, endpoint, port, clientID, certificate, privateKey, rootCA, timestampKey, isBiometricAuthEnabled
        case isUnusedButtonHidden, answersTags, actions
    }

    /// Four buttons that do nothing yet.
    public init(clientID: String) {
        homeTitle = "MQTT PUBS"
        endpoint = ""
        port = 8883
        self.clientID = clientID
        certificate = ""
        privateKey = Secret("")
        isBiometricAuthEnabled = false
        isUnusedButtonHidden = false
        answersTags = true
        actions = (1...4).map { TriggerAction(title: "Button \($0)") }
    }

    /// Reads what any version has kept.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        homeTitle = try container.decode(String.self, forKey: .homeTitle)
        endpoint = try container.decode(String.self, forKey: .endpoint)
        port = try container.decodeIfPresent(Int.self, forKey: .port) ?? 8883
        clientID = try container.decode(String.self, forKey: .clientID)
        certificate = try container.decode(String.self, forKey: .certificate)
        privateKey = Secret(try container.decode(String.self, forKey: .privateKey))
        rootCA = try container.decodeIfPresent(String.self, forKey: .rootCA).flatMap { $0.isEmpty ? nil : $0 }
        timestampKey = try container.decodeIfPresent(String.self, forKey: .timestampKey).flatMap { $0.isEmpty ? nil : Secret($0) }
        isBiometricAuthEnabled = try container.decodeIfPresent(Bool.self, forKey: .isBiometricAuthEnabled) ?? false
        isUnusedButtonHidden = try container.decodeIfPresent(Bool.self, forKey: .isUnusedButtonHidden) ?? false
        answersTags = try container.decodeIfPresent(Bool.self, forKey: .answersTags) ?? true
        actions = try container.decode([TriggerAction].self, forKey: .actions)
    }

    /// For a place that keeps secrets, such as the keychain: the secrets are in it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(homeTitle, forKey: .homeTitle)
        try container.encode(endpoint, forKey: .endpoint)
        try container.encode(port, forKey: .port)
        try container.encode(clientID, forKey: .clientID)
        try container.encode(certificate, forKey: .certificate)
        try container.encode(privateKey.reveal(), forKey: .privateKey)
        try container.encodeIfPresent(rootCA, forKey: .rootCA)
        try container.encodeIfPresent(timestampKey?.reveal(), forKey: .timestampKey)
        try container.encode(isBiometricAuthEnabled, forKey: .isBiometricAuthEnabled)
        try container.encode(isUnusedButtonHidden, forKey: .isUnusedButtonHidden)
        try container.encode(answersTags, forKey: .answersTags)
        try container.encode(actions, forKey: .actions)
    }

    /// The action of that number; nil if there is none.
    public func action(_ index: Int) -> TriggerAction? { actions.indices.contains(index) ? actions[index] : nil }
}
