import CardeaAPI
import CardeaClient
import CardeaModel

/// Sends a tap and turns its result into an exit status and a message.
enum TapRequest {
    /// Submits the tap. If the answer is lost, the tap may have been done, as with anything that opens a door.
    static func submit(_ link: String, isConfirmed: Bool = false, _ client: CardeaClient) async throws -> TapAnswer {
        let answer: TapAnswer
        do { answer = try await client.tags.tap(link, isConfirmed: isConfirmed) } catch {
            _ = try CommandOutcomeValidator.requireConfirmed(try CommandOutcome(losing: error), words: .plain)
            throw error
        }
        try requireSuccess(answer)
        return answer
    }

    /// Throws if the tap was not done, or its outcome is unknown.
    private static func requireSuccess(_ answer: TapAnswer) throws {
        guard answer.accepted else {
            throw refusal(answer.reason ?? "refused", answer.message ?? "The tap was rejected.")
        }
        let message = answer.message
        switch answer.outcome.flatMap(CommandStatus.init) {
        case .confirmed: return
        case .unknown, nil: throw CommandLineError(status: .unknown, code: "outcome_unknown", message: message ?? CommandText.plain.unknown)
        case .accepted, .dispatching:
            throw CommandLineError(status: .tryLater, code: "waiting", message: message ?? CommandText.plain.waiting)
        case .failed, .expired:
            throw refusal(answer.reason ?? "action_execution_failed", message ?? CommandText.plain.failed(answer.reason))
        }
    }

    /// The error for a refused tap. A reason that may pass in a while has the exit status for that, as at a door.
    static func refusal(_ reason: String, _ message: String) -> CommandLineError {
        CommandLineError(status: retryableReasons.contains(reason) ? .tryLater : .refused, code: reason, message: message)
    }

    /// Returns whether the same tap may be accepted in a moment, unchanged.
    static func isRetryable(_ refused: CommandLineError) -> Bool {
        refused.status == .tryLater || refused.code == TagRefusal.cooldown.rawValue
    }

    private static let retryableReasons: Set = ["device_unreachable", TagRefusal.tooMany.rawValue]
}
