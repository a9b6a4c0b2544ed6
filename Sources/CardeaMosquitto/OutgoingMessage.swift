/// A message on its way out.
public struct OutgoingMessage: Sendable {
    public enum QualityOfService: Int32, Sendable {
        /// Sent once without acknowledgement or storage on the way.
        case atMostOnce = 0
        /// Acknowledged by the broker, which may keep it for an offline device: a command that moves a door has an expiry, and its device
        /// can recognise an old one.
        case atLeastOnce = 1
    }

    public var topic: String
    public var payload: [UInt8]
    public var quality: QualityOfService
    public var isRetained: Bool
    /// Seconds after which the broker throws it away. MQTT 5 only; omitted if the broker speaks 3.1.1.
    public var expiry: UInt32?
    /// MQTT 5 only; omitted if the broker speaks 3.1.1.
    public var userProperties: [(name: String, value: String)]

    public init(
        topic: String, payload: [UInt8], quality: QualityOfService = .atMostOnce, isRetained: Bool = false, expiry: UInt32? = nil,
        userProperties: [(name: String, value: String)] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
        self.expiry = expiry
        self.userProperties = userProperties
    }
}
