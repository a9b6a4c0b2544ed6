import CardeaAPI
import CardeaClient

extension Replica {
    public enum RememberResult: Sendable {
        /// The house has stored it.
        case done(RememberedAnswer)
        case queued(OutboxEntry)
    }

    /// Adds a memory; if the house cannot be reached, as soon as it can.
    public func remember(_ body: RememberBody) async throws -> RememberResult {
        let key = environment.makeIdempotencyKey()
        do {
            return .done(try await client.mind.memories.remember(body, key: key))
        } catch {
            guard error.isNoConnection else { throw error }
            return .queued(try await add(key, .memory(body), lasts: Self.memoryRequestLifetime))
        }
    }

    /// Seconds for which it waits: as long as the house remembers an idempotency key, so that nothing is stored twice.
    private static var memoryRequestLifetime: Double { 24 * 3600 }
}
