import CardeaAPI
import CardeaClient
import CardeaModel

/// What came of a tap, as the shell and a person hear it.
enum TapReport {
    /// Hands the tap in. Whose answer was lost on the way may have been done, as with anything that opens a door.
    static func tap(_ link: String, isConfirmed: Bool = false, _ client: CardeaClient) async throws -> TapAnswer {
        let answer: TapAnswer
        do { answer = try await client.tags.tap(link, isConfirmed: isConfirmed) } catch {
            _ = try OutcomeReport.confirmed(try CommandOutcome(losing: error), words: .plain)
            throw error
        }
        try check(answer)
        return answer
    }

    /// Throws where it was not done, or nobody knows.
    private static func check(_ answer: TapAnswer) throws {
        guard answer.accepted else {
            throw refused(answer.reason ?? "refused", answer.message ?? "The tap came to nothing.")
        }
        let message = answer.message
        switch answer.outcome.flatMap(CommandStatus.init) {
        case .confirmed: return
        case .unknown, nil: throw Failure(status: .unknown, code: "outcome_unknown", message: message ?? WishWords.plain.unknown)
        case .accepted, .dispatching: throw Failure(status: .tryLater, code: "waiting", message: message ?? WishWords.plain.waiting)
        case .failed, .expired:
            throw refused(answer.reason ?? "action_execution_failed", message ?? WishWords.plain.failed(answer.reason))
        }
    }

    /// Why it came to nothing. What may go well in a while has the status for that, as at a door.
    static func refused(_ reason: String, _ message: String) -> Failure {
        Failure(status: passing.contains(reason) ? .tryLater : .refused, code: reason, message: message)
    }

    /// Whether the same tap may be taken in a moment, as it is.
    static func mayPass(_ refused: Failure) -> Bool {
        refused.status == .tryLater || refused.code == TagRefusal.cooldown.rawValue
    }

    private static let passing: Set = ["device_unreachable", TagRefusal.tooMany.rawValue]
}
