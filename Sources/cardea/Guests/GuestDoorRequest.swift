import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// A guest's command for a door, by their pass.
struct GuestDoorRequest {
    let wish: DoorCommandText.Direction
    /// True to wait while a resident is asked.
    let isWaiting: Bool

    func submit(_ wanted: String?, _ context: CommandContext) async throws {
        let (stored, entity) = try resolveDoor(wanted, context.credentials)
        guard let action = action(for: entity) else { throw notAllowed(entity.name, [stored]) }
        let words = DoorCommandText(wish, entity.entityType)
        let (guest, token) = (context.client(of: stored.hub).guestAccess, stored.token.secret)
        let approvalWait = ApprovalWait(isWaiting: isWaiting, context: context, cancel: { try await guest.withdraw($0, token: token) })
        let key = try await GuestDeviceKeyring(context: context).unlock(stored)
        context.output.progress(words.waiting)
        do {
            let wish = GuestAction(action, entityID: entity.entityID)
            let answer = try await approvalWait.wait { try await guest.perform(wish, token: token, key: key) }
            try await context.output.show(answer) { words.confirmed + Self.remainingUsesText(answer) }
        } catch let error as GuestAccessError {
            throw failure(error, stored, words, isAsked: context.transport.mayHaveChanged)
        }
    }

    /// The pass and the device: the newest pass that has it.
    private func resolveDoor(_ wanted: String?, _ stored: StoredCredentials) throws -> (StoredPass, GuestPassAnswer.PassEntity) {
        let passes = stored.passes
        guard let newest = passes.last else { throw stored.notSignedIn }
        guard let wanted else {
            let doors = newest.pass.entities.filter { action(for: $0) != nil }
            if doors.count == 1, let only = doors.first { return (newest, only) }
            guard !doors.isEmpty else { throw notAllowed("a door", [newest]) }
            throw CommandLineError.usage(
                "Your pass has several doors: \(DoorSummaryText.list(doors.map { "\($0.name) (\($0.deviceID))" })). Name one.")
        }
        let all = passes.reversed().flatMap { pass in pass.pass.entities.map { (pass, $0) } }
        var seen = Set<String>()
        let newestFirst = all.filter { seen.insert("\($0.0.hub) \($0.1.entityID)").inserted }
        do {
            return try NameResolver.resolve(
                wanted, among: newestFirst, what: "door of your pass", ids: { [$0.1.deviceID, $0.1.entityID] }, name: { $0.1.name })
        } catch let failure as CommandLineError where failure.code == "not_found" {
            throw notAllowed(wanted, passes)
        }
    }

    /// The pass's own name for the requested action.
    private func action(for entity: GuestPassAnswer.PassEntity) -> String? {
        let verbs: Set<Verb> = wish == .open ? [.unlock, .open, .press] : [.lock, .close]
        return entity.allowedActions.first { ActionName($0).map { verbs.contains($0.verb) } ?? false }
    }

    private func notAllowed(_ door: String, _ passes: [StoredPass]) -> CommandLineError {
        let doors = passes.flatMap(\.pass.entities).filter { action(for: $0) != nil }.map(\.name)
        let what = wish == .open ? "opens" : "locks"
        let may = doors.isEmpty ? "\(what) no door" : "\(what) \(DoorSummaryText.list(doors)), not \(door)"
        return .refused("action_not_allowed", "This pass \(may). Nothing was sent.")
    }

    /// - Parameter isAsked: true if the house received the request before the error.
    private func failure(_ error: GuestAccessError, _ stored: StoredPass, _ words: DoorCommandText, isAsked: Bool) -> CommandLineError {
        let clock = HouseClock(zone: CommandContext.zone(stored.pass.timeZone), now: Date())
        var failure = CommandLineError(error, words: RefusalText(clock, schedule: stored.pass.schedule?.schedule), mayHaveChanged: isAsked)
        switch error {
        case .refused(let answer) where answer.code == "action_execution_failed":
            failure.message = words.failed(
                reason: answer.details["reason"]?.string, useReturned: answer.details["use_returned"]?.bool)
        case .refused(let answer) where answer.code == "token_max_uses_exceeded" && answer.details["max_uses"] == nil:
            failure.message = Refusal.usedUp(limit: stored.pass.maxUses).sentence
        case .outcomeUnknown(let answer): failure.message = answer == nil ? words.connectionLost : words.unknown
        case .client(.noConnection) where isAsked:
            failure.message =
                "The connection to the house was lost while waiting. If a resident approves the request, the door still opens."
        case .client(.noConnection): failure.message = words.noConnection
        default: break
        }
        return failure
    }

    private static func remainingUsesText(_ answer: GuestActionAnswer) -> String {
        switch answer.remainingUses {
        case .none, -1: ""
        case 0: " That was the last time this pass could be used."
        case 1: " This pass can be used once more."
        case .some(let count): " This pass can be used \(count) more times."
        }
    }
}
