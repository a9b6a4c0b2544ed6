import CardeaHub
import Foundation

/// Reads announcements and states without a broker, to measure how fast they are read.
public struct DiscoveryReplay: Sendable {
    private let prefix: String
    private var registry = DiscoveryRegistry()

    /// - Parameter prefix: the first level of the topics of announcements.
    public init(prefix: String = "homeassistant") {
        self.prefix = prefix
    }

    /// The number of entities in one announcement, which is not kept; nil if it is not understood.
    public func entityCount(of announcement: [UInt8], at topic: String) -> Int? {
        DiscoveryTopic(topic, prefix: prefix).flatMap { try? DiscoveryParser.read(announcement, at: $0).entities.count }
    }

    /// Reads one message: an announcement, which is kept, or what a device says.
    ///
    /// - Returns: the states that changed with it.
    public mutating func receive(_ payload: [UInt8], at topic: String, now: Date) -> [EntityReport] {
        if let topic = DiscoveryTopic(topic, prefix: prefix) { registry.apply(payload, at: topic) }
        return registry.receive(IncomingMessage(topic: topic, payload: payload, at: now), isFresh: true)
    }
}
