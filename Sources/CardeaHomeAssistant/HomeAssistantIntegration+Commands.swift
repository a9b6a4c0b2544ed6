import CardeaHub
import CardeaModel
import Foundation
import NIOCore

/// Dispatches commands as calls of Home Assistant's services.
extension HomeAssistantIntegration {
    public func perform(_ backendCommand: BackendCommand) async -> DispatchResult {
        if let reason = refusalReason(backendCommand) { return .refused(reason: reason) }
        guard let session else { return .refused(reason: "Home Assistant is not connected") }
        // A stalled server would accept the command, and execute it later.
        if ContinuousClock.now - session.lastReceived >= timing.trustInterval, await !session.respondsToPing(within: .seconds(2)) {
            return .refused(reason: "Home Assistant does not respond")
        }
        // The state may have changed meanwhile.
        if let reason = refusalReason(backendCommand) { return .refused(reason: reason) }
        guard let entityID = mirror.entityID(of: backendCommand.entityID), let mapping = mirror.mapping(of: backendCommand.entityID),
            mapping.verbs.contains(backendCommand.verb),
            let call = mapping.serviceCall(backendCommand.verb, value: backendCommand.value, transition: backendCommand.transition)
        else { return .unsupported }
        let left = backendCommand.notAfter.timeIntervalSince(now())
        guard left > 0 else { return .refused(reason: "the command expired before it was sent") }
        let isReported = backendCommand.verb != .press
        let sentAt = ContinuousClock.now
        let answer = await session.request(
            "call_service", call.fields(for: entityID), within: .milliseconds(Int64(min(left, 60) * 1000)),
            settling: isReported ? entityID : nil)
        return await dispatchResult(answer, of: backendCommand, isReported: isReported, sentAt: sentAt, on: session)
    }

    private func refusalReason(_ backendCommand: BackendCommand) -> String? {
        if now() >= backendCommand.notAfter { return "the command expired before it was sent" }
        if announcementTracker.owners[backendCommand.entityID] == nil { return "Home Assistant does not know the device" }
        if session == nil || session?.ending != nil { return "Home Assistant is not connected" }
        // Its old name may belong to another entity now.
        if session?.registryChanges.renamings != readChanges.renamings { return "Home Assistant has just renamed entities" }
        return mirror.isAway(backendCommand.entityID) ? "the device is offline" : nil
    }

    private func dispatchResult(
        _ answer: WebSocketSession.Reply, of backendCommand: BackendCommand, isReported: Bool, sentAt: ContinuousClock.Instant,
        on conversation: WebSocketSession
    ) async -> DispatchResult {
        let dispatched: DispatchResult = isReported ? .dispatched : .dispatchedWithoutReport
        switch answer {
        case .done:
            lastErrors[backendCommand.entityID] = nil
            return dispatched
        case .unsent: return .refused(reason: "Home Assistant is not connected")
        case .unanswered:
            // Without any answer the connection is closed, with the data still in the socket. A slow service still answers the ping: then
            // the server has read the command.
            if conversation.ending == nil, conversation.lastReceived <= sentAt, await !conversation.respondsToPing(within: .seconds(2)) {
                conversation.end(.unresponsive)
            }
            return dispatched
        case .refused(let code, let message):
            let words = Name.cleaned(message, else: code)
            if lastErrors.count < HomeAssistantMirror.entityLimit { lastErrors[backendCommand.entityID] = words }
            // These codes refuse the call itself. Any other error came during the call to the device, which may have worked: then the
            // device's report decides, or the outcome is unknown.
            return Self.refusalCodes.contains(code) ? .refused(reason: "Home Assistant: \(words)") : dispatched
        }
    }

    private static let refusalCodes: Set = [
        "not_found", "invalid_format", "unauthorized", "unknown_command", "id_reuse", "not_supported", "not_allowed",
        "service_validation_error",
    ]

    /// Reads all states again; Home Assistant has no request for one.
    public func refresh(entityID: String) async {
        session?.append([.reloadRequired])
    }
}
