import CardeaAPI
import CardeaModel
import Foundation

/// The outcome of a command. A command that was accepted is not yet done, and the outcome may remain unknown.
public enum CommandOutcome: Sendable {
    /// Confirmed by the device itself.
    case confirmed(CommandAnswer)
    /// Definitely not done, and why.
    case failed(CommandAnswer?, APIError)
    /// It may have happened: the device is silent (with the command), or the connection was lost (without).
    case unknown(CommandAnswer?)
    /// Expired before its turn, or refused by the house; it was never sent.
    case expired(CommandAnswer)
    /// Durable, and still waiting for its turn or for an approval.
    case waiting(CommandAnswer)

    public init(_ command: CommandAnswer) {
        switch command.status {
        case .confirmed: self = .confirmed(command)
        case .unknown: self = .unknown(command)
        case .expired: self = .expired(command)
        case .accepted, .dispatching: self = .waiting(command)
        case .failed:
            self = .failed(
                command, APIError(status: 200, code: "action_execution_failed", message: command.reason ?? "The device could not do it."))
        }
    }

    /// The outcome in an error answer; nil if the house refused before anything was sent.
    init?(_ error: APIError) {
        // The command is in `details`, or in its member `command`.
        let described = error.details["command"]?.members ?? error.details
        let command = try? WireFormat.read(CommandAnswer.self, from: WireFormat.encode(JSONValue.object(described)))
        switch error.code {
        case "action_execution_failed": self = .failed(command, error)
        case "outcome_unknown": self = .unknown(command)
        default: return nil
        }
    }
}
