import CardeaHub
import CardeaModel
import Foundation
import NIOCore

/// The household's commands, as calls of Home Assistant's services.
extension HomeAssistantIntegration {
    public func perform(_ order: DeviceOrder) async -> Handover {
        if let reason = whyNot(order) { return .refused(reason: reason) }
        guard let conversation else { return .refused(reason: "Home Assistant is not connected") }
        // One that stopped answering would take the order, and carry it out when it wakes up.
        if ContinuousClock.now - conversation.lastHeard >= pace.trust, await !conversation.answers(within: .seconds(2)) {
            return .refused(reason: "Home Assistant does not answer")
        }
        // Much may have happened meanwhile.
        if let reason = whyNot(order) { return .refused(reason: reason) }
        guard let entityID = household.entityID(of: order.entityID), let wiring = household.wiring(of: order.entityID),
            wiring.verbs.contains(order.verb),
            let call = wiring.call(order.verb, value: order.value, transition: order.transition)
        else { return .unsupported }
        let left = order.notAfter.timeIntervalSince(now())
        guard left > 0 else { return .refused(reason: "its time had passed") }
        let isHeard = order.verb != .press
        let sentAt = ContinuousClock.now
        let answer = await conversation.ask(
            "call_service", call.fields(for: entityID), within: .milliseconds(Int64(min(left, 60) * 1000)),
            settling: isHeard ? entityID : nil)
        return await handover(answer, of: order, isHeard: isHeard, sentAt: sentAt, on: conversation)
    }

    private func whyNot(_ order: DeviceOrder) -> String? {
        if now() >= order.notAfter { return "its time had passed" }
        if roster.owners[order.entityID] == nil { return "Home Assistant does not know the device" }
        if conversation == nil || conversation?.ending != nil { return "Home Assistant is not connected" }
        // By its old name another one might be called.
        if conversation?.registryChanges.renamings != readChanges.renamings { return "Home Assistant has just renamed entities" }
        return household.isAway(order.entityID) ? "the device is offline" : nil
    }

    private func handover(
        _ answer: Conversation.Answer, of order: DeviceOrder, isHeard: Bool, sentAt: ContinuousClock.Instant, on conversation: Conversation
    ) async -> Handover {
        let handedOver: Handover = isHeard ? .handedOver : .handedOverUnheard
        switch answer {
        case .done:
            complaints[order.entityID] = nil
            return handedOver
        case .unsent: return .refused(reason: "Home Assistant is not connected")
        case .unanswered:
            // Where it says nothing at all, what may still lie in the socket goes with the connection. A service that is slow is no
            // silence: whoever answers what was asked after it has read it.
            if conversation.ending == nil, conversation.lastHeard <= sentAt, await !conversation.answers(within: .seconds(2)) {
                conversation.end(.silent)
            }
            return handedOver
        case .refused(let code, let message):
            let words = Name.cleaned(message, else: code)
            if complaints.count < Household.entityLimit { complaints[order.entityID] = words }
            // It looked at the question and turned it down. Anything else broke while the device was being asked, which may have
            // happened for all we know: then the device's own report decides, or nobody knows.
            return Self.turnedDown.contains(code) ? .refused(reason: "Home Assistant: \(words)") : handedOver
        }
    }

    private static let turnedDown: Set = [
        "not_found", "invalid_format", "unauthorized", "unknown_command", "id_reuse", "not_supported", "not_allowed",
        "service_validation_error",
    ]

    /// Reads the house again; Home Assistant tells all states or none.
    public func refresh(entityID: String) async {
        conversation?.post([.mustReadAgain])
    }
}
