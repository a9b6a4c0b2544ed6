import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation

/// The house's broker carries what buttons say, too.
extension MQTTIntegration: MessagePublisher {
    public func publish(_ message: BrokerMessage) async -> PublishResult {
        guard let connection, connection.isOpen else { return .notConnected }
        // A message declared less risky than `open` must not open a door past the gate.
        if message.risk != .open {
            do {
                guard try await !sink.mayMoveWayIn(topic: message.topic) else {
                    return .refused("a door listens to this topic or one near it, but the button's risk is control. Set its risk to open")
                }
            } catch {
                return .refused("the hub cannot check now which devices use this topic. Try again")
            }
        }
        if let answer = message.expectedReply {
            guard await subscribe(to: answer.topic, on: connection) else {
                return .refused("the broker does not allow reading the state topic")
            }
            confirmations.expect(answer, to: message.commandID)
        }
        let isAwake = lastHeard.map { ContinuousClock.now - $0 < trustInterval } ?? false
        let carriage = await connection.publish(message, isAwake: isAwake, now: now)
        if carriage == .acknowledged { lastHeard = .now }
        if case .refused = carriage, let answer = message.expectedReply { confirmations.cancel(message.commandID, answer.topic) }
        return carriage
    }

    private func subscribe(to topic: String, on connection: MosquittoConnection) async -> Bool {
        if confirmations.topics.contains(topic) { return true }
        guard let codes = try? await connection.subscribe([topic]), codes.allSatisfy({ $0 < 128 }),
            self.connection === connection
        else { return false }
        confirmations.confirmSubscription(to: topic)
        return true
    }
}
