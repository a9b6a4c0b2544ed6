import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The effects of automations, each on behalf of a person of the house. Automations declare this port and know no hub; the adapter
/// implements it through the gate that decides every command.
public protocol HouseActuator: Sendable {
    /// Submits the commands of an action as its owner, by their present rights. Denials are recorded in the audit log.
    ///
    /// - Returns: one outcome for each device, in order.
    func submit(_ action: AutomationAction, as owner: String, of automation: String) async throws -> [AutomationRun.Outcome]

    /// Waits until the command has ended, and returns its result.
    func completion(of commandID: String) async throws -> (status: String, reason: String?)

    /// The status of a command within this transaction, and why it was not done; nil if the command is no longer known.
    func status(of commandID: String, in db: Database) throws -> (status: String, reason: String?)?

    /// Notifies people, by the owner's present rights.
    ///
    /// - Parameters:
    ///   - words: the text, made in the transaction that queues the message.
    ///   - occasion: each person is notified once of it, however often this is called.
    /// - Returns: the refusal; nil if messages were queued.
    func notify(
        _ words: @escaping @Sendable (Database) throws -> String, to recipients: AutomationAction.Recipients, as owner: String,
        of automation: String, occasion: String
    ) async throws -> Refusal?

    /// Records the house's own changes of an automation.
    func recorder(of automation: String, owner: String) -> ChangeRecorder
}
