import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// Turns an outcome into the command if the device confirmed it, else into an error that says how certain the failure is.
enum CommandOutcomeValidator {
    static func requireConfirmed(_ outcome: CommandOutcome, words: CommandText) throws -> CommandAnswer {
        switch outcome {
        case .confirmed(let command): return command
        case .failed(let command, let error):
            throw CommandLineError(
                status: .refused, code: "action_execution_failed", message: words.failed(command?.reason ?? reason(error)),
                details: try details(command), requestID: error.requestID)
        case .unknown(let command):
            throw CommandLineError(
                status: .unknown, code: "outcome_unknown", message: command == nil ? words.connectionLost : words.unknown,
                details: try details(command))
        case .expired(let command): throw CommandLineError.refused("expired", words.expired, details: try details(command))
        case .waiting(let command):
            throw CommandLineError(
                status: .tryLater, code: "waiting", message: words.waiting,
                details: try details(command))
        }
    }

    private static func reason(_ error: APIError) -> String? {
        error.details["reason"]?.string
    }

    private static func details(_ command: CommandAnswer?) throws -> [String: JSONValue] {
        try command.map { ["command": try $0.jsonValue] } ?? [:]
    }
}
