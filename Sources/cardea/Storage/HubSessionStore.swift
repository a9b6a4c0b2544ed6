import CardeaAPI
import CardeaClient
import CardeaSecurity
import Foundation

/// The stored session at one house. House and tokens are stored under one name: a token is never sent to another house.
struct HubSessionStore: SessionStore {
    let file: CredentialStore
    let hub: HubAddress

    func load() async throws -> Session? {
        let kept = try await file.read()
        if kept.isSessionUnavailable(at: hub) { throw ClientError.storage(kept.unavailableMessage) }
        return kept.session(at: hub)
    }

    func update<Result: Sendable>(_ change: @Sendable (inout Session?) async throws -> Result) async throws -> Result {
        try await file.update { kept in
            var session = kept.session(at: hub)
            let wasThere = session != nil
            defer { if wasThere || session != nil { kept.set(session, at: hub) } }
            return try await change(&session)
        }
    }
}
