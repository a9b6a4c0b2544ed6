/// A message that came in.
public struct ReceivedMessage: Hashable, Sendable {
    public let topic: String
    public let payload: [UInt8]
    /// Said some time ago, and kept by the broker: sent because we subscribed, not because it happened.
    public let isRetained: Bool
    /// Its payload was larger than the limit, and left behind.
    public let isOversize: Bool

    public init(topic: String, payload: [UInt8], isRetained: Bool, isOversize: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
        self.isOversize = isOversize
    }
}
