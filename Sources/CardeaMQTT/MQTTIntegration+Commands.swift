import CardeaHub
import CardeaModel
import CardeaMosquitto
import Foundation
import Synchronization

/// Sends commands to devices.
extension MQTTIntegration {
    /// Done where the packet is written, so that an order on its way changes hands once.
    public nonisolated func perform(_ order: DeviceOrder) async -> DispatchResult {
        await withTaskExecutorPreference(connectionExecutor.withLock { $0 }) { await dispatch(order) }
    }

    private func dispatch(_ order: DeviceOrder) async -> DispatchResult {
        guard let fixture = registry[order.entityID] else { return .refused(reason: "the device is not announced on the broker") }
        guard let connection, connection.isOpen else { return .refused(reason: "the broker is not connected") }
        if fixture.isOnline == false { return .refused(reason: "the device is offline") }
        // What it says of the order would not be kept.
        if rejectedDevices[fixture.deviceID] != nil { return .refused(reason: "the house has not taken the device in") }
        // One that tells of its availability is sent nothing before it has.
        guard fixture.isOnline != nil || fixture.availability.sources.isEmpty else {
            return .refused(reason: "the device has not said yet that it is there")
        }
        // Just announced: sent now, its answer would pass us by.
        guard registry.topics(of: order.entityID).allSatisfy(subscribedTopics.contains) else {
            return .refused(reason: "the device has just been announced")
        }
        // It may be wired to something else by now than what was asked for.
        guard !registry.isUnacknowledged(fixture.deviceID) else { return .refused(reason: "the device has just been announced") }
        // A time to come is one of a clock that was wrong then.
        if let changedAt = sink.wayInHold(of: order.entityID).changedAt, changedAt > order.acceptedAt, changedAt <= now() {
            return .refused(reason: "the device was announced otherwise since this was asked")
        }
        guard now() < order.notAfter else { return .refused(reason: "its time had passed") }
        let wiring = fixture.entity.mapping
        let code = settings.codes[order.entityID]
        guard wiring.verbs.contains(order.verb) else { return .unsupported }
        let telegrams =
            wiring.commandMessages(for: order.verb, value: order.value, transition: order.transition, code: code, in: fixture.state) ?? []
        guard !telegrams.isEmpty else {
            return wiring.needsCode(order.verb)
                ? .refused(reason: Self.missingCodeReason(of: fixture.entity.kind, has: code != nil)) : .unsupported
        }
        // A broker that stopped answering would take the order, and deliver it when it wakes up.
        if lastHeard.map({ ContinuousClock.now - $0 >= trustInterval }) ?? true {
            guard await connection.answers(within: .seconds(2)) else { return .refused(reason: "the broker does not answer") }
            lastHeard = .now
        }
        return await send(telegrams, for: order, heard: wiring.reports(order.requestedVerb), on: connection)
    }

    private static func missingCodeReason(of kind: EntityKind, has: Bool) -> String {
        let device = kind == .alarm ? "alarm panel" : "lock"
        return has
            ? "the stored code is not what this \(device) takes; change it on the MQTT page"
            : "this \(device) wants a code; store it on the MQTT page"
    }

    private func send(
        _ telegrams: [CommandMessage], for order: DeviceOrder, heard: Bool, on connection: MosquittoConnection
    ) async -> DispatchResult {
        let handedOver: DispatchResult = heard ? .dispatched : .dispatchedWithoutReport
        for (index, telegram) in telegrams.enumerated() {
            let left = order.notAfter.timeIntervalSince(now())
            let expiry: UInt32 = left < 2 ? 1 : left >= 5 ? 5 : UInt32(left)
            let message = OutgoingMessage(
                topic: telegram.topic, payload: Array(telegram.payload.utf8), expiry: expiry,
                userProperties: [(name: "cardea-command-id", value: order.commandID)])
            do {
                try await connection.publish(message, notAfter: order.notAfter)
            } catch .unanswered {
                // It may still go out; the report will tell.
                return handedOver
            } catch {
                // With a part of it out, the whole is no longer "not done".
                return index == 0 ? .refused(reason: error.message) : handedOver
            }
        }
        return handedOver
    }

    /// Subscribes again, whereupon the broker repeats what it keeps of this entity.
    public func refresh(entityID: String) async {
        guard let connection else { return }
        do throws(MQTTConnectionError) {
            try await subscribe(registry.topics(of: entityID), on: connection)
        } catch {
            // The connection is over; everything is read again on the next one.
        }
    }
}
