import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Synchronization

/// Sends commands to devices.
extension MQTTIntegration {
    /// Runs on the executor that writes the packet, so that an order changes executors once.
    public nonisolated func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        await withTaskExecutorPreference(connectionExecutor.withLock { $0 }) { await dispatch(backendCommand) }
    }

    private func dispatch(_ backendCommand: BackendCommand) async -> DispatchResult {
        guard let fixture = registry[backendCommand.entityID] else { return .refused(reason: "the device is not announced on the broker") }
        guard let connection, connection.isOpen else { return .refused(reason: "the broker is not connected") }
        if fixture.isOnline == false { return .refused(reason: "the device is offline") }
        // Its report would not be stored.
        if rejectedDevices[fixture.deviceID] != nil { return .refused(reason: "the house has not accepted the device") }
        // A device with an availability topic is sent nothing before it has reported there.
        guard fixture.isOnline != nil || fixture.availability.sources.isEmpty else {
            return .refused(reason: "the device has not reported yet that it is available")
        }
        // Just announced: its report would be missed before the subscription.
        guard registry.topics(of: backendCommand.entityID).allSatisfy(subscribedTopics.contains) else {
            return .refused(reason: "the device has just been announced")
        }
        // The device may move something else by now than the caller meant.
        guard !registry.isUnacknowledged(fixture.deviceID) else { return .refused(reason: "the device has just been announced") }
        // A time in the future was written under a wrong clock.
        if let changedAt = sink.wayInHold(of: backendCommand.entityID).changedAt, changedAt > backendCommand.acceptedAt, changedAt <= now()
        {
            return .refused(reason: "the device's announcement has changed since the command was sent")
        }
        guard now() < backendCommand.notAfter else { return .refused(reason: "the command expired before it was sent") }
        let mapping = fixture.entity.mapping
        let code = settings.codes[backendCommand.entityID]
        guard mapping.verbs.contains(backendCommand.verb) else { return .unsupported }
        let messages =
            mapping.commandMessages(
                for: backendCommand.verb, value: backendCommand.value, transition: backendCommand.transition, code: code, in: fixture.state)
            ?? []
        guard !messages.isEmpty else {
            return mapping.needsCode(backendCommand.verb)
                ? .refused(reason: Self.missingCodeReason(of: fixture.entity.kind, has: code != nil)) : .unsupported
        }
        // A stalled broker would accept the command, and deliver it later.
        if lastHeard.map({ ContinuousClock.now - $0 >= trustInterval }) ?? true {
            guard await connection.answers(within: .seconds(2)) else { return .refused(reason: "the broker does not respond") }
            lastHeard = .now
        }
        return await send(messages, for: backendCommand, isReported: mapping.reports(backendCommand.requestedVerb), on: connection)
    }

    private static func missingCodeReason(of kind: EntityKind, has: Bool) -> String {
        let device = kind == .alarm ? "alarm panel" : "lock"
        return has
            ? "the stored code is not valid for this \(device). Change it on the MQTT page"
            : "this \(device) requires a code. Store it on the MQTT page"
    }

    private func send(
        _ messages: [CommandMessage], for backendCommand: BackendCommand, isReported: Bool, on connection: MosquittoConnection
    ) async -> DispatchResult {
        let dispatched: DispatchResult = isReported ? .dispatched : .dispatchedWithoutReport
        for (index, message) in messages.enumerated() {
            let left = backendCommand.notAfter.timeIntervalSince(now())
            let expiry: UInt32 = left < 2 ? 1 : left >= 5 ? 5 : UInt32(left)
            let outgoing = OutgoingMessage(
                topic: message.topic, payload: Array(message.payload.utf8), expiry: expiry,
                userProperties: [(name: "cardea-command-id", value: backendCommand.commandID)])
            do {
                try await connection.publish(outgoing, notAfter: backendCommand.notAfter)
            } catch .unanswered {
                // It may still be sent; the report decides.
                return dispatched
            } catch {
                // After a part was sent, "not done" is no longer certain.
                return index == 0 ? .refused(reason: error.message) : dispatched
            }
        }
        return dispatched
    }

    /// Subscribes again, so that the broker repeats the retained messages of this entity.
    public func refresh(entityID: String) async {
        guard let connection else { return }
        do throws(MQTTConnectionError) {
            try await subscribe(registry.topics(of: entityID), on: connection)
        } catch {
            // The connection is closed; the next one reads everything again.
        }
    }
}
