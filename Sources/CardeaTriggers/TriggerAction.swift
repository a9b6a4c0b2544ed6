import CardeaSecurity

/// One button of an app that holds its secrets itself, and publishes straight to a broker (Seed 002, `Action`).
///
/// With a hub, the secrets stay there and the app presses `client.buttons`. This is for a broker without a hub.
public struct TriggerAction: Codable, Sendable {
    public var title: String
    public var topic: String
    /// The message to publish. The first `%T` in it becomes the encrypted time.
    public var message: String
    /// With what links for it are signed: 64 hexadecimal digits. Nil: no tag and no link fires it.
    public var nfcSecret: Secret?
    /// A new one, while a tag is written with it. It counts once the tag was read back.
    public var pendingSecret: Secret?
    /// Seconds in which a tap may be taken back.
    public var countdown: Int

    private enum CodingKeys: String, CodingKey { case title, topic, message, nfcSecret, pendingSecret, countdown }

    public init(title: String, topic: String = "", message: String = "", nfcSecret: Secret? = nil, countdown: Int = 0) {
        self.title = title
        self.topic = topic
        self.message = message
        self.nfcSecret = nfcSecret
        self.countdown = countdown
    }

    /// Reads a document of any version: one from before tags has no secret, and an empty text is none.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        topic = try container.decode(String.self, forKey: .topic)
        message = try container.decode(String.self, forKey: .message)
        nfcSecret = try Self.secret(.nfcSecret, in: container)
        pendingSecret = try Self.secret(.pendingSecret, in: container)
        countdown = try container.decodeIfPresent(Int.self, forKey: .countdown) ?? 0
    }

    private static func secret(_ key: CodingKeys, in container: KeyedDecodingContainer<CodingKeys>) throws -> Secret? {
        try container.decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : Secret($0) }
    }

    /// For a place that keeps secrets, such as the keychain: the secrets are in it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(topic, forKey: .topic)
        try container.encode(message, forKey: .message)
        try container.encodeIfPresent(nfcSecret?.reveal(), forKey: .nfcSecret)
        try container.encodeIfPresent(pendingSecret?.reveal(), forKey: .pendingSecret)
        if countdown != 0 { try container.encode(countdown, forKey: .countdown) }
    }

    /// The secret that signs its links; nil if there is none, or if it is not a valid one.
    var signingSecret: ButtonSecret? { nfcSecret.flatMap { ButtonSecret(hex: $0) } }

    /// True if a tag can fire it: "Configured ✓" and "Not configured" in the seed's screens.
    public var isConfigured: Bool { signingSecret != nil }
}
