import CardeaModel
import CardeaStore
import Foundation

/// The number of failed attempts a caller has left before requests are slowed down.
public struct RateLimitStatus: Sendable {
    let store: Store
    let environment: HubEnvironment

    /// The kinds of failed attempts that are counted by address.
    public enum Kind: String, Sendable {
        /// Wrong passwords and recovery codes.
        case password
        /// Wrong guest codes.
        case pairing
        /// Unknown tokens.
        case strangers
    }

    /// - Returns: the attempts left, and the whole seconds until there are more; 0 seconds when all of them are left.
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
