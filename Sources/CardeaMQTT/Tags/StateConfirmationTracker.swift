import CardeaHub
import CardeaMosquitto
import Foundation

/// Tracks which commands wait for a device's confirmation.
struct StateConfirmationTracker {
    private struct PendingConfirmation {
        let commandID: String
        let answer: BrokerMessage.ExpectedReply
        let until: ContinuousClock.Instant
    }

    private var pending: [String: [PendingConfirmation]] = [:]
    /// The topics whose subscription the broker has confirmed on this connection.
    private(set) var topics: Set<String> = []

    /// The time after which an answer is useless: the command has ended long before.
    private static let timeout = Duration.seconds(15)
    private static let maximumPerTopic = 64

    mutating func confirmSubscription(to topic: String) { topics.insert(topic) }

    mutating func expect(_ answer: BrokerMessage.ExpectedReply, to commandID: String, at now: ContinuousClock.Instant = .now) {
        var those = pending[answer.topic, default: []].filter { $0.until > now }
        if those.count < Self.maximumPerTopic {
            those.append(PendingConfirmation(commandID: commandID, answer: answer, until: now.advanced(by: Self.timeout)))
        }
        pending[answer.topic] = those
    }

    /// It was not sent, so there will be no answer.
    mutating func cancel(_ commandID: String, _ topic: String) {
        pending[topic]?.removeAll { $0.commandID == commandID }
    }

    /// Removes and returns the expected replies that this message confirms. A retained message is older than every command and confirms
    /// none.
    mutating func receive(_ message: ReceivedMessage, at now: ContinuousClock.Instant = .now) -> [BrokerMessage.ExpectedReply] {
        guard !message.isRetained, let those = pending[message.topic] else { return [] }
        let isMeant = those.map { $0.until > now && $0.answer.matches(message.payload) }
        pending[message.topic] = zip(those, isMeant).filter { !$0.1 && $0.0.until > now }.map(\.0)
        return zip(those, isMeant).filter(\.1).map(\.0.answer)
    }

    /// The connection is over; replies sent meanwhile were missed.
    mutating func connectionLost() {
        topics = []
        pending = [:]
    }
}
