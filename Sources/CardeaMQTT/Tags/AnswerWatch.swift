import CardeaHub
import CardeaMosquitto
import Foundation

/// Who waits for which devices to say that they have done it.
struct AnswerWatch {
    private struct Waiting {
        let commandID: String
        let answer: CarriedMessage.Answer
        let until: ContinuousClock.Instant
    }

    private var waiting: [String: [Waiting]] = [:]
    /// The topics that the broker has confirmed to tell us on this connection.
    private(set) var topics: Set<String> = []

    /// How long an answer is worth anything. By then the command has long come to its end.
    private static let patience = Duration.seconds(15)
    private static let mostPerTopic = 64

    mutating func listens(to topic: String) { topics.insert(topic) }

    mutating func expect(_ answer: CarriedMessage.Answer, to commandID: String, at now: ContinuousClock.Instant = .now) {
        var those = waiting[answer.topic, default: []].filter { $0.until > now }
        if those.count < Self.mostPerTopic {
            those.append(Waiting(commandID: commandID, answer: answer, until: now.advanced(by: Self.patience)))
        }
        waiting[answer.topic] = those
    }

    /// It did not go out, so nobody will answer it.
    mutating func forget(_ commandID: String, _ topic: String) {
        waiting[topic]?.removeAll { $0.commandID == commandID }
    }

    /// Who has waited for this message; they wait no more. What the broker has kept is older than every question.
    mutating func hear(_ message: ReceivedMessage, at now: ContinuousClock.Instant = .now) -> [CarriedMessage.Answer] {
        guard !message.isRetained, let those = waiting[message.topic] else { return [] }
        let isMeant = those.map { $0.until > now && $0.answer.isMeant(message.payload) }
        waiting[message.topic] = zip(those, isMeant).filter { !$0.1 && $0.0.until > now }.map(\.0)
        return zip(those, isMeant).filter(\.1).map(\.0.answer)
    }

    /// The connection is over. What devices have said meanwhile, nobody has heard.
    mutating func lost() {
        topics = []
        waiting = [:]
    }
}
