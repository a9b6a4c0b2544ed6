import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// The stored session at one house. House and tokens are stored under one name: a token is never sent to another house.
struct HubSessionStore: SessionStore {
    let file: CredentialStore
    let hub: HubAddress

    func load() async throws -> Session? {
        let stored = try await file.read()
        if stored.isSessionUnavailable(at: hub) { throw ClientError.storage(stored.unavailableMessage) }
        return stored.session(at: hub)
    }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        try await file.update { stored in
            var session = stored.session(at: hub)
            let wasThere = session != nil
            defer { if wasThere || session != nil { stored.set(session, at: hub) } }
            return try await change(&session)
        }
    }
}
