import CardeaAPI
import CardeaClient
import CardeaModel
import Foundation

/// What becomes of an outcome here: the command where the device confirmed it, else a failure that says how sure one can be.
enum OutcomeReport {
    /// In which words it is told.
    struct Words: Sendable {
        var unknown: String
        var lost: String
        var expired: String
        var failed: @Sendable (String?) -> String

        static let plain = Words(
            unknown: "We are not sure it was done. The device has not answered. Look at it before you ask again.",
            lost: "We are not sure it was done. The connection to the house was lost. Look how things stand before you ask again.",
            expired: "Not done: its turn did not come in time. Nothing was sent. Ask again.",
            failed: { reason in "Not done: \(reason ?? "the device could not do it")." })

        static func door(_ door: DoorWords) -> Words {
            Words(unknown: door.unknown, lost: door.lost, expired: door.expired) { door.failed(reason: $0, useReturned: nil) }
        }
    }

    static func confirmed(_ outcome: CommandOutcome, words: Words) throws -> CommandAnswer {
        switch outcome {
        case .confirmed(let command): return command
        case .failed(let command, let error):
            throw Failure(
                status: .refused, code: "action_execution_failed", message: words.failed(command?.reason ?? reason(error)),
                details: details(command), requestID: error.requestID)
        case .unknown(let command):
            throw Failure(
                status: .unknown, code: "outcome_unknown", message: command == nil ? words.lost : words.unknown, details: details(command))
        case .expired(let command): throw Failure.refused("expired", words.expired, details: details(command))
        case .waiting(let command):
            throw Failure(
                status: .tryLater, code: "waiting", message: "It has not happened yet: it waits for its turn, or for somebody's yes.",
                details: details(command))
        }
    }

    private static func reason(_ error: APIError) -> String? {
        error.details["reason"]?.string
    }

    private static func details(_ command: CommandAnswer?) -> [String: JSONValue] {
        command.map { ["command": $0.json] } ?? [:]
    }
}
