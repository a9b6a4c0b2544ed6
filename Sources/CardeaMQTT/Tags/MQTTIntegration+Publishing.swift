import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation

/// The house's broker carries what buttons say, too.
extension MQTTIntegration: MessageCarrier {
    public func carry(_ message: CarriedMessage) async -> Carriage {
        guard let connection, connection.isOpen else { return .notConnected }
        // What is said to be harmless opens no door behind the gate's back.
        if message.risk != .open {
            do {
                guard try await !desk.holds(topic: message.topic) else {
                    return .refused("a way into the house listens to this topic or near it, and the button is said to be harmless")
                }
            } catch {
                return .refused("the house cannot look up now who listens to this topic")
            }
        }
        if let answer = message.answer {
            guard await listen(to: answer.topic, on: connection) else {
                return .refused("the broker does not let us read the state topic")
            }
            answers.expect(answer, to: message.commandID)
        }
        let isAwake = lastHeard.map { ContinuousClock.now - $0 < trust } ?? false
        let carriage = await connection.carry(message, isAwake: isAwake, now: now)
        if carriage == .taken { lastHeard = .now }
        if case .refused = carriage, let answer = message.answer { answers.forget(message.commandID, answer.topic) }
        return carriage
    }

    private func listen(to topic: String, on connection: MosquittoConnection) async -> Bool {
        if answers.topics.contains(topic) { return true }
        guard let codes = try? await connection.subscribe([topic]), codes.allSatisfy({ $0 < 128 }),
            self.connection === connection
        else { return false }
        answers.listens(to: topic)
        return true
    }
}
