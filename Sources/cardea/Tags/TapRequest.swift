import CardeaAPI
import CardeaClient
import CardeaModel

/// What came of a tap, as the shell and a person hear it.
enum TapRequest {
    /// Hands the tap in. Whose answer was lost on the way may have been done, as with anything that opens a door.
    static func submit(_ link: String, isConfirmed: Bool = false, _ client: CardeaClient) async throws -> TapAnswer {
        let answer: TapAnswer
        do { answer = try await client.tags.tap(link, isConfirmed: isConfirmed) } catch {
            _ = try CommandOutcomeValidator.requireConfirmed(try CommandOutcome(losing: error), words: .plain)
            throw error
        }
        try requireSuccess(answer)
        return answer
    }

    /// Throws where it was not done, or nobody knows.
    private static func requireSuccess(_ answer: TapAnswer) throws {
        guard answer.accepted else {
            throw refusal(answer.reason ?? "refused", answer.message ?? "The tap came to nothing.")
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

    /// Why it came to nothing. What may go well in a while has the status for that, as at a door.
    static func refusal(_ reason: String, _ message: String) -> CommandLineError {
        CommandLineError(status: retryableReasons.contains(reason) ? .tryLater : .refused, code: reason, message: message)
    }

    /// Whether the same tap may be taken in a moment, as it is.
    static func isRetryable(_ refused: CommandLineError) -> Bool {
        refused.status == .tryLater || refused.code == TagRefusal.cooldown.rawValue
    }

    private static let retryableReasons: Set = ["device_unreachable", TagRefusal.tooMany.rawValue]
}
