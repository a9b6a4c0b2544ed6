import CardeaAPI
import CardeaHub
import CardeaModel
import Foundation
import HTTPTypes
import Hummingbird

/// Commands in `/api/v1`'s words.
enum CommandWire {
    static func answer(_ command: Command) -> CommandAnswer {
        CommandAnswer(
            commandID: command.id, deviceID: command.deviceID, entityID: command.entityID, action: command.verb, status: command.status,
            reason: command.reason, newState: command.newState, executionTime: command.executionTime)
    }

    /// 200 when the device says it is done; else the error that fits, with the command in its details.
    static func outcome(_ command: Command, isReplay: Bool) throws -> Response {
        let details: [String: JSONValue] = [
            "command": try Wire.read(JSONValue.self, from: try Wire.encode(answer(command))),
            "reason": command.reason.map(JSONValue.string) ?? .null,
        ]
        switch command.status {
        case .confirmed: return try .encoding(answer(command), isReplay: isReplay)
        case .accepted, .dispatching: return try .encoding(answer(command), status: .accepted, isReplay: isReplay)
        case .unknown:
            throw Problem(
                .gatewayTimeout, "outcome_unknown", "It was sent, and the device has not answered. It may have happened.", details: details
            ).replayed(isReplay)
        case .failed where command.reason != "jammed":
            throw Problem(.serviceUnavailable, "device_unreachable", CommandWords.failure(command), details: details, retryAfter: 5)
                .replayed(isReplay)
        case .failed:
            throw Problem(.internalServerError, "action_execution_failed", CommandWords.failure(command), details: details).replayed(
                isReplay)
        case .expired: throw Problem(.conflict, "conflict", CommandWords.failure(command), details: details).replayed(isReplay)
        }
    }
}
