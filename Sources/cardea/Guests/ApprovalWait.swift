import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Waits for an approval: repeats the same request at the interval that the house asks for, until it answers or the time is up. If the
/// request can be cancelled, Ctrl-C cancels it.
struct ApprovalWait {
    typealias CancelHandler = @Sendable (_ commandID: String) async throws -> GuestActionAnswer

    let isWaiting: Bool
    let context: CommandContext
    var cancel: CancelHandler?

    func wait<Answer>(_ ask: () async throws -> ApprovalResult<Answer>) async throws -> Answer {
        switch try await ask() {
        case .granted(let answer): return answer
        case .waiting(let pending):
            guard isWaiting else { throw notWaitingError(pending) }
            guard cancel != nil, pending.commandID != nil else { return try await poll(pending, ask) }
            // From here on only: before the request, Ctrl-C exits as everywhere.
            return try await context.interruptHandler.handlingInterrupts { try await poll(pending, ask) }
        }
    }

    private func poll<Answer>(_ first: PendingApproval, _ ask: () async throws -> ApprovalResult<Answer>) async throws -> Answer {
        // Whatever the house answers, the wait ends after an hour.
        let limit = Date().addingTimeInterval(3600)
        var pending = first
        var isTooLate = false
        while true {
            let end = pending.expiresAt.map { min(limit, Date(timeIntervalSince1970: TimeInterval($0))) } ?? limit
            guard Date() < end else { throw Self.pendingError("No answer. Ring the bell, or try again.", pending) }
            let number = pending.number.map { " They see the number \($0)." } ?? ""
            let left = HouseClock(zone: .current, now: Date()).remaining(until: end)
            let pause = Duration.seconds(min(max(1, pending.retryAfter ?? 3), 30))
            if !isTooLate, let cancel, let command = pending.commandID {
                context.output.progress("\(Self.approverText(pending)) Waiting, \(left) left. Ctrl-C withdraws the request.")
                if try await context.interruptHandler.waitForInterrupt(within: pause) {
                    try await cancelRequest(command, cancel)
                    isTooLate = true
                }
            } else {
                context.output.progress("\(Self.approverText(pending))\(number) Waiting, \(left) left.")
                try await Task.sleep(for: pause)
            }
            switch try await ask() {
            case .granted(let answer): return answer
            case .waiting(let next): pending = next
            }
        }
    }

    /// Cancels the waiting request and throws. Returns if the house has already answered: that answer is then reported.
    private func cancelRequest(_ command: String, _ takeBack: CancelHandler) async throws {
        // The terminal has written ^C into the line.
        context.output.progress("")
        let answer: GuestActionAnswer
        do {
            answer = try await takeBack(command)
        } catch GuestAccessError.refused(let refusal) where refusal.code == "not_waiting" {
            return context.output.note("Too late to withdraw: the request is already answered.")
        } catch {
            throw CommandLineError(
                status: .unknown, code: "outcome_unknown",
                message:
                    "The request could not be withdrawn. If a resident approves it, the door still opens. \(Self.reasonText(error))",
                details: ["command_id": .string(command)])
        }
        throw CommandLineError.refused(
            "taken_back", answer.useReturned == true ? "Request withdrawn. The use was not counted." : "Request withdrawn.",
            details: ["command_id": .string(command)])
    }

    private static func reasonText(_ error: any Error) -> String {
        // The error's own text says "nothing was sent", which is true of the withdrawal alone.
        if case GuestAccessError.client(.noConnection) = error { return "The connection to the house was lost." }
        return error.localizedDescription
    }

    private func notWaitingError(_ pending: PendingApproval) -> CommandLineError {
        guard cancel != nil else {
            return Self.pendingError(
                """
                \(Self.approverText(pending))\(pending.number.map { " They see the number \($0)." } ?? "") Run the command again \
                with the same link or code, or without --no-wait to wait for the answer.
                """, pending)
        }
        let end = pending.expiresAt.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        let left = end.map { "for \(HouseClock(zone: .current, now: Date()).remaining(until: $0))" } ?? "for two minutes"
        return Self.pendingError(
            """
            \(Self.approverText(pending)) The request stays open \(left); if it is approved, the door opens even though you do not wait. \
            Without --no-wait the command waits, and Ctrl-C withdraws the request.
            """, pending)
    }

    /// The house's own words for the person who must approve.
    private static func approverText(_ pending: PendingApproval) -> String { pending.message ?? "A resident must approve first." }

    private static func pendingError(_ message: String, _ pending: PendingApproval) -> CommandLineError {
        var details: [String: JSONValue] = [:]
        details["number"] = pending.number.map { .string($0) }
        details["command_id"] = pending.commandID.map { .string($0) }
        details["expires_at"] = pending.expiresAt.map { .number(Double($0)) }
        return CommandLineError(
            status: .tryLater, code: "pending_approval", message: message, details: details,
            retryAfter: pending.retryAfter.map { .seconds($0) })
    }
}
