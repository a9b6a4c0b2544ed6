import CardeaStore
import Foundation
import GRDB

extension Store {
    /// Writes a change for a request from `origin`. The body checks by itself what its caller may do.
    func write<Value: Sendable>(
        from origin: RequestOrigin, at now: Date, _ body: @escaping @Sendable (AnonymousTransactionContext) throws -> Value,
        committed: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await write({ db in try body(AnonymousTransactionContext(db: db, now: now, origin: origin)) }, committed: committed)
    }
}
