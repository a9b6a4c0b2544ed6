import CardeaAPI
import CardeaClient
import CardeaSync

/// Suspends or revokes a guest's pass; if the house cannot be reached, as soon as it can.
struct GuestWithdrawal {
    let kind: OutboxOperation.Withdrawal.Kind
    let context: CommandContext

    /// - Parameters:
    ///   - command: the name of this command, repeated in the message if the name is not complete.
    ///   - words: the message once the house has done it.
    func withdraw(_ wanted: String, command: String, words: (GuestAnswer) -> String) async throws {
        let client = try context.client()
        let guest = try await context.guest(wanted, exactly: command)
        guard let replica = try await context.replicaIfAvailable(of: client) else {
            let answer = try await client.guests.decide(kind.decision, about: guest.guestID)
            return try await context.output.show(answer) { words(answer) }
        }
        do {
            switch try await replica.withdraw(kind, guestID: guest.guestID) {
            case .done(let answer): try await context.output.show(answer) { words(answer) }
            case .queued(let entry):
                try await context.showQueued(entry) {
                    "Until then, the pass works. The change is sent first: run `cardea sync` when the house can be reached."
                }
            }
        } catch let refusal as OfflineQueueError {
            throw CommandLineError(refusal)
        }
    }
}
