import CardeaModel
import CardeaStore
import Foundation

/// How many wrong tries somebody has left, for those who want to know before they are slowed down.
public struct RateLimitStatus: Sendable {
    let store: Store
    let environment: HubEnvironment

    /// What is counted by the address it comes from.
    public enum Kind: String, Sendable {
        /// Wrong passwords and recovery codes.
        case password
        /// Wrong guest codes.
        case pairing
        /// Tokens that nobody knows.
        case strangers
    }

    /// - Returns: the tries, and the whole seconds until there are more, 0 where all of them are left.
    public func remaining(_ kind: Kind, to address: String?) async throws -> (tries: Int, seconds: Int) {
        let now = environment.now()
        let scope: ThrottleRecords.Scope =
            switch kind {
            case .password: .address
            case .pairing: .codeAddress
            case .strangers: .stranger
            }
        let left = try await store.read { db in try ThrottleRecords.remaining(scope, address, at: now, in: db) }
        return (left.tries, Int(left.after.rounded(.up)))
    }
}
