import CardeaModel
import CardeaSecurity
import CardeaStore
import Crypto
import Foundation
import GRDB

/// Answers of named writes, for callers that hold no transaction: writes that do the same when done again, such as revoking a pass.
public struct IdempotentResponseStore: Sendable {
    let store: Store
    let once: IdempotencyStore
    let environment: HubEnvironment

    public func find(_ call: IdempotencyKey, by principal: Principal) async throws -> Data? {
        let now = environment.now()
        return try await store.read { try once.storedResponse(call, by: principal.key, at: now, in: $0) }
    }

    public func save(_ answer: Data, _ call: IdempotencyKey, by principal: Principal) async throws {
        let now = environment.now()
        try await store.write { try once.save(answer, call, by: principal.key, at: now, in: $0) }
    }
}
