import CardeaHub
import CardeaMosquitto
import Foundation

extension MosquittoConnection {
    /// Publishes a button's message, once.
    ///
    /// - Parameter isAwake: true if the broker has sent something just now; a silent one is pinged first, because a stalled broker would
    /// accept the message and deliver it later.
    func publish(_ message: BrokerMessage, isAwake: Bool, now: @Sendable () -> Date) async -> PublishResult {
        if !isAwake, await !answers(within: .seconds(2)) { return .refused("timeout") }
        let left = message.notAfter.timeIntervalSince(now())
        guard left > 0 else { return .dropped }
        let outgoing = OutgoingMessage(
            topic: message.topic, payload: message.payload, quality: .atLeastOnce, expiry: left >= 5 ? 5 : UInt32(max(1, left)),
            userProperties: [(name: "cardea-command-id", value: message.commandID)])
        do throws(MQTTConnectionError) {
            switch try await publish(outgoing, notAfter: message.notAfter) {
            case 0: return .acknowledged
            // MQTT 5, section 3.4.2.1: there is no subscriber, so the broker has dropped it.
            case 0x10: return .refused("message dropped: no client subscribes to the topic")
            case let code where code >= 0x80: return .refused("message dropped: the broker rejects it (reason code \(code))")
            default: return .acknowledged
            }
        } catch {
            switch error {
            case .unanswered: return .unacknowledged
            case .tooLate, .congested: return .dropped
            // It broke before the broker's acknowledgement.
            case .lost, .hungUp, .dismissed: return .unacknowledged
            default: return .notConnected
            }
        }
    }
}
