import CardeaModel
import CardeaStore
import Foundation
import GRDB

/// The effects of automations, each on behalf of a person of the house. Automations declare this port and know no hub; the adapter implements it
/// through the gate that decides every command.
public protocol HouseActuator: Sendable {
    /// Asks for what an action says, as its owner, by the rights that they have now. Whatever is refused is on record.
    ///
    /// - Returns: what was asked of each device, in its order.
    func submit(_ action: AutomationAction, as owner: String, of automation: String) async throws -> [AutomationRun.Outcome]

    /// Waits until what was asked has ended, and says how.
    func completion(of commandID: String) async throws -> (status: String, reason: String?)

    /// How what was asked stands in this transaction, and why it was not done; nil where nothing is known of it any more.
    func status(of commandID: String, in db: Database) throws -> (status: String, reason: String?)?

    /// Tells people something, by the rights that the owner has now.
    ///
    /// - Parameters:
    ///   - words: what is said, made in the transaction in which word is left.
    ///   - occasion: each is told once of it, however often this is asked.
    /// - Returns: why it may not; nil where word was left for them.
    func notify(
        _ words: @escaping @Sendable (Database) throws -> String, to recipients: AutomationAction.Recipients, as owner: String,
        of automation: String, occasion: String
    ) async throws -> Refusal?

    /// Puts on record what the house itself changes of an automation.
    func recorder(of automation: String, owner: String) -> ChangeRecorder
}
