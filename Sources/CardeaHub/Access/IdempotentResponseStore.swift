import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Stored answers for callers that hold no transaction, for writes that can be repeated without harm, such as revoking a pass.
public struct IdempotentResponseStore: Sendable {
    let store: Store
    let idempotency: IdempotencyStore
    let environment: HubEnvironment

    public func find(_ call: IdempotencyKey, by principal: Principal) async throws -> Data? {
        let now = environment.now()
        return try await store.read { try idempotency.storedResponse(call, by: principal.key, at: now, in: $0) }
    }

    public func save(_ answer: Data, _ call: IdempotencyKey, by principal: Principal) async throws {
        let now = environment.now()
        try await store.write { try idempotency.save(answer, call, by: principal.key, at: now, in: $0) }
    }
}
