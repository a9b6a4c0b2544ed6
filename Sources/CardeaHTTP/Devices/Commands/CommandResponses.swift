import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Commands in `/api/v1`'s words.
enum CommandResponses {
    static func answer(_ command: Command) -> CommandAnswer {
        CommandAnswer(
            commandID: command.id, deviceID: command.deviceID, entityID: command.entityID, action: command.verb, status: command.status,
            reason: command.reason, newState: command.newState, executionTime: command.executionTime)
    }

    /// The command as it stands, or as it ended where the caller waits for that.
    static func answer(_ command: Command, isReplay: Bool, _ request: Request, _ commands: Commands) async throws -> Response {
        if request.prefersAsyncResponse, !command.status.isOver {
            return try .encoding(answer(command), status: .accepted, isReplay: isReplay)
        }
        return try outcome(try await commands.outcome(of: command), isReplay: isReplay)
    }

    /// 200 when the device says it is done; else the error that fits, with the command in its details.
    static func outcome(_ command: Command, isReplay: Bool) throws -> Response {
        guard var problem = problem(command) else {
            return try .encoding(answer(command), status: command.status.isOver ? .ok : .accepted, isReplay: isReplay)
        }
        problem.details = [
            "command": try answer(command).jsonValue,
            "reason": command.reason.map(JSONValue.string) ?? .null,
        ]
        throw problem.replayed(isReplay)
    }

    /// What did not go well; nil for a command that is done, or still runs.
    static func problem(_ command: Command) -> APIResponseError? {
        switch command.status {
        case .confirmed, .accepted, .dispatching: nil
        case .unknown where command.reason == "no_report":
            APIResponseError(.gatewayTimeout, "outcome_unknown", "It was sent. This device never says whether it did it.")
        case .unknown:
            APIResponseError(.gatewayTimeout, "outcome_unknown", "It was sent, and the device has not answered. It may have happened.")
        case .failed where command.integration == ButtonPublisher.name:
            APIResponseError(
                .serviceUnavailable, "device_unreachable", "Not published: \(command.reason ?? "nobody knows why"). Nothing happened.",
                retryAfter: 5)
        case .failed where command.reason == Commands.unsupportedReason:
            APIResponseError(.badRequest, "unsupported_action", CommandFailureText.text(command))
        case .failed where command.reason != "jammed":
            APIResponseError(.serviceUnavailable, "device_unreachable", CommandFailureText.text(command), retryAfter: 5)
        case .failed: APIResponseError(.internalServerError, "action_execution_failed", CommandFailureText.text(command))
        case .expired: APIResponseError(.conflict, "conflict", CommandFailureText.text(command))
        }
    }
}
