import CardeaModel
import Foundation

/// What came of asking.
public enum CommandResult: Sendable {
    /// It runs, waits, or has ended; `isReplay` when it was asked before under the same name.
    case command(Command, isReplay: Bool)
    /// Only a look was asked for.
    case state(Device, Entity)
}
