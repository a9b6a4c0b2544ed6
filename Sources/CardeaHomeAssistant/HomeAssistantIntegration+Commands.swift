import CardeaHub
import CardeaModel
import Foundation
import NIOCore

/// The household's commands, as calls of Home Assistant's services.
extension HomeAssistantIntegration {
    public func perform(_ order: DeviceOrder) async -> DispatchResult {
        if let reason = refusalReason(order) { return .refused(reason: reason) }
        guard let session else { return .refused(reason: "Home Assistant is not connected") }
        // One that stopped answering would take the order, and carry it out when it wakes up.
        if ContinuousClock.now - session.lastReceived >= timing.trustInterval, await !session.respondsToPing(within: .seconds(2)) {
            return .refused(reason: "Home Assistant does not answer")
        }
        // Much may have happened meanwhile.
        if let reason = refusalReason(order) { return .refused(reason: reason) }
        guard let entityID = mirror.entityID(of: order.entityID), let wiring = mirror.mapping(of: order.entityID),
            wiring.verbs.contains(order.verb),
            let call = wiring.serviceCall(order.verb, value: order.value, transition: order.transition)
        else { return .unsupported }
        let left = order.notAfter.timeIntervalSince(now())
        guard left > 0 else { return .refused(reason: "its time had passed") }
        let isHeard = order.verb != .press
        let sentAt = ContinuousClock.now
        let answer = await session.request(
            "call_service", call.fields(for: entityID), within: .milliseconds(Int64(min(left, 60) * 1000)),
            settling: isHeard ? entityID : nil)
        return await dispatchResult(answer, of: order, isHeard: isHeard, sentAt: sentAt, on: session)
    }

    private func refusalReason(_ order: DeviceOrder) -> String? {
        if now() >= order.notAfter { return "its time had passed" }
        if announcementTracker.owners[order.entityID] == nil { return "Home Assistant does not know the device" }
        if session == nil || session?.ending != nil { return "Home Assistant is not connected" }
        // By its old name another one might be called.
        if session?.registryChanges.renamings != readChanges.renamings { return "Home Assistant has just renamed entities" }
        return mirror.isAway(order.entityID) ? "the device is offline" : nil
    }

    private func dispatchResult(
        _ answer: WebSocketSession.Reply, of order: DeviceOrder, isHeard: Bool, sentAt: ContinuousClock.Instant,
        on conversation: WebSocketSession
    ) async -> DispatchResult {
        let handedOver: DispatchResult = isHeard ? .dispatched : .dispatchedWithoutReport
        switch answer {
        case .done:
            lastErrors[order.entityID] = nil
            return handedOver
        case .unsent: return .refused(reason: "Home Assistant is not connected")
        case .unanswered:
            // Where it says nothing at all, what may still lie in the socket goes with the connection. A service that is slow is no
            // silence: whoever answers what was asked after it has read it.
            if conversation.ending == nil, conversation.lastReceived <= sentAt, await !conversation.respondsToPing(within: .seconds(2)) {
                conversation.end(.unresponsive)
            }
            return handedOver
        case .refused(let code, let message):
            let words = Name.cleaned(message, else: code)
            if lastErrors.count < HomeAssistantMirror.entityLimit { lastErrors[order.entityID] = words }
            // It looked at the question and turned it down. Anything else broke while the device was being asked, which may have
            // happened for all we know: then the device's own report decides, or nobody knows.
            return Self.refusalCodes.contains(code) ? .refused(reason: "Home Assistant: \(words)") : handedOver
        }
    }

    private static let refusalCodes: Set = [
        "not_found", "invalid_format", "unauthorized", "unknown_command", "id_reuse", "not_supported", "not_allowed",
        "service_validation_error",
    ]

    /// Reads the house again; Home Assistant tells all states or none.
    public func refresh(entityID: String) async {
        session?.append([.reloadRequired])
    }
}
