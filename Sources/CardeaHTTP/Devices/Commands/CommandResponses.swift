import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// The bodies of `/api/v1` for commands.
enum CommandResponses {
    static func answer(_ command: Command) -> CommandAnswer {
        CommandAnswer(
            commandID: command.id, deviceID: command.deviceID, entityID: command.entityID, action: command.verb, status: command.status,
            reason: command.reason, newState: command.newState, executionTime: command.executionTime)
    }

    /// The command at once, or resolved if the caller waits for that.
    static func answer(_ command: Command, isReplay: Bool, _ request: Request, _ commands: Commands) async throws -> Response {
        if request.prefersAsyncResponse, !command.status.isOver {
            return try .encoding(answer(command), status: .accepted, isReplay: isReplay)
        }
        return try outcome(try await commands.outcome(of: command), isReplay: isReplay)
    }

    /// 200 for a confirmed command; otherwise its error, with the command in the details.
    static func outcome(_ command: Command, isReplay: Bool) throws -> Response {
        guard var problem = APIResponseError.outcome(of: command, in: .hub) else {
            let status = APIResponseError.status(of: command, in: .hub).status
            return try .encoding(answer(command), status: status, isReplay: isReplay)
        }
        problem.details = [
            "command": try answer(command).jsonValue,
            "reason": command.reason.map(JSONValue.string) ?? .null,
        ]
        throw problem.replayed(isReplay)
    }
}
